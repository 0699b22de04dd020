// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"
#include "collector/sample/port_answers.h"
#include "collector/sample/port_files.h"

namespace flowgauge::sample {

/// One counter of one port, found and opened. The files stay open: a read is one management command to the adapter.
struct PortCounter {
    ValueFile file, also;
    Source* source = nullptr;
    Counter counter = Counter::IbRxBytes;
    bool added = false;
    Nanos leastNs = 0;  ///< a twentieth less than asked for, so that a beat that comes a little early counts
    Nanos dueNs = 0;
    std::uint64_t value = 0;  ///< of the last read
    Nanos movedNs = 0;        ///< when it last changed

    /// When to read next, after a read at nowNs that gave `now`. A counter that stands still for a second is asked ten times
    /// a second until it moves: a node has many ports, and the idle ones should not cost their adapters a command a beat.
    void plan(Nanos nowNs, std::uint64_t now);
};

/// A port that is sampled: what is read of it once a second that is not a number.
struct PortWatch {
    Source* source = nullptr;
    RereadFile state, rate;
    bool ethernet = false;
};

/// The ports of InfiniBand, RoCE, Omni-Path, EFA and their like that are up. One file that cannot be read (EINVAL on
/// restricted functions, "N/A (no PMA)") costs that counter, never the port; it is not tried again before the next look,
/// since each refusal writes a line into the kernel's log.
class InfinibandSampler {
public:
    InfinibandSampler() : InfinibandSampler(rdmaKernel) {}
    explicit InfinibandSampler(const RdmaKernel& kernel) : m_answers(kernel) {}
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    void openDevice(const Pass& pass, std::string_view device);
    void openPort(const Pass& pass, std::string_view device, std::string_view port);
    [[nodiscard]] bool openCounter(const Pass& pass, Path& folder, const PortFile& row, Source& source);
    [[nodiscard]] bool mapOpen();
    void watchPort(const Pass& pass, Path& folder, Source& source);
    void putWatched(const Pass& pass);
    void tellAsked(const Pass& pass, std::string_view port, DataUnit unit, bool countsBytes) const;
    void tellUnit(const Pass& pass, std::string_view port, std::string_view driver, DataUnit unit, bool wide) const;

    static constexpr std::size_t mostCounters = 1024, mostPorts = 64;
    /// Everything that is open; mapped when there is a port.
    struct Open {
        std::array<PortCounter, mostCounters> counters;
        std::array<PortWatch, mostPorts> ports;
    };
    Open* m_open = nullptr;
    PortAnswers m_answers;  ///< of ports whose hw_counters /sys does not show
    std::size_t m_count = 0, m_watched = 0;
    Nanos m_watchDueNs = 0;
    bool m_stale = false;  ///< a device went away: look again
    Nanos m_lookedNs = 0;
    int m_ports = 0, m_down = 0;
};

}  // namespace flowgauge::sample
