// SPDX-License-Identifier: MIT
#include "collector/foreign/kineto_import.h"

#include "collector/foreign/microseconds.h"
#include "collector/store/ingest_rows.h"

#include <algorithm>
#include <array>

namespace flowgauge::foreign {
namespace {

using store::StoredEvent;

/// Where on a GPU an event stands: its own arguments, else the row it is drawn on ("stream 7" in old files).
struct Place {
    std::int64_t device, stream;
    [[nodiscard]] std::int64_t thread() const { return streamThread(device, stream); }
};
Place placeOf(const TraceEvent& event)
{
    const auto either = [](std::optional<std::int64_t> first, std::string_view second) {
        return first ? *first : numberIn(second).value_or(0);
    };
    return {either(numberIn(event.arg(TraceArg::Device)), event.process), either(numberIn(event.arg(TraceArg::Stream)), event.thread)};
}

std::uint64_t correlationOf(const TraceEvent& event)
{
    return static_cast<std::uint64_t>(numberIn(event.arg(TraceArg::Correlation)).value_or(0));
}
std::int64_t threadOf(const TraceEvent& event) { return numberIn(event.thread).value_or(0); }

/// As CUPTI numbers them (CUpti_ActivityMemcpyKind), from "Memcpy HtoD (Pageable -> Device)" or AMD's own word.
std::int64_t directionOf(const TraceEvent& event)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> directions{
        {{"HtoD", 1}, {"DtoH", 2}, {"DtoD", 8}, {"HtoH", 9}, {"PtoP", 10}}};
    for (const auto& [word, number] : directions)
        if (event.name.find(word) != std::string::npos || event.arg(TraceArg::CopyKind) == word) return number;
    return 0;
}

/// As CUPTI numbers them (CUpti_ActivitySynchronizationType).
std::int64_t syncTypeOf(const TraceEvent& event)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> types{
        {{"Event Sync", 1}, {"Stream Wait Event", 2}, {"Stream Sync", 3}, {"Context Sync", 4}}};
    for (const auto& [word, number] : types)
        if (event.name.starts_with(word) || event.arg(TraceArg::SyncKind) == word) return number;
    return 0;
}

}  // namespace

/// What becomes of the events of a category; whatever is in no row is drawing (flows, spans, twins on GPU rows) or CUPTI's own cost.
struct KinetoImport::Category {
    std::string_view name;
    Take take;
};
const std::array<KinetoImport::Category, 22> KinetoImport::categories{{{"kernel", &KinetoImport::takeKernel},
                                                                       {"Kernel", &KinetoImport::takeKernel},
                                                                       {"gpu_memcpy", &KinetoImport::takeCopy},
                                                                       {"Memcpy", &KinetoImport::takeCopy},
                                                                       {"gpu_memset", &KinetoImport::takeFill},
                                                                       {"Memset", &KinetoImport::takeFill},
                                                                       {"cuda_sync", &KinetoImport::takeSync},
                                                                       {"cuda_runtime", &KinetoImport::takeCall},
                                                                       {"cuda_driver", &KinetoImport::takeCall},
                                                                       {"Runtime", &KinetoImport::takeCall},
                                                                       {"xpu_runtime", &KinetoImport::takeCall},
                                                                       {"xpu_driver", &KinetoImport::takeCall},
                                                                       {"mtia_runtime", &KinetoImport::takeCall},
                                                                       {"mtia_ccp_events", &KinetoImport::takeKernel},
                                                                       {"privateuse1_runtime", &KinetoImport::takeCall},
                                                                       {"privateuse1_driver", &KinetoImport::takeCall},
                                                                       {"user_annotation", &KinetoImport::takeAnnotation},
                                                                       {"cpu_op", &KinetoImport::takeFrame},
                                                                       {"Operator", &KinetoImport::takeFrame},
                                                                       {"operator", &KinetoImport::takeFrame},
                                                                       {"python_function", &KinetoImport::takeFrame},
                                                                       {"Python function", &KinetoImport::takeFrame}}};

KinetoImport::KinetoImport(RunWriter& writer, Nanos toRunNs, std::optional<std::int64_t> rank, bool hostFrames)
    : m_writer(writer), m_toRunNs(toRunNs), m_rank(rank), m_hostFrames(hostFrames)
{
}

