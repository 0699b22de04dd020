// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/orders.h"
#include "collector/remote/recording.h"

#include <memory>
#include <vector>

/// Who is asked for counters beside a run: storage systems, managers of the fabric, and its ports themselves.
namespace flowgauge::remote {

/// Asks each server on a thread of its own, so that a slow one holds up nobody. Whatever goes wrong there is a line of the
/// ledger. The recorder must be enabled before start() and until stop() is done.
class Poller {
public:
    explicit Poller(const Outlet& outlet = recorderOutlet);
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;
    ~Poller();

    /// Throws Error for a path that the server cannot have, and where libcurl cannot be used.
    void start(const Orders& orders);
    /// Ends what is under way and waits for it: no longer than the machine needs to wake a thread, 50 ms for ports of a fabric.
    void stop();

private:
    struct Line;
    static void run(Line& line);
    const Outlet& m_outlet;
    std::vector<std::unique_ptr<Line>> m_lines;
};

}  // namespace flowgauge::remote
