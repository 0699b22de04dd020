// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::remote {

/// This machine's clock.
[[nodiscard]] std::int64_t unixNowNs();

/// How a server is talked to.
struct Access {
    std::string base;                         ///< "https://host:8080"
    std::filesystem::path ca;                 ///< PEM of who signed its certificate; empty: the system's
    std::filesystem::path clientCertificate;  ///< PEM with certificate and key; empty: none
    bool insecure = false;                    ///< any certificate is accepted
    std::chrono::milliseconds timeout{10'000};
};

struct Request {
    std::string target;  ///< path and query
    std::string body;    ///< not empty: it is sent by POST
    std::vector<std::string> headers;
    std::string user, password;  ///< HTTP Basic; an empty user sends none
};

struct Answer {
    long status = 0;
    std::string body;
    std::multimap<std::string, std::string> headers;  ///< names in lower case
    Ticks at = 0;                                     ///< middle between question and answer
    std::int64_t unixNs = 0;                          ///< the same moment by this machine's clock

    /// The first header of that name, or "".
    [[nodiscard]] std::string_view header(const std::string& name) const;
    /// The server's own clock as its Date header tells it, Unix ns; 0: not told.
    [[nodiscard]] std::int64_t dateNs() const;
};

/// One server, asked by one thread over a connection that is kept. Redirects are not followed: they would carry a secret elsewhere.
class Http {
public:
    /// Throws Error where there is no libcurl to be had.
    explicit Http(Access access);
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;
    ~Http();

    /// Any status is an answer. Throws Error when there was none in time, not a whole one, or stop() was called.
    [[nodiscard]] Answer call(const Request& request);

    /// From now on new connections go to the address that answered last: sessions of some clusters live on one node.
    void pin();
    void unpin();

    /// Waits; false when stop() was called before or meanwhile.
    [[nodiscard]] bool sleep(std::chrono::milliseconds time);
    /// Ends what call() and sleep() do now and later. For any thread.
    void stop();
    [[nodiscard]] bool stopped() const { return m_stopped.load(std::memory_order_acquire); }

private:
    struct Handles;
    void describe(const Request& request, Answer& answer);
    void perform();
    [[nodiscard]] std::string reasonOf(int code) const;

    Access m_access;
    std::unique_ptr<Handles> m_handles;
    std::atomic<bool> m_stopped{false};
};

}  // namespace flowgauge::remote