std::optional<Interval> KinetoImport::timeOf(const TraceEvent& event)
{
    const auto begin = nanosOf(event.begin);
    if (!begin || *begin <= 0) {
        ++m_misdated;
        return std::nullopt;
    }
    const Nanos length = std::max<Nanos>(0, nanosOf(event.duration).value_or(0));
    return Interval{*begin + m_toRunNs, *begin + m_toRunNs + length};
}

void KinetoImport::event(const TraceEvent& event)
{
    if (event.phase == "M") return metadata(event);
    if (event.phase != "X") return;
    const auto category =
        std::find_if(categories.begin(), categories.end(), [&](const Category& row) { return row.name == event.category; });
    if (category == categories.end()) return;
    if (const auto when = timeOf(event)) (this->*category->take)(event, *when);
}

void KinetoImport::metadata(const TraceEvent& event)
{
    if (event.name != "process_name" || !m_header.program.empty()) return;
    // Processes are numbers; GPUs have names of their own there ("CPU", "GPU 0"), as labels or as this very name.
    if (event.arg(TraceArg::Label).empty() || event.arg(TraceArg::Label).starts_with("GPU")) return;
    m_header.program = event.arg(TraceArg::Label);
    if (m_header.pid == 0) m_header.pid = numberIn(event.process).value_or(0);
}

void KinetoImport::header(std::string_view key, std::string_view inner, std::string_view value)
{
    if (key == "distributedInfo" && inner == "rank" && !m_header.rank) m_header.rank = numberIn(value);
    if (key == "distributedInfo" && inner == "world_size") m_header.worldSize = numberIn(value);
    if (key == "distributedInfo" && inner == "backend") m_header.backend = value;
    if (key == "host_name" || key == "hostname") m_header.host = value;
    constexpr std::string_view outOfRange = "Out-of-range = ";
    if (const std::size_t at = value.find(outOfRange); at != std::string_view::npos)
        m_header.droppedByProfiler += numberIn(value.substr(at + outOfRange.size())).value_or(0);
}

void KinetoImport::takeKernel(const TraceEvent& event, Interval when)
{
    const Place place = placeOf(event);
    const StoredEvent kernel{when.begin,
                             when.end,
                             correlationOf(event),
                             Kind::Kernel,
                             0,
                             {m_writer.name(event.name), place.device, place.stream, numberIn(event.arg(TraceArg::Context)).value_or(0)}};
    m_writer.put(place.thread(), kernel);
    if (!event.arg(TraceArg::CollectiveName).empty()) takeCollective(event, kernel, place.thread());
}

void KinetoImport::takeCollective(const TraceEvent& event, const StoredEvent& kernel, std::int64_t thread)
{
    const auto text = collectiveOf(event, m_header.rank ? m_header.rank : m_rank);
    if (!text) return;
    // Without numbers, calls of two ranks cannot be told to be the same one: the communicator is then this rank's own.
    const std::string group = text->sequence ? text->group : text->group + " of process " + std::to_string(m_writer.process());
    const std::int64_t comm = communicatorId(group);
    const bool paired = text->kind == Kind::Send || text->kind == Kind::Recv;
    m_sequenced = m_sequenced && (text->sequence || paired);
    m_groups.try_emplace(comm, *text);
    StoredEvent call{kernel.begin, kernel.end, kernel.link, text->kind, flagNccl, {comm, static_cast<std::int64_t>(text->bytes), 0, -1}};
    if (paired)
        call.arg[2] = text->peer;
    else
        call.arg[2] = text->sequence.value_or(0);
    m_collectives.push_back({call, thread, text->sequence.has_value() || paired});
}

void KinetoImport::takeCopy(const TraceEvent& event, Interval when)
{
    const Place place = placeOf(event);
    const std::uint64_t correlation = correlationOf(event);
    auto bytes = numberIn(event.arg(TraceArg::Bytes));
    if (const auto size = m_copySizes.find(correlation); !bytes && size != m_copySizes.end()) {
        bytes = size->second;
        m_copySizes.erase(size);
    }
    if (!bytes) ++m_withoutBytes;
    m_writer.put(
        place.thread(),
        {when.begin, when.end, correlation, Kind::GpuCopy, 0, {bytes.value_or(0), place.device, place.stream, directionOf(event)}});
}

