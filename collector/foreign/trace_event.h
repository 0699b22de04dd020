// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace flowgauge::foreign {

/// The members of an event's "args" that we understand, as Kineto spells them (libkineto/include/MetadataFieldCatalog.h).
enum class TraceArg : std::uint8_t {
    Correlation,
    Device,
    Stream,
    Context,
    Bytes,
    Size,  ///< of a hipMemcpy, as AMD's runtime calls tell it; their copies do not
    CollectiveName,
    InElements,
    OutElements,
    GroupSize,
    DataType,
    GroupName,
    GroupRanks,
    Sequence,
    SyncKind,
    Label,      ///< of the metadata that names a process or thread
    InputDims,  ///< of a Gloo operation
    InputTypes,
    SourceRank,
    TargetRank,
    CopyKind,  ///< "HtoD": AMD
};
inline constexpr std::array<std::string_view, 21> traceArgNames{"correlation",
                                                                "device",
                                                                "stream",
                                                                "context",
                                                                "bytes",
                                                                "size",
                                                                "Collective name",
                                                                "In msg nelems",
                                                                "Out msg nelems",
                                                                "Group size",
                                                                "dtype",
                                                                "Process Group Name",
                                                                "Process Group Ranks",
                                                                "Seq",
                                                                "cuda_sync_kind",
                                                                "name",
                                                                "Input Dims",
                                                                "Input type",
                                                                "Src Rank",
                                                                "Dst Rank",
                                                                "kind"};

/// One element of traceEvents, all of it as text: numbers keep every digit that the file has. "" where a member is missing.
struct TraceEvent {
    std::string phase, category, name, process, thread, begin, duration;
    std::array<std::string, traceArgNames.size()> args;

    [[nodiscard]] const std::string& arg(TraceArg which) const { return args[static_cast<std::size_t>(which)]; }
    void clear();
};

/// Who takes what a trace holds, in the order of the file.
class TraceSink {
public:
    virtual ~TraceSink() = default;
    virtual void event(const TraceEvent& event) = 0;
    /// A value beside the events: {"distributedInfo": {"rank": 3}} is ("distributedInfo", "rank", "3"). Deeper ones are left out.
    virtual void header(std::string_view key, std::string_view inner, std::string_view value) = 0;
};

}  // namespace flowgauge::foreign
