// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/login.h"

#include <string>

namespace flowgauge::remote {

/// A session of the OneFS Platform API: cookies of one node, and the token against forged requests (CSRF) where the release wants it.
class OneFsSession {
public:
    OneFsSession(Login login, std::string referer) : m_login(std::move(login)), m_referer(std::move(referer)) {}

    /// Asks, after a login where there is no session, and once more after a new login where the session was refused. A status
    /// other than 200 throws Error with what the server said, for JSON and for HTML; 404 is an answer like 200.
    [[nodiscard]] Answer get(Http& http, const std::string& target);
    /// True after the second refused login in a row: more of them lock accounts.
    [[nodiscard]] bool refused() const { return m_refusals >= 2; }

private:
    void login(Http& http);
    void takeCookies(const Answer& answer);
    [[nodiscard]] Answer ask(Http& http, const std::string& target);

    Login m_login;
    std::string m_referer;
    std::string m_session, m_csrf;  ///< values of the cookies; an empty m_session: not logged in
    int m_refusals = 0;
};

/// What an answer with a bad status says: its errors[] in words, else the status alone (bodies of proxies are pages of HTML).
[[nodiscard]] std::string oneFsComplaint(const Answer& answer);

}  // namespace flowgauge::remote
