// SPDX-License-Identifier: MIT
#include "collector/sample/nfs.h"

namespace flowgauge::sample {
namespace {

/// Where there is no NFS, look for it about once a second: the file costs more than all others together.
constexpr Nanos lookAgainNs = 1'000'000'000;

std::uint64_t hashOf(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325ULL)
{
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    return hash;
}

std::uint64_t identityOf(const NfsMount& mount) { return hashOf(mount.path, hashOf(mount.device)); }

/// The superblock of the next NFS mount with that path. Both files list the mounts in one order, so the search goes on
/// where it ended; "" when it is not there (mounted in this very moment).
std::string_view findSuperblock(MountInfoLines& lines, std::string_view path)
{
    MountInfoLines ahead = lines;
    MountInfo info;
    while (ahead.next(info)) {
        if (!isNfsType(info.type) || info.path != path) continue;
        lines = ahead;
        return info.superblock;
    }
    return {};
}

}  // namespace

Availability NfsSampler::open(const Pass& pass)
{
    if (m_stats.open(pass.root, "proc/self/mountstats", FileShape::ToEnd) != 0) return {false, "/proc/self/mountstats cannot be opened"};
    static_cast<void>(m_info.open(pass.root, "proc/self/mountinfo", FileShape::ToEnd));
    m_lookedNs = pass.sink.nowNs();
    learn(pass, m_stats.read(pass.root, pass.scratch).text);
    if (m_count == 0) return {false, "no NFS mount in /proc/self/mountstats"};
    m_announced = true;
    return {true, "NFS mounts, each superblock once"};
}

void NfsSampler::close()
{
    m_stats.close();
    m_info.close();
    m_infoText.release();
    m_count = 0;
}

void NfsSampler::sample(const Pass& pass)
{
    if (!m_stats.isOpen()) return;
    if (m_count == 0 && pass.sink.nowNs() - m_lookedNs < lookAgainNs) return;
    m_lookedNs = pass.sink.nowNs();
    const FileReading reading = m_stats.read(pass.root, pass.scratch);
    if (reading.error != 0 || putAll(pass, reading)) return;
    learn(pass, reading.text);
    static_cast<void>(putAll(pass, reading));
    if (m_count == 0 || m_announced) return;
    m_announced = true;
    pass.sink.note("nfs", "measured", "mounted during the run");
}

/// False when the records are not those that were learnt; what was put until there is right.
bool NfsSampler::putAll(const Pass& pass, const FileReading& reading)
{
    NfsMounts mounts(reading.text);
    NfsMount mount;
    std::size_t at = 0;
    for (; mounts.next(mount); ++at) {
        if (at == mostRecords) return true;
        if (at >= m_count || m_records[at].identity != identityOf(mount)) return false;
        if (m_records[at].source != nullptr) put(pass, reading.at, *m_records[at].source, mount);
    }
    return at == m_count;
}

/// Learns which records there are and which of them share a superblock.
void NfsSampler::learn(const Pass& pass, std::string_view text)
{
    m_count = 0;
    MountInfoLines infos(m_info.read(pass.root, m_infoText).text);
    NfsMounts mounts(text);
    NfsMount mount;
    while (m_count < mostRecords && mounts.next(mount)) addRecord(pass, mount, findSuperblock(infos, mount.path));
}

/// Names a superblock after its first mount. Where mountinfo cannot tell it, the device's name stands for it.
void NfsSampler::addRecord(const Pass& pass, const NfsMount& mount, std::string_view superblock)
{
    const std::string_view known = superblock.empty() ? mount.device : superblock;
    Record record{identityOf(mount), hashOf(known), hashOf(mount.path), nullptr};
    bool shared = false, overmounted = false;
    for (std::size_t at = 0; at < m_count; ++at) {
        shared = shared || m_records[at].superblock == record.superblock;
        overmounted = overmounted || m_records[at].path == record.path;
    }
    if (!shared) {
        std::array<char, 1024> name;
        std::size_t length = decodeOctal(mount.path, name.data(), name.size());
        Path suffix;
        if (overmounted) suffix.add(" (").add(known).add(")");
        for (std::size_t at = 0; at < suffix.size() && length < name.size(); ++at) name[length++] = suffix.text()[at];
        const std::string_view text(name.data(), length);
        record.source = pass.sources.find(CounterFamily::Nfs, text);
        if (record.source != nullptr && record.source->use == Use::Undecided) pass.sink.accept(*record.source, text);
    }
    m_records[m_count++] = record;
}

void NfsSampler::put(const Pass& pass, Ticks at, Source& source, const NfsMount& mount)
{
    const auto store = [&](Counter counter, const MaybeNumber& number) {
        if (number.known) pass.sink.put(at, source, counter, number.value);
    };
    store(Counter::NfsAskedBytes, mount.of(BytesField::NormalRead));
    store(Counter::NfsDirectBytes, mount.of(BytesField::DirectRead));
    store(Counter::NfsFetchedBytes, mount.of(BytesField::ServerRead));
    store(Counter::NfsWrittenBytes, mount.of(BytesField::ServerWritten));
    store(Counter::NfsReadPages, mount.of(BytesField::ReadPages));
    store(Counter::NfsInvalidations, mount.invalidations);
    store(Counter::NfsClosedFiles, mount.releases);
    const MaybeNumber operations = mount.of(OpColumn::Operations), sent = mount.of(OpColumn::Transmissions);
    store(Counter::NfsReadOps, operations);
    // A request in flight is sent but not complete; on busy mounts the two have also been seen the other way round.
    const std::uint64_t again = sent.value > operations.value ? sent.value - operations.value : 0;
    store(Counter::NfsReadRetrans, {again, sent.known && operations.known});
    store(Counter::NfsReadTimeouts, mount.of(OpColumn::Timeouts));
    store(Counter::NfsReadQueueMs, mount.of(OpColumn::QueueMs));
    store(Counter::NfsReadRttMs, mount.of(OpColumn::RttMs));
    store(Counter::NfsReadExecuteMs, mount.of(OpColumn::ExecuteMs));
}

}  // namespace flowgauge::sample
