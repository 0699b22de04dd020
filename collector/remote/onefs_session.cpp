// SPDX-License-Identifier: MIT
#include "collector/remote/onefs_session.h"

#include "collector/record/error.h"

#include <nlohmann/json.hpp>

namespace flowgauge::remote {
namespace {

using Json = nlohmann::json;
constexpr long ok = 200, created = 201, unauthorized = 401, notFound = 404;

/// The value of one cookie in a Set-Cookie header, or "".
std::string cookieOf(std::string_view header, std::string_view name)
{
    if (!header.starts_with(name) || header.size() <= name.size() || header[name.size()] != '=') return {};
    header.remove_prefix(name.size() + 1);
    return std::string(header.substr(0, header.find(';')));
}

}  // namespace

std::string oneFsComplaint(const Answer& answer)
{
    std::string text = "it answered with status " + std::to_string(answer.status);
    const Json body = Json::parse(answer.body, nullptr, false);
    const auto errors = body.is_object() ? body.find("errors") : body.end();
    if (!body.is_object() || errors == body.end() || !errors->is_array()) return text;
    for (const Json& error : *errors)
        if (error.is_object() && error.contains("message") && error["message"].is_string())
            text += ": " + error["message"].get<std::string>();
    return text;
}

Answer OneFsSession::get(Http& http, const std::string& target)
{
    const bool fresh = m_session.empty();
    if (fresh) login(http);
    Answer answer = ask(http, target);
    if (answer.status == unauthorized && !fresh) {
        login(http);
        answer = ask(http, target);
    }
    if (answer.status == unauthorized) m_session.clear();
    if (answer.status != ok && answer.status != notFound) throw Error(target.substr(0, target.find('?')), oneFsComplaint(answer));
    return answer;
}

Answer OneFsSession::ask(Http& http, const std::string& target)
{
    Request request{target, {}, {"Cookie: isisessid=" + m_session + (m_csrf.empty() ? "" : "; isicsrf=" + m_csrf)}, {}, {}};
    request.headers.push_back("Referer: " + m_referer);
    if (!m_csrf.empty()) request.headers.push_back("X-CSRF-Token: " + m_csrf);
    Answer answer = http.call(request);
    takeCookies(answer);  // a replacement may come with any answer shortly before the session ends
    return answer;
}

void OneFsSession::login(Http& http)
{
    m_session.clear();
    m_csrf.clear();
    http.unpin();
    const Json body{{"username", m_login.user}, {"password", m_login.password}, {"services", Json::array({"platform"})}};
    Request request{"/session/1/session", body.dump(), {"Content-Type: application/json", "Referer: " + m_referer}, {}, {}};
    const Answer answer = http.call(request);
    if (answer.status == unauthorized) {
        ++m_refusals;
        throw Error("login", "user or password were refused");
    }
    if (answer.status != created && answer.status != ok) throw Error("login", oneFsComplaint(answer));
    takeCookies(answer);
    if (m_session.empty()) throw Error("login", "it gave no session cookie (isisessid)");
    m_refusals = 0;
    http.pin();
}

void OneFsSession::takeCookies(const Answer& answer)
{
    const auto [begin, end] = answer.headers.equal_range("set-cookie");
    for (auto at = begin; at != end; ++at) {
        if (std::string value = cookieOf(at->second, "isisessid"); !value.empty()) m_session = std::move(value);
        if (std::string value = cookieOf(at->second, "isicsrf"); !value.empty()) m_csrf = std::move(value);
    }
}

}  // namespace flowgauge::remote
