// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/place.h"
#include "collector/remote/recording.h"
#include "collector/remote/source.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

/// Servers that are asked for their counters beside a run: storage systems and managers of the fabric.
namespace flowgauge::remote {

/// One server, as the user named it.
struct Orders {
    Place place;
    std::string password;
    std::filesystem::path ca, clientCertificate;
    bool insecure = false;
    std::chrono::seconds period{0};  ///< 0: as often as its numbers are new; never below 5 s
};

/// Asks each server on a thread of its own, so that a slow one holds up nobody. Whatever goes wrong there is a line of the
/// ledger. The recorder must be enabled before start() and until stop() is done.
class Poller {
public:
    explicit Poller(const Outlet& outlet = recorderOutlet) : m_outlet(outlet) {}
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;
    ~Poller() { stop(); }

    /// Throws Error for orders that cannot be carried out whatever the server says.
    void start(const Orders& orders);
    /// Ends what is under way and waits for it: no longer than the machine needs to wake a thread.
    void stop();

private:
    struct Line;
    static void run(Line& line);
    const Outlet& m_outlet;
    std::vector<std::unique_ptr<Line>> m_lines;
};

}  // namespace flowgauge::remote
