// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace flowgauge::foreign {

/// Puts one process's events into a run: finds its tracks, keeps a few events of each back so that the store gets them in batches.
/// Inside a Transaction of the store; finish() before its commit.
class RunWriter {
public:
    RunWriter(store::RunStore& store, store::Id host, store::Id process) : m_store(store), m_host(host), m_process(process) {}

    /// thread: a host thread, or streamThread() for events of the lane gpu.
    void put(std::int64_t thread, const store::StoredEvent& event);
    void finish();

    [[nodiscard]] store::Id name(std::string_view text) { return m_store.name(text); }
    [[nodiscard]] store::Id process() const { return m_process; }
    [[nodiscard]] store::RunStore& store() { return m_store; }
    [[nodiscard]] std::int64_t events() const { return m_events; }
    [[nodiscard]] std::int64_t eventsOf(Kind kind) const { return m_kinds[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] Interval extent() const { return m_extent; }

private:
    struct Waiting {
        store::Id track = 0;
        std::vector<store::StoredEvent> events;
    };

    store::RunStore& m_store;
    store::Id m_host, m_process;
    std::map<std::pair<Lane, std::int64_t>, Waiting> m_waiting;
    std::int64_t m_events = 0;
    std::array<std::int64_t, kindCount> m_kinds{};
    Interval m_extent;
};

}  // namespace flowgauge::foreign
