// SPDX-License-Identifier: MIT
#include "collector/remote/ufm_session.h"

#include "collector/record/error.h"

#include <nlohmann/json.hpp>

namespace flowgauge::remote {
namespace {

constexpr long ok = 200, unauthorized = 401;
constexpr const char* formKind = "Content-Type: application/x-www-form-urlencoded";
constexpr const char* jsonKind = "Content-Type: application/json";

/// As a form writes a text.
std::string escaped(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if ((code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) {
            out += letter;
        } else {
            out += '%';
            out += digits[code >> 4];
            out += digits[code & 15];
        }
    }
    return out;
}

}  // namespace

UfmSession::UfmSession(const std::string& path, Login login) : m_prefix(path.empty() ? "/ufmRest" : path), m_login(std::move(login))
{
    if (m_prefix == "/ufmRest")
        m_way = Way::Basic;
    else if (m_prefix == "/ufmRestV2")
        m_way = Way::Session;
    else if (m_prefix == "/ufmRestV3")
        m_way = Way::Token;
    else
        throw Error("--fabric: " + path, "expected /ufmRest, /ufmRestV2 or /ufmRestV3");
    if (m_way == Way::Token && m_login.user.empty()) m_proof = m_login.password;
}

Answer UfmSession::call(Http& http, const std::string& target, const std::string& body)
{
    const bool fresh = m_way != Way::Basic && m_proof.empty();
    if (fresh) renew(http);
    Answer answer = ask(http, target, body);
    if (answer.status == unauthorized && m_way == Way::Token && !m_wordKnown) {
        m_bearer = !m_bearer;
        answer = ask(http, target, body);
    }
    if (answer.status == unauthorized && m_way != Way::Basic && !fresh && !m_login.user.empty()) {
        renew(http);
        answer = ask(http, target, body);
    }
    if (answer.status == unauthorized) refuse();
    m_refusals = 0;
    m_wordKnown = true;
    if (answer.status != ok) throw Error(m_prefix + target, "it answered with status ", answer.status);
    return answer;
}

Answer UfmSession::ask(Http& http, const std::string& target, const std::string& body) const
{
    Request request{m_prefix + target, body, {}, {}, {}};
    if (!body.empty()) request.headers.emplace_back(jsonKind);
    if (m_way == Way::Basic) {
        request.user = m_login.user;
        request.password = m_login.password;
    } else if (m_way == Way::Session) {
        request.headers.push_back("Cookie: " + m_proof);
    } else {
        request.headers.push_back((m_bearer ? "Authorization: Bearer " : "Authorization: Basic ") + m_proof);
    }
    return http.call(request);
}

void UfmSession::refuse()
{
    ++m_refusals;
    throw Error("login", "user, password or token were refused");
}

void UfmSession::renew(Http& http)
{
    m_proof.clear();
    if (m_way == Way::Session)
        logIn(http);
    else
        makeToken(http);
}

/// A login that succeeds leads to the first page (302) and brings a cookie; one that fails brings the form again.
void UfmSession::logIn(Http& http)
{
    const std::string form = "httpd_username=" + escaped(m_login.user) + "&httpd_password=" + escaped(m_login.password);
    const Answer answer = http.call({"/dologin", form, {formKind}, {}, {}});
    const auto [begin, end] = answer.headers.equal_range("set-cookie");
    for (auto at = begin; at != end; ++at) m_proof += (m_proof.empty() ? "" : "; ") + at->second.substr(0, at->second.find(';'));
    if (m_proof.empty()) refuse();
}

void UfmSession::makeToken(Http& http)
{
    const Answer answer = http.call({"/ufmRest/app/tokens", "{}", {jsonKind}, m_login.user, m_login.password});
    if (answer.status == unauthorized) refuse();
    const nlohmann::json body = nlohmann::json::parse(answer.body, nullptr, false);
    if (!body.is_object() || !body.contains("access_token") || !body["access_token"].is_string())
        throw Error("/ufmRest/app/tokens", "expected a token, found status ", answer.status);
    m_proof = body["access_token"].get<std::string>();
}

}  // namespace flowgauge::remote
