// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/event.h"

namespace flowgauge {

/// The one way to fill an Event: `detail::event(kind, ...)` is private to the makers below, so that no caller writes arg[2].
namespace detail {
struct Span {
    Ticks begin, end;
};
[[nodiscard]] constexpr Event event(Span span, Kind kind, std::uint16_t flags, std::array<std::uint64_t, 4> arg, std::uint64_t link = 0)
{
    return Event{span.begin, span.end, link, 0, kind, flags, arg};
}
[[nodiscard]] constexpr std::uint64_t word(std::int64_t value) { return static_cast<std::uint64_t>(value); }
}  // namespace detail

using Span = detail::Span;  ///< begin and end of an event in ticks

/// A file access: where in which file, what came back (bytes or -errno), what was asked for.
struct FileAccess {
    NameKey file;
    std::int64_t offset;  ///< -1: unknown
    std::int64_t result;  ///< bytes, or -errno
    std::uint64_t requested;
};

[[nodiscard]] constexpr std::uint16_t withFailure(std::uint16_t flags, std::int64_t result)
{
    return result < 0 ? static_cast<std::uint16_t>(flags | flagFailed) : flags;
}

/// kind: FileRead, FileWrite, FileCopy.
[[nodiscard]] constexpr Event fileTransfer(Span span, Kind kind, const FileAccess& access, std::uint16_t flags = 0)
{
    return detail::event(span, kind, withFailure(flags, access.result),
                         {access.file, detail::word(access.offset), detail::word(access.result), access.requested});
}
[[nodiscard]] constexpr Event fileOpen(Span span, NameKey file, std::uint64_t openFlags, std::int64_t fd)
{
    return detail::event(span, Kind::FileOpen, withFailure(0, fd), {file, openFlags, detail::word(fd), 0});
}
[[nodiscard]] constexpr Event fileClose(Span span, NameKey file, std::int64_t fd, std::int64_t result)
{
    return detail::event(span, Kind::FileClose, withFailure(0, result), {file, detail::word(fd), detail::word(result), 0});
}
[[nodiscard]] constexpr Event fileMap(Span span, NameKey file, std::int64_t offset, std::int64_t bytes, std::uint64_t protection)
{
    return detail::event(span, Kind::FileMap, withFailure(0, bytes), {file, detail::word(offset), detail::word(bytes), protection});
}
[[nodiscard]] constexpr Event fileUnmap(Span span, NameKey file, std::int64_t offset, std::int64_t bytes)
{
    return detail::event(span, Kind::FileUnmap, 0, {file, detail::word(offset), detail::word(bytes), 0});
}
[[nodiscard]] constexpr Event fileAdvise(Span span, NameKey file, std::int64_t offset, std::uint64_t bytes, std::int64_t advice)
{
    return detail::event(span, Kind::FileAdvise, 0, {file, detail::word(offset), bytes, detail::word(advice)});
}
[[nodiscard]] constexpr Event fileSync(Span span, NameKey file, std::int64_t result)
{
    return detail::event(span, Kind::FileSync, withFailure(0, result), {file, 0, detail::word(result), 0});
}
/// operation: 0 read, 1 write, 2 sync. access.result: bytes, or -errno; bytes asked for where the completion was not seen.
[[nodiscard]] constexpr Event fileSubmit(Span span, const FileAccess& access, std::int64_t operation, std::uint16_t flags)
{
    return detail::event(span, Kind::FileSubmit, flags,
                         {access.file, detail::word(access.offset), detail::word(access.result), detail::word(operation)});
}

/// One collective call of one rank. root: -1 where the operation has none.
struct Collective {
    std::uint64_t comm;
    std::uint64_t bytes;
    std::uint64_t sequence;  ///< per communicator, from 0, equal on all ranks
    std::int64_t root;
};
/// kind: one for which isCollective holds.
[[nodiscard]] constexpr Event collective(Span span, Kind kind, const Collective& call, std::uint16_t flags)
{
    return detail::event(span, kind, flags, {call.comm, call.bytes, call.sequence, detail::word(call.root)});
}
/// kind: Send, Recv, RmaPut, RmaGet. peer: rank in the communicator, -1 unknown.
struct PointToPoint {
    std::uint64_t comm;
    std::uint64_t bytes;
    std::int64_t peer;
    std::int64_t tag;
};
[[nodiscard]] constexpr Event pointToPoint(Span span, Kind kind, const PointToPoint& call, std::uint16_t flags)
{
    return detail::event(span, kind, flags, {call.comm, call.bytes, detail::word(call.peer), detail::word(call.tag)});
}
[[nodiscard]] constexpr Event mpiWait(Span span, std::uint64_t requests, std::uint64_t completed)
{
    return detail::event(span, Kind::MpiWait, flagMpi, {requests, completed, 0, 0});
}
[[nodiscard]] constexpr Event mpiInit(Span span, std::uint64_t size, std::int64_t rank, std::int64_t level)
{
    return detail::event(span, Kind::MpiInit, flagMpi, {size, detail::word(rank), detail::word(level), 0});
}
[[nodiscard]] constexpr Event mpiFinalize(Span span) { return detail::event(span, Kind::MpiFinalize, flagMpi, {0, 0, 0, 0}); }
/// A communicator as one of its ranks sees it.
struct Membership {
    std::uint64_t comm;
    std::int64_t rank;
    std::uint64_t size;
    NameKey name;  ///< 0: it has none
};
[[nodiscard]] constexpr Event communicator(Ticks at, const Membership& mine, std::uint16_t flags)
{
    return detail::event({at, at}, Kind::Communicator, flags, {mine.comm, detail::word(mine.rank), mine.size, mine.name});
}

[[nodiscard]] constexpr Event epochStart(Ticks at, std::int64_t number)
{
    return detail::event({at, at}, Kind::EpochStart, 0, {detail::word(number), 0, 0, 0});
}
[[nodiscard]] constexpr Event epochMark(Span span, std::int64_t number, std::uint64_t samples)
{
    return detail::event(span, Kind::EpochMark, 0, {detail::word(number), samples, 0, 0});
}
[[nodiscard]] constexpr Event stepMark(Span span, std::int64_t number, std::uint64_t samples)
{
    return detail::event(span, Kind::StepMark, 0, {detail::word(number), samples, 0, 0});
}
[[nodiscard]] constexpr Event phaseStart(Ticks at, NameKey name) { return detail::event({at, at}, Kind::PhaseStart, 0, {name, 0, 0, 0}); }
[[nodiscard]] constexpr Event phaseMark(Span span, NameKey name) { return detail::event(span, Kind::PhaseMark, 0, {name, 0, 0, 0}); }

/// Where on a GPU something happened. stream: CUPTI's number.
struct GpuPlace {
    std::int64_t device;
    std::int64_t stream;
    std::uint64_t link;  ///< correlation id
};
[[nodiscard]] constexpr Event kernel(Span span, NameKey name, GpuPlace place, std::uint64_t context)
{
    Event event = detail::event(span, Kind::Kernel, 0, {name, detail::word(place.device), detail::word(place.stream), context});
    event.link = place.link;
    return event;
}
/// kind: GpuCopy or GpuFill. last: the direction, or the value.
[[nodiscard]] constexpr Event gpuTransfer(Span span, Kind kind, std::uint64_t bytes, GpuPlace place, std::uint64_t last)
{
    Event event = detail::event(span, kind, 0, {bytes, detail::word(place.device), detail::word(place.stream), last});
    event.link = place.link;
    return event;
}
[[nodiscard]] constexpr Event gpuSync(Span span, std::uint64_t type, GpuPlace place, std::uint64_t context)
{
    Event event = detail::event(span, Kind::GpuSync, 0, {type, detail::word(place.device), detail::word(place.stream), context});
    event.link = place.link;
    return event;
}
[[nodiscard]] constexpr Event gpuApi(Span span, NameKey name, std::int64_t result, std::uint64_t link)
{
    Event event = detail::event(span, Kind::GpuApi, 0, {name, detail::word(result), 0, 0});
    event.link = link;
    return event;
}
[[nodiscard]] constexpr Event range(Span span, NameKey name, NameKey domain, std::int64_t payload, std::uint64_t category)
{
    return detail::event(span, Kind::Range, 0, {name, domain, detail::word(payload), category});
}

/// Where what is known of a NCCL operation comes from; each knows less than the one before it.
enum class NcclSource : std::uint8_t { ProfilerPlugin, Interposed, Nvtx, KernelName };
struct CommWay {
    NameKey algorithm;
    std::int64_t protocol;   ///< 0 LL, 1 LL128, 2 Simple, -1 not known
    std::uint64_t channels;  ///< 0 not known
    NcclSource source;
};
[[nodiscard]] constexpr Event commDetail(Span span, const CommWay& way, std::uint64_t link)
{
    Event event = detail::event(span, Kind::CommDetail, flagNccl,
                                {way.algorithm, detail::word(way.protocol), way.channels, static_cast<std::uint64_t>(way.source)});
    event.link = link;
    return event;
}
/// What one proxy operation of NCCL moved for the operation that has the same link, and how long its steps waited.
struct CommWire {
    std::uint64_t bytes;  ///< payload on the network, protocol overhead included
    std::int64_t peer;    ///< rank in the communicator
    bool received;
    std::uint64_t channel;
};
[[nodiscard]] constexpr Event commWire(Span span, const CommWire& wire, std::uint64_t link)
{
    return detail::event(span, Kind::CommWire, flagNccl,
                         {wire.bytes, detail::word(wire.peer), static_cast<std::uint64_t>(wire.received), wire.channel}, link);
}
struct CommWait {
    Ticks gpu;      ///< for the GPU: data to send, or room to receive into
    Ticks peer;     ///< a sender's wait until the receiver is ready
    Ticks network;  ///< from posting to completion
    std::uint64_t steps;
};
[[nodiscard]] constexpr Event commWait(Span span, const CommWait& wait, std::uint64_t link)
{
    return detail::event(span, Kind::CommWait, flagNccl, {wait.gpu, wait.peer, wait.network, wait.steps}, link);
}

/// value is the raw counter in its own unit (see counters.def); source names the place: "eth0", "mlx5_0/1", "/data".
[[nodiscard]] constexpr Event counterSample(Ticks at, Counter counter, NameKey source, std::uint64_t value)
{
    return detail::event({at, at}, Kind::CounterSample, 0, {static_cast<std::uint64_t>(counter), source, value, 0});
}

/// What a connection has moved since it was made; -1: not told.
struct SocketTotals {
    NameKey socket;
    std::int64_t sent, received, resent;
};
/// span: from the reading before to this one; without a length the connection was found open, or, where nothing has moved, begins.
/// cookie: the kernel's number of the socket.
[[nodiscard]] constexpr Event socketBytes(Span span, const SocketTotals& totals, std::uint64_t cookie)
{
    return detail::event(span, Kind::SocketBytes, 0,
                         {totals.socket, detail::word(totals.sent), detail::word(totals.received), detail::word(totals.resent)}, cookie);
}
/// In us; -1: not told.
struct SocketLimitsUs {
    std::int64_t rtt, busy, receiver, buffer;
};
[[nodiscard]] constexpr Event socketLimits(Span span, const SocketLimitsUs& limits, std::uint64_t cookie)
{
    return detail::event(span, Kind::SocketLimits, 0,
                         {detail::word(limits.rtt), detail::word(limits.busy), detail::word(limits.receiver), detail::word(limits.buffer)},
                         cookie);
}

[[nodiscard]] constexpr Event clockAnchor(Ticks at, std::int64_t rawNs, std::int64_t realtimeNs, std::int64_t errorNs)
{
    return detail::event({at, at}, Kind::ClockAnchor, 0, {detail::word(rawNs), detail::word(realtimeNs), detail::word(errorNs), 0});
}
/// An answer of another host's clock. Times of that host are CLOCK_MONOTONIC_RAW.
struct ClockAnswer {
    NameKey host;
    Nanos received, answered;
    Ticks spent;
};
/// span: from before the question to behind its answer.
[[nodiscard]] constexpr Event clockExchange(Span span, const ClockAnswer& answer)
{
    return detail::event(span, Kind::ClockExchange, 0,
                         {answer.host, detail::word(answer.received), detail::word(answer.answered), answer.spent});
}
[[nodiscard]] constexpr Event threadStart(Ticks at, std::uint64_t thread, NameKey name)
{
    return detail::event({at, at}, Kind::ThreadStart, 0, {thread, name, 0, 0});
}
[[nodiscard]] constexpr Event nameText(Ticks at, NameKey key, NameClass nameClass, std::uint64_t length)
{
    return detail::event({at, at}, Kind::NameText, 0, {key, static_cast<std::uint64_t>(nameClass), length, 0});
}

}  // namespace flowgauge
