// SPDX-License-Identifier: MIT
#include "collector/remote/http.h"

#include "collector/record/clock.h"
#include "collector/record/error.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>

namespace flowgauge::remote {
namespace {

/// More than the largest fabric tells; a server that goes on for ever must not take the machine's memory.
constexpr std::size_t mostBody = std::size_t{256} << 20;
constexpr long connectMs = 5000;

struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

void append(List& list, const std::string& text) { list.reset(curl_slist_append(list.release(), text.c_str())); }

std::size_t takeBody(char* bytes, std::size_t size, std::size_t count, void* body)
{
    auto& text = *static_cast<std::string*>(body);
    if (text.size() + size * count > mostBody) return 0;
    text.append(bytes, size * count);
    return size * count;
}

std::size_t takeHeader(char* bytes, std::size_t size, std::size_t count, void* headers)
{
    std::string_view line(bytes, size * count);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
        std::string name(line.substr(0, colon));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        const std::size_t value = line.find_first_not_of(' ', colon + 1);
        static_cast<std::multimap<std::string, std::string>*>(headers)->emplace(
            std::move(name), value == std::string_view::npos ? std::string_view() : line.substr(value));
    }
    return size * count;
}

}  // namespace

std::int64_t unixNowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

struct Http::Handles {
    CURLM* multi = curl_multi_init();
    CURL* easy = curl_easy_init();
    List headers, pinned;
    ~Handles()
    {
        curl_easy_cleanup(easy);
        curl_multi_cleanup(multi);
    }
};

std::string_view Answer::header(const std::string& name) const
{
    const auto found = headers.find(name);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::int64_t Answer::dateNs() const
{
    const std::time_t seconds = curl_getdate(std::string(header("date")).c_str(), nullptr);
    return seconds < 0 ? 0 : static_cast<std::int64_t>(seconds) * 1'000'000'000;
}

Http::Http(Access access) : m_access(std::move(access))
{
    curl_global_init(CURL_GLOBAL_DEFAULT);  // safe from any thread since libcurl 7.84, and counted
    m_handles = std::make_unique<Handles>();
    if (m_handles->easy == nullptr || m_handles->multi == nullptr) throw Error(m_access.base, "libcurl cannot be used");
}

Http::~Http() = default;

void Http::describe(const Request& request, Answer& answer)
{
    CURL* const easy = m_handles->easy;
    curl_easy_reset(easy);  // keeps the connection
    curl_easy_setopt(easy, CURLOPT_URL, (m_access.base + request.target).c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a name server that hangs does not hold up the run's end
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "flowgauge");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::min<long>(connectMs, static_cast<long>(m_access.timeout.count())));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(m_access.timeout.count()));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer.body);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, takeHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &answer.headers);
    if (!m_access.ca.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, m_access.ca.c_str());
    if (!m_access.clientCertificate.empty()) curl_easy_setopt(easy, CURLOPT_SSLCERT, m_access.clientCertificate.c_str());
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, m_access.insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, m_access.insecure ? 0L : 2L);
    if (m_handles->pinned) curl_easy_setopt(easy, CURLOPT_CONNECT_TO, m_handles->pinned.get());
    if (!request.user.empty()) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERNAME, request.user.c_str());
        curl_easy_setopt(easy, CURLOPT_PASSWORD, request.password.c_str());
    }
    if (!request.body.empty()) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
    }
    m_handles->headers.reset();
    for (const std::string& header : request.headers) append(m_handles->headers, header);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, m_handles->headers.get());
}

Answer Http::call(const Request& request)
{
    Answer answer;
    describe(request, answer);
    const Ticks begin = now();
    const std::int64_t beginNs = unixNowNs();
    perform();
    answer.at = begin + (now() - begin) / 2;
    answer.unixNs = beginNs + (unixNowNs() - beginNs) / 2;
    curl_easy_getinfo(m_handles->easy, CURLINFO_RESPONSE_CODE, &answer.status);
    return answer;
}

void Http::perform()
{
    CURLM* const multi = m_handles->multi;
    curl_multi_add_handle(multi, m_handles->easy);
    int running = 1, left = 0;
    while (running != 0 && !stopped()) {
        if (curl_multi_perform(multi, &running) != CURLM_OK) break;
        if (running != 0) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
    }
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    if (const CURLMsg* const message = curl_multi_info_read(multi, &left); message != nullptr) code = message->data.result;
    curl_multi_remove_handle(multi, m_handles->easy);
    if (code != CURLE_OK) throw Error(m_access.base, reasonOf(code));
}

std::string Http::reasonOf(int code) const
{
    switch (code) {
        case CURLE_PEER_FAILED_VERIFICATION:
            return "its certificate is not one to trust; name who signed it with --ca FILE, or accept any with --insecure";
        case CURLE_SSL_CACERT_BADFILE:
            return "the file of --ca cannot be used: " + m_access.ca.native();
        case CURLE_SSL_CERTPROBLEM:
            return "the file of --client-cert cannot be used: " + m_access.clientCertificate.native();
        case CURLE_OPERATION_TIMEDOUT:
            return "no whole answer within " + std::to_string(m_access.timeout.count()) + " ms";
        case CURLE_PARTIAL_FILE:
            return "the answer was cut off";
        case CURLE_WRITE_ERROR:
            return "the answer is longer than any can be";
        case CURLE_ABORTED_BY_CALLBACK:
            return "the run is over";
        default:
            return curl_easy_strerror(static_cast<CURLcode>(code));
    }
}

void Http::pin()
{
    const char* address = nullptr;
    if (curl_easy_getinfo(m_handles->easy, CURLINFO_PRIMARY_IP, &address) != CURLE_OK || address == nullptr || *address == '\0') return;
    const std::string text = address;
    m_handles->pinned.reset();
    append(m_handles->pinned, "::" + (text.find(':') == std::string::npos ? text : '[' + text + ']') + ':');
}

void Http::unpin() { m_handles->pinned.reset(); }

bool Http::sleep(std::chrono::milliseconds time)
{
    const auto until = std::chrono::steady_clock::now() + time;
    while (!stopped()) {
        const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
        if (rest <= 0) return true;
        curl_multi_poll(m_handles->multi, nullptr, 0, static_cast<int>(std::min<std::int64_t>(rest, 60'000)), nullptr);
    }
    return false;
}

void Http::stop()
{
    m_stopped.store(true, std::memory_order_release);
    curl_multi_wakeup(m_handles->multi);
}

}  // namespace flowgauge::remote