void KinetoImport::takeFill(const TraceEvent& event, Interval when)
{
    const Place place = placeOf(event);
    m_writer.put(place.thread(), {when.begin,
                                  when.end,
                                  correlationOf(event),
                                  Kind::GpuFill,
                                  0,
                                  {numberIn(event.arg(TraceArg::Bytes)).value_or(0), place.device, place.stream, 0}});
}

void KinetoImport::takeSync(const TraceEvent& event, Interval when)
{
    const Place place = placeOf(event);
    m_writer.put(place.thread(), {when.begin,
                                  when.end,
                                  correlationOf(event),
                                  Kind::GpuSync,
                                  0,
                                  {syncTypeOf(event), place.device, place.stream, numberIn(event.arg(TraceArg::Context)).value_or(0)}});
}

void KinetoImport::takeCall(const TraceEvent& event, Interval when)
{
    constexpr std::size_t mostSizes = 1 << 16;  // calls whose copy was never recorded must not gather
    if (m_header.pid == 0) m_header.pid = numberIn(event.process).value_or(0);
    const std::uint64_t correlation = correlationOf(event);
    if (const auto size = numberIn(event.arg(TraceArg::Size));
        size && event.name.starts_with("hipMemcpy") && m_copySizes.size() < mostSizes)
        m_copySizes[correlation] = *size;
    m_writer.put(threadOf(event), {when.begin, when.end, correlation, Kind::GpuApi, 0, {m_writer.name(event.name), 0, 0, 0}});
}

bool KinetoImport::takeStep(const TraceEvent& event, Interval when)
{
    constexpr std::string_view prefix = "ProfilerStep";
    if (!event.name.starts_with(prefix) || event.name.find('#') == std::string::npos) return false;
    const auto number = numberIn(std::string_view(event.name).substr(prefix.size()));
    if (!number) return false;
    if (m_steps.insert(*number).second) m_writer.put(threadOf(event), {when.begin, when.end, 0, Kind::StepMark, 0, {*number, 0, 0, 0}});
    return true;
}

void KinetoImport::takeAnnotation(const TraceEvent& event, Interval when)
{
    if (m_header.pid == 0) m_header.pid = numberIn(event.process).value_or(0);
    if (takeStep(event, when)) return;
    const bool onHost = event.name.starts_with("gloo:") || event.name.starts_with("mpi:");
    if (const auto kind = onHost ? kindOfCollective(event.name) : std::nullopt) takeHostCollective(event, when, *kind);
    m_writer.put(threadOf(event),
                 {when.begin, when.end, 0, Kind::Range, 0, {m_writer.name(event.name), m_writer.name("user_annotation"), 0, 0}});
}

void KinetoImport::takeHostCollective(const TraceEvent& event, Interval when, Kind kind)
{
    const std::string backend = event.name.substr(0, event.name.find(':'));
    const std::int64_t comm = communicatorId(backend + " of process " + std::to_string(m_writer.process()));
    const auto bytes = static_cast<std::int64_t>(bytesOfInputs(event.arg(TraceArg::InputDims), event.arg(TraceArg::InputTypes)));
    m_sequenced = false;
    m_collectives.push_back({{when.begin, when.end, 0, kind, 0, {comm, bytes, 0, -1}}, threadOf(event), false});
}

void KinetoImport::takeFrame(const TraceEvent& event, Interval when)
{
    if (takeStep(event, when)) return;
    if (!m_hostFrames) {
        ++m_leftOut;
        return;
    }
    m_writer.put(threadOf(event),
                 {when.begin, when.end, 0, Kind::Range, 0, {m_writer.name(event.name), m_writer.name(event.category), 0, 0}});
}

void KinetoImport::finish()
{
    std::stable_sort(m_collectives.begin(), m_collectives.end(),
                     [](const Waiting& left, const Waiting& right) { return left.event.begin < right.event.begin; });
    std::map<std::int64_t, std::int64_t> next;
    for (Waiting& waiting : m_collectives) {
        if (!waiting.sequenced) waiting.event.arg[2] = next[waiting.event.arg[0]]++;
        m_writer.put(waiting.thread, waiting.event);
    }
    store::IngestRows rows(m_writer.store().database());
    for (const auto& [comm, text] : m_groups)
        rows.putCommunicator(m_writer.process(), {static_cast<std::uint64_t>(comm), text.groupRank,
                                                  static_cast<std::uint64_t>(std::max<std::int64_t>(text.groupSize, 0)), text.groupName});
    m_writer.finish();
}

}  // namespace flowgauge::foreign
