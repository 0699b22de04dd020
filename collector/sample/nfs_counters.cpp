// SPDX-License-Identifier: MIT
#include "collector/sample/nfs_counters.h"

namespace flowgauge::sample {
namespace {

/// A counter and the number of a record that it is.
struct MountRow {
    Counter counter;
    MaybeNumber (*number)(const NfsMount& mount);
};

template <BytesField field>
MaybeNumber bytesOf(const NfsMount& mount)
{
    return mount.of(field);
}
template <OpColumn column>
MaybeNumber readsOf(const NfsMount& mount)
{
    return mount.reads.of(column);
}
template <OpColumn column>
MaybeNumber writesOf(const NfsMount& mount)
{
    return mount.writes.of(column);
}
template <OpColumn column>
MaybeNumber othersOf(const NfsMount& mount)
{
    return mount.others.of(column);
}

/// A request in flight is sent but not complete; on busy mounts the two have also been seen the other way round.
MaybeNumber retransmissions(const NfsMount& mount)
{
    const MaybeNumber done = mount.reads.of(OpColumn::Operations), sent = mount.reads.of(OpColumn::Transmissions);
    return {sent.value > done.value ? sent.value - done.value : 0, sent.known && done.known};
}

constexpr std::array mountRows{
    MountRow{Counter::NfsAskedBytes, bytesOf<BytesField::NormalRead>},
    MountRow{Counter::NfsDirectBytes, bytesOf<BytesField::DirectRead>},
    MountRow{Counter::NfsFetchedBytes, bytesOf<BytesField::ServerRead>},
    MountRow{Counter::NfsWrittenBytes, bytesOf<BytesField::ServerWritten>},
    MountRow{Counter::NfsAskedWrites, bytesOf<BytesField::NormalWritten>},
    MountRow{Counter::NfsDirectWrites, bytesOf<BytesField::DirectWritten>},
    MountRow{Counter::NfsReadPages, bytesOf<BytesField::ReadPages>},
    MountRow{Counter::NfsInvalidations, [](const NfsMount& mount) { return mount.invalidations; }},
    MountRow{Counter::NfsClosedFiles, [](const NfsMount& mount) { return mount.releases; }},
    MountRow{Counter::NfsDelays, [](const NfsMount& mount) { return mount.delays; }},
    MountRow{Counter::NfsPnfsReads, [](const NfsMount& mount) { return mount.pnfsReads; }},
    MountRow{Counter::NfsCachePages, [](const NfsMount& mount) { return mount.cachePages; }},
    MountRow{Counter::NfsAge, [](const NfsMount& mount) { return mount.ageSeconds; }},
    MountRow{Counter::NfsReadOps, readsOf<OpColumn::Operations>},
    MountRow{Counter::NfsReadRetrans, retransmissions},
    MountRow{Counter::NfsReadTimeouts, readsOf<OpColumn::Timeouts>},
    MountRow{Counter::NfsReadReceived, readsOf<OpColumn::BytesReceived>},
    MountRow{Counter::NfsReadQueueMs, readsOf<OpColumn::QueueMs>},
    MountRow{Counter::NfsReadRttMs, readsOf<OpColumn::RttMs>},
    MountRow{Counter::NfsReadExecuteMs, readsOf<OpColumn::ExecuteMs>},
    MountRow{Counter::NfsReadErrors, readsOf<OpColumn::Errors>},
    MountRow{Counter::NfsWriteOps, writesOf<OpColumn::Operations>},
    MountRow{Counter::NfsWriteRttMs, writesOf<OpColumn::RttMs>},
    MountRow{Counter::NfsWriteExecuteMs, writesOf<OpColumn::ExecuteMs>},
    MountRow{Counter::NfsOtherOps, othersOf<OpColumn::Operations>},
    MountRow{Counter::NfsOtherExecuteMs, othersOf<OpColumn::ExecuteMs>},
    MountRow{Counter::NfsOtherTimeouts, othersOf<OpColumn::Timeouts>},
};

}  // namespace

void putMount(const Pass& pass, Ticks at, Source& source, const NfsMount& mount)
{
    for (const MountRow& row : mountRows) {
        const MaybeNumber number = row.number(mount);
        if (number.known) pass.sink.put(at, source, row.counter, number.value);
    }
}

void putNewZero(const Pass& pass, Ticks at, Source& source)
{
    for (const MountRow& row : mountRows)
        if (pass.sink.hasStored(source, row.counter)) pass.sink.put(at, source, row.counter, 0);
}

void putTransport(const Pass& pass, Ticks at, Source& source, const TransportSums& sums)
{
    pass.sink.put(at, source, Counter::NfsConnections, sums.connections);
    pass.sink.put(at, source, Counter::NfsConnects, sums.connects);
    pass.sink.put(at, source, Counter::NfsSends, sums.sends);
    pass.sink.put(at, source, Counter::NfsReceives, sums.receives);
    pass.sink.put(at, source, Counter::NfsBadXids, sums.badXids);
    pass.sink.put(at, source, Counter::NfsInFlightSum, sums.inFlight);
    pass.sink.put(at, source, Counter::NfsBacklogSum, sums.backlog);
    if (!sums.rdma) return;
    pass.sink.put(at, source, Counter::NfsRdmaRequests, sums.rdmaRequestBytes);
    pass.sink.put(at, source, Counter::NfsRdmaReplies, sums.rdmaReplyBytes);
}

/// "from 192.0.2.1:/x, vers 4.2, proto tcp, rsize 262144, nconnect 4, connections 4, read_ahead_kb 128, nocto"
void noteMount(const CounterSink& sink, const NfsMount& mount, std::string_view readAheadKib)
{
    Path what("nfs mount "), text("from ");
    what.add(upTo(mount.path, 200));
    text.add(upTo(mount.device, 200));
    const auto tell = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) text.add(", ").add(name).add(" ").add(value);
    };
    for (const std::string_view name : {"vers", "proto", "rsize", "wsize", "sec", "xprtsec", "nconnect"}) tell(name, mount.option(name));
    std::array<char, 20> digits;
    tell("connections", mount.transport.connections == 0 ? std::string_view() : decimal(mount.transport.connections, digits));
    tell("pnfs", mount.layout);
    tell("read_ahead_kb", readAheadKib);
    for (const std::string_view name : {"soft", "softerr", "nocto", "noac", "fsc", "nosharecache"})
        if (mount.hasOption(name)) text.add(", ").add(name);
    sink.note(what.view(), "measured", text.view());
}

}  // namespace flowgauge::sample
