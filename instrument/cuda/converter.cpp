// SPDX-License-Identifier: MIT
#include "instrument/cuda/converter.h"

#include "collector/buffer/interned.h"
#include "collector/buffer/recorder.h"
#include "collector/buffer/text.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "instrument/cuda/calls.h"

#include <cstring>

namespace flowgauge::cuda {
namespace {

/// How many events go between two looks at the ring: half of the smallest ring a thread has by default.
constexpr std::uint32_t eventsPerLook = 2048;
constexpr std::uint32_t patienceMs = 1000;
constexpr Nanos slackNs = 10'000'000'000;  ///< a time further outside of the recording is none

constinit buffer::Interned<NameClass::Kernel, 16384> kernelNames;
constinit buffer::Interned<NameClass::Other, 1024> otherNames;

bool isKernel(Activity kind) { return kind == Activity::ConcurrentKernel || kind == Activity::Kernel; }

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(static_cast<std::int32_t>(value)); }

/// CUpti_ActivityOverheadKind: what CUPTI costs the program. The others are CUDA's own (compiler, lazy loading, UVM).
std::string_view overheadName(std::uint64_t type)
{
    switch (type) {
        case 1U << 16:
            return "CUPTI: buffer flush";
        case 2U << 16:
            return "CUPTI: instrumentation";
        case 3U << 16:
            return "CUPTI: resources";
        case 6U << 16:
            return "CUPTI: command buffer full";
        case 7U << 16:
            return "CUPTI: buffer request";
        default:
            return {};
    }
}

}  // namespace

void Converter::use(const Cupti& cupti, const Strides& strides)
{
    m_cupti = &cupti;
    m_strides = strides;
}

void Converter::nameKernels(std::uint8_t* buffer, std::size_t validBytes) const
{
    const Strides& strides = m_strides;
    static_cast<void>(walkRecords(m_cupti->nextRecord, buffer, validBytes, [&strides](std::uint8_t* at) {
        std::uint32_t kind;
        std::memcpy(&kind, at, sizeof kind);
        if (!isKernel(static_cast<Activity>(kind)) || strides.of(static_cast<Activity>(kind)) == 0) return;
        const char* text;
        std::memcpy(&text, at + field::Kernel::name.offset, sizeof text);
        const NameKey key = text == nullptr ? 0 : kernelNames.keyOf({text, std::strlen(text)});
        std::memcpy(at + field::Kernel::name.offset, &key, sizeof key);
    }));
}

void Converter::take(const BufferPool::Full& full)
{
    const bool whole = walkRecords(m_cupti->nextRecord, full.buffer, full.validBytes, [this](const std::uint8_t* at) { takeOne(at); });
    if (!whole) buffer::lose(DropReason::GpuRecord);
}

void Converter::takeOne(const std::uint8_t* at)
{
    const auto kind = Record(at, 4).kind();
    const Record record(at, m_strides.of(kind));
    switch (m_strides.of(kind) == 0 ? Activity{} : kind) {
        case Activity::Kernel:
        case Activity::ConcurrentKernel:
            return takeKernel(record);
        case Activity::Memcpy:
        case Activity::MemcpyPeer:
        case Activity::Memset:
            return takeTransfer(record);
        case Activity::Driver:
        case Activity::Runtime:
            return takeCall(record);
        case Activity::Synchronization:
            return takeSynchronization(record);
        case Activity::Overhead:
            return takeOverhead(record);
        case Activity::GraphTrace:
            return takeGraph(record);
    }
    buffer::lose(DropReason::GpuRecord);  // a kind that nobody asked for, or one whose size is not understood
}

/// Counts and refuses times that cannot be: none at all (CUPTI ran out of memory on the device), an end before its begin, one far outside
/// of the recording (a single record may be off by 1e14 ns when somebody changes CUPTI's clock, pytorch #192021).
bool Converter::timeOf(const Record& record, Field start, Field end, When& into) const
{
    const std::uint64_t from = record.read(start), to = record.read(end);
    const bool stillRuns = m_lastFlush != 0 && from != 0 && to == 0;
    if (from == 0 || (to == 0 && !stillRuns) || (to < from && !stillRuns)) return buffer::lose(DropReason::GpuRecord), false;
    into.span.begin = m_line.at(from);
    into.span.end = stillRuns ? m_lastFlush : m_line.at(to);
    into.flags = stillRuns ? static_cast<std::uint16_t>(flagIncomplete) : std::uint16_t{0};
    if (into.span.end < into.span.begin) into.span.end = into.span.begin;
    if (m_line.holds(into.span.begin, slackNs) && m_line.holds(into.span.end, slackNs)) return true;
    return buffer::lose(DropReason::GpuRecord), false;
}

