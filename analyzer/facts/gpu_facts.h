// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/layout.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// One pass over the work of a group's GPUs, where there is any: compute becomes the union of kernels that are not communication,
/// communication that of NCCL's kernels and of MPI calls, copy that of copies and fills, whatever was marked on the host. NCCL's
/// calls last on the host until they are queued: their own time counts only where no NCCL kernel was recorded. Finds why GPUs stood idle,
/// where calls were recorded. Collectives take the spans of their kernels (kernel_spans.h). Also the extents of ranks, which reach over
/// all their tracks. One reader serves all groups: it looks at each kernel's name once.
class GpuReader {
public:
    GpuReader(store::RunStore& store, const Layout& layout) : m_store(store), m_layout(layout) {}
    void read(std::size_t group, const HostCommunication& host, RankFacts& rank);
    /// Names of kernels that speak of NCCL without being known: they count as compute.
    [[nodiscard]] std::vector<std::string> unclear() const { return {m_unclear.begin(), m_unclear.end()}; }

private:
    class Pass;
    /// Of a communication kernel what it carries; nothing for any other.
    [[nodiscard]] std::optional<Kind> carriedBy(store::Id name);

    store::RunStore& m_store;
    const Layout& m_layout;
    std::map<store::Id, std::optional<Kind>> m_carried;  ///< by name
    std::set<std::string> m_unclear;
};

/// How many ranks take part in each communicator, where that was told.
void readGroups(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks);

}  // namespace flowgauge::facts
