// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/collective_text.h"
#include "collector/foreign/imported_file.h"
#include "collector/foreign/run_writer.h"
#include "collector/foreign/trace_event.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace flowgauge::foreign {

/// What a PyTorch profiler's trace says of its process, beside the events.
struct KinetoHeader {
    std::optional<std::int64_t> rank, worldSize;
    std::string host, program, backend;
    std::int64_t pid = 0;
    std::int64_t droppedByProfiler = 0;  ///< "Out-of-range = N" of its own log
};

/// Turns the events of one PyTorch profiler trace (Kineto; Chrome JSON) into those of a run. Only kernel, memcpy and memset are work
/// of the GPU; the twins of annotations on GPU rows are none. Python frames and operators come along only on request: they are most of
/// a trace, and no fact needs them.
class KinetoImport : public TraceSink {
public:
    /// toRunNs: add to a time of the file to get run time. rank: what the user says, or the file's name.
    KinetoImport(RunWriter& writer, Nanos toRunNs, std::optional<std::int64_t> rank, bool hostFrames);

    void event(const TraceEvent& event) override;
    void header(std::string_view key, std::string_view inner, std::string_view value) override;
    void finish();  ///< after the last event: what had to wait for it

    [[nodiscard]] const KinetoHeader& header() const { return m_header; }
    [[nodiscard]] std::int64_t leftOut() const { return m_leftOut; }            ///< operators and frames that were not asked for
    [[nodiscard]] std::int64_t misdated() const { return m_misdated; }          ///< events without a begin
    [[nodiscard]] std::int64_t withoutBytes() const { return m_withoutBytes; }  ///< copies that do not tell their size
    [[nodiscard]] bool sequenced() const { return m_sequenced; }                ///< collectives say their place in their group

private:
    using Take = void (KinetoImport::*)(const TraceEvent&, Interval);
    struct Category;
    static const std::array<Category, 22> categories;

    [[nodiscard]] std::optional<Interval> timeOf(const TraceEvent& event);
    void metadata(const TraceEvent& event);
    void takeKernel(const TraceEvent& event, Interval when);
    void takeCopy(const TraceEvent& event, Interval when);
    void takeFill(const TraceEvent& event, Interval when);
    void takeSync(const TraceEvent& event, Interval when);
    void takeCall(const TraceEvent& event, Interval when);
    void takeAnnotation(const TraceEvent& event, Interval when);
    void takeFrame(const TraceEvent& event, Interval when);
    void takeCollective(const TraceEvent& event, const store::StoredEvent& kernel, std::int64_t thread);
    void takeHostCollective(const TraceEvent& event, Interval when, Kind kind);
    [[nodiscard]] bool takeStep(const TraceEvent& event, Interval when);

    struct Waiting {
        store::StoredEvent event;
        std::int64_t thread;
        bool sequenced;
    };

    RunWriter& m_writer;
    Nanos m_toRunNs;
    std::optional<std::int64_t> m_rank;
    bool m_hostFrames;
    KinetoHeader m_header;
    std::vector<Waiting> m_collectives;
    std::map<std::int64_t, CollectiveText> m_groups;              ///< by communicator
    std::unordered_map<std::uint64_t, std::int64_t> m_copySizes;  ///< by correlation: a hipMemcpy that waits for its copy
    std::set<std::int64_t> m_steps;
    std::int64_t m_leftOut = 0, m_misdated = 0, m_withoutBytes = 0;
    bool m_sequenced = true;
};

}  // namespace flowgauge::foreign
