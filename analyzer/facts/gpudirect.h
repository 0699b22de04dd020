// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// Whether the network card reads and writes the GPUs' memory itself (GPUDirect RDMA), or data waits in the hosts' memory on its way.
enum class GpuDirectUse : std::uint8_t { Unknown, Used, Staged, Mixed };
/// "used", "staged through host", "mixed", "unknown".
[[nodiscard]] std::string_view nameOf(GpuDirectUse use);

/// NCCL's connections over one network in one direction, all channels.
struct NetConnections {
    std::string network;  ///< as NCCL names it: IB, Socket, OFI, IBext_v8 ...
    bool sends = false;
    std::int64_t direct = 0, staged = 0;
    friend bool operator==(const NetConnections&, const NetConnections&) = default;
};

/// The verdict and what it rests on. Capability alone is never a verdict: a card that could may not, and a missing module does not
/// mean that nothing else (DMA-BUF) does it.
struct GpuDirect {
    GpuDirectUse use = GpuDirectUse::Unknown;
    std::vector<NetConnections> connections;  ///< in order of first sight
    bool spoken = false;                      ///< NCCL printed something
    std::vector<std::string> evidence;        ///< sentences, the strongest first; with an unknown verdict: why

    [[nodiscard]] std::int64_t direct() const;
    [[nodiscard]] std::int64_t staged() const;
};

/// What NCCL says with NCCL_DEBUG=INFO, line by line as the job printed it. Lines of many ranks may be torn and run into each other: a
/// message that does not end as NCCL ends it counts for nothing.
class GpuDirectLog {
public:
    void take(std::string_view line);
    /// Nothing of NCCL was seen at all.
    [[nodiscard]] bool silent() const { return m_lines == 0; }
    /// capabilities: lines of the ledger about GPUDirect, of all hosts.
    [[nodiscard]] GpuDirect verdict(const std::vector<std::string>& capabilities = {}) const;

private:
    void takeConnection(std::string_view before, std::string_view way);
    void takeDecision(std::string_view message);
    std::int64_t m_lines = 0, m_torn = 0, m_cutOff = 0;
    std::vector<NetConnections> m_connections;
    struct Said {
        std::string text;
        std::int64_t times = 0;
    };
    std::vector<Said> m_said;  ///< capabilities and decisions, each text once
};

/// From what the job printed and what the ledger says of the hosts.
[[nodiscard]] GpuDirect gpuDirectOf(store::RunStore& store);

}  // namespace flowgauge::facts