void Converter::put(const When& when, const Event& event)
{
    if (++m_sinceRoom == eventsPerLook) {
        m_sinceRoom = 0;
        buffer::awaitRoom(eventsPerLook, patienceMs);
    }
    Event flagged = event;
    flagged.flags |= when.flags;
    m_events += 1;
    buffer::record(flagged);
}

void Converter::takeKernel(const Record& record)
{
    namespace its = field::Kernel;
    When when{};
    if (!timeOf(record, its::start, its::end, when)) return;
    put(when, kernel(when.span, record.read(its::name),
                     {number(record.read(its::device)), number(record.read(its::stream)), record.read(its::correlation)},
                     record.read(its::context)));
}

void Converter::takeTransfer(const Record& record)
{
    namespace copy = field::Memcpy;
    const Activity kind = record.kind();
    When when{};
    if (!timeOf(record, copy::start, copy::end, when)) return;  // all three have their times, device and stream in one place
    const Field correlation = kind == Activity::MemcpyPeer ? field::MemcpyPeer::correlation : copy::correlation;
    const GpuPlace place{number(record.read(copy::device)), number(record.read(copy::stream)), record.read(correlation)};
    const bool isFill = kind == Activity::Memset;
    put(when, gpuTransfer(when.span, isFill ? Kind::GpuFill : Kind::GpuCopy, record.read(copy::bytes), place,
                          record.read(isFill ? field::Memset::value : copy::direction)));
}

void Converter::takeCall(const Record& record)
{
    namespace its = field::Api;
    const auto id = static_cast<std::uint32_t>(record.read(its::id));
    const bool isRuntime = record.kind() == Activity::Runtime;
    if (!(isRuntime ? holds(runtimeCalls, id) : holds(driverCalls, id))) return;  // where single calls could not be chosen
    When when{};
    if (!timeOf(record, its::start, its::end, when)) return;
    const char* name = nullptr;
    if (m_cupti->callbackName != nullptr) m_cupti->callbackName(isRuntime ? domainRuntime : domainDriver, id, &name);
    const NameKey key = name == nullptr ? 0 : otherNames.keyOf(name);
    if (m_sinceRoom++ == eventsPerLook) m_sinceRoom = 0, buffer::awaitRoom(eventsPerLook, patienceMs);
    m_events += 1;
    buffer::recordFor(static_cast<std::uint32_t>(record.read(its::thread)),
                      gpuApi(when.span, key, number(record.read(its::result)), record.read(its::correlation)));
}

void Converter::takeSynchronization(const Record& record)
{
    namespace its = field::Synchronization;
    When when{};
    if (!timeOf(record, its::start, its::end, when)) return;
    // The record names no device; streams and contexts are numbered through all devices.
    put(when, gpuSync(when.span, record.read(its::type), {-1, number(record.read(its::stream)), record.read(its::correlation)},
                      record.read(its::context)));
}

void Converter::takeOverhead(const Record& record)
{
    namespace its = field::Overhead;
    const std::string_view name = overheadName(record.read(its::type));
    When when{};
    if (name.empty() || !timeOf(record, its::start, its::end, when)) return;
    m_overheadNs += static_cast<double>(record.read(its::end) - record.read(its::start));
    put(when, range(when.span, otherNames.keyOf(name), otherNames.keyOf("flowgauge"), 0, 0));
}

void Converter::takeGraph(const Record& record)
{
    namespace its = field::GraphTrace;
    When when{};
    if (!timeOf(record, its::start, its::end, when)) return;
    buffer::Text<32> name;
    name.add("CUDA graph ").add(record.read(its::graph));
    put(when, kernel(when.span, otherNames.keyOf({name.text(), name.length()}),
                     {number(record.read(its::device)), number(record.read(its::stream)), record.read(its::correlation)},
                     record.read(its::context)));
}

Nanos Converter::takeOverheadNs()
{
    const auto taken = static_cast<Nanos>(m_overheadNs);
    m_overheadNs = 0;
    return taken;
}

void Converter::forgetNames()
{
    kernelNames.forgetAfterFork();
    otherNames.forgetAfterFork();
}

}  // namespace flowgauge::cuda
