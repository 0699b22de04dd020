// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/trace_event.h"
#include "collector/record/kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flowgauge::foreign {

/// "_allgather_base", "all_to_allv", "reduce_scatter_tensor_coalesced", ... as PyTorch names its collectives; send and recv too.
/// Nothing for a name that says no operation.
[[nodiscard]] std::optional<Kind> kindOfCollective(std::string_view name);

/// Bytes of one element of a PyTorch type, as "Float", "c10::BFloat16" or "float"; 0 where the name is not known.
[[nodiscard]] std::uint64_t bytesOfType(std::string_view name);

/// One communication kernel's own account of what it carried.
struct CollectiveText {
    Kind kind = Kind::None;
    std::uint64_t bytes = 0;  ///< as kinds.def counts them for the kind
    std::string group;        ///< name and ranks: equal on all ranks of it
    std::string groupName;
    std::int64_t groupSize = 0;
    std::int64_t groupRank = -1;  ///< position of `rank` in the group's list; -1 where the list does not tell
    std::int64_t peer = -1;
    std::optional<std::int64_t> sequence;
};
/// Nothing where the event has no collective arguments.
[[nodiscard]] std::optional<CollectiveText> collectiveOf(const TraceEvent& kernel, std::optional<std::int64_t> rank);

/// Bytes of all inputs of an operation, from its lists of sizes and of types; 0 where they do not tell.
[[nodiscard]] std::uint64_t bytesOfInputs(std::string_view dims, std::string_view types);

/// Equal for equal groups on all ranks; positive, never 0.
[[nodiscard]] std::int64_t communicatorId(std::string_view group);

}  // namespace flowgauge::foreign
