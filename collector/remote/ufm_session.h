// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/login.h"

#include <string>

namespace flowgauge::remote {

/// UFM's REST API, whose path says how one proves who one is:
///   /ufmRest     user and password with every request; or, without a user, a client certificate
///   /ufmRestV2   a session cookie, after a login
///   /ufmRestV3   a token: made with user and password; or, without a user, the password is one that was made before
class UfmSession {
public:
    /// Throws Error for a path that is none of these.
    UfmSession(const std::string& path, Login login);

    /// target: below the path. A refused session or token is renewed once. Throws Error for a bad status.
    [[nodiscard]] Answer get(Http& http, const std::string& target) { return call(http, target, {}); }
    [[nodiscard]] Answer post(Http& http, const std::string& target, const std::string& body) { return call(http, target, body); }
    /// True after the second refused login in a row.
    [[nodiscard]] bool refused() const { return m_refusals >= 2; }
    [[nodiscard]] const std::string& prefix() const { return m_prefix; }

private:
    enum class Way : std::uint8_t { Basic, Session, Token };
    [[nodiscard]] Answer call(Http& http, const std::string& target, const std::string& body);
    [[nodiscard]] Answer ask(Http& http, const std::string& target, const std::string& body) const;
    void renew(Http& http);
    void logIn(Http& http);
    void makeToken(Http& http);
    [[noreturn]] void refuse();

    std::string m_prefix;
    Way m_way;
    Login m_login;
    std::string m_proof;       ///< cookies, or the token
    bool m_bearer = false;     ///< releases differ in the word before the token: Basic, or Bearer
    bool m_wordKnown = false;  ///< that word was accepted once
    int m_refusals = 0;
};

}  // namespace flowgauge::remote
