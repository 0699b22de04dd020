// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/cpu.h"
#include "collector/sample/data_set.h"
#include "collector/sample/disk.h"
#include "collector/sample/ethtool.h"
#include "collector/sample/file_systems.h"
#include "collector/sample/gpu.h"
#include "collector/sample/infiniband.h"
#include "collector/sample/memory.h"
#include "collector/sample/nfs.h"
#include "collector/sample/nic.h"
#include "collector/sample/queue_pairs.h"

namespace flowgauge::sample {

/// All samplers of a host and what they work with. Lives in memory of its own; one thread uses it at a time.
class HostSamplers {
public:
    /// Maps one from the kernel (about 2 MiB, touched as needed), or nullptr. spoolFolder: where the job's processes tell what they open.
    [[nodiscard]] static HostSamplers* make(std::string_view root, const Outlet& outlet, std::string_view spoolFolder = {});
    /// Closes its files and gives its memory back.
    static void discard(HostSamplers* samplers);

    /// Opens every source and tells the ledger what is there.
    void open(Nanos nowNs);
    /// Reads every source whose least period has passed. nowNs: monotonic.
    void sample(Nanos nowNs);
    /// Reads every source once more, due or not: what happened since its last reading would be missing. Nothing may follow it.
    void sampleLast(Nanos nowNs);
    /// The sampler's own counters.
    void putOwn(Nanos lateNs, Nanos passNs);

    HostSamplers(const HostSamplers&) = delete;
    HostSamplers& operator=(const HostSamplers&) = delete;

private:
    HostSamplers(std::string_view root, const Outlet& outlet) : m_root(root), m_sink(outlet, hostFactMark) {}
    [[nodiscard]] Pass pass() { return {m_root, m_scratch, m_sources, m_sink}; }

    SysRoot m_root;
    Scratch m_scratch;
    SourceTable m_sources;
    CounterSink m_sink;
    DataSetSampler m_dataSet;
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) \
    type m_##member;                                             \
    Nanos m_##member##DueNs = 0;
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
};

}  // namespace flowgauge::sample
