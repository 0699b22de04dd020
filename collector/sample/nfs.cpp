// SPDX-License-Identifier: MIT
#include "collector/sample/nfs.h"

#include "collector/buffer/own_thread.h"
#include "collector/record/raw.h"
#include "collector/sample/nfs_counters.h"

namespace flowgauge::sample {
namespace {

/// Where there is no NFS, look for it about once a second: the file costs more than all others together.
constexpr Nanos lookAgainNs = 1'000'000'000;
constexpr Nanos restForOne = 20;  ///< of processor time

std::uint64_t hashOf(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325ULL)
{
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    return hash;
}

std::uint64_t identityOf(const NfsMount& mount) { return hashOf(mount.path, hashOf(mount.device)); }

/// The next NFS mount with that path. Both files list the mounts in one order, so the search goes on where it ended; empty
/// when it is not there (mounted in this very moment).
MountInfo findMount(MountInfoLines& lines, std::string_view path)
{
    MountInfoLines ahead = lines;
    MountInfo info;
    while (ahead.next(info)) {
        if (!isNfsType(info.type) || info.path != path) continue;
        lines = ahead;
        return info;
    }
    return {};
}

/// Name of the server in "server:/path". An IPv6 address holds colons, but no slash.
std::string_view serverOf(std::string_view device)
{
    const std::size_t end = device.find(":/");
    return end == std::string_view::npos ? device : upTo(device, end);
}

}  // namespace

Availability NfsSampler::open(const Pass& pass)
{
    if (m_stats.open(pass.root, "proc/self/mountstats", FileShape::ToEnd) != 0) return {false, "/proc/self/mountstats cannot be opened"};
    static_cast<void>(m_info.open(pass.root, "proc/self/mountinfo", FileShape::ToEnd));
    m_dueNs = pass.sink.nowNs() + lookAgainNs;
    learn(pass, m_stats.read(pass.root, pass.scratch).text);
    if (m_count == 0) return {false, "no NFS mount in /proc/self/mountstats"};
    m_announced = true;
    m_dueNs = 0;
    return {true, "NFS mounts, each superblock once"};
}

void NfsSampler::close()
{
    m_stats.close();
    m_info.close();
    m_infoText.release();
    if (m_records != nullptr) raw::unmap(m_records, mostRecords * sizeof(Record));
    m_records = nullptr;
    m_count = 0;
}

void NfsSampler::sample(const Pass& pass)
{
    if (!m_stats.isOpen() || pass.sink.nowNs() < m_dueNs) return;
    const Nanos before = buffer::threadCpuNs();
    const FileReading reading = m_stats.read(pass.root, pass.scratch);
    if (reading.error == 0 && !putAll(pass, reading)) {
        learn(pass, reading.text);
        static_cast<void>(putAll(pass, reading));
    }
    m_dueNs = pass.sink.nowNs() + (m_count == 0 ? lookAgainNs : (buffer::threadCpuNs() - before) * restForOne);
    if (m_count == 0 || m_announced) return;
    m_announced = true;
    pass.sink.note("nfs", "measured", "mounted during the run");
}

/// A superblock that is younger than it was is another one at the same place, or one that everybody had let go of.
bool NfsSampler::wasMountedAnew(Record& record, const NfsMount& mount)
{
    const std::uint64_t age = mount.ageSeconds.known ? mount.ageSeconds.value : record.ageSeconds;
    const bool younger = age < record.ageSeconds;
    record.ageSeconds = age;
    return younger;
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
        Record& record = m_records[at];
        if (wasMountedAnew(record, mount)) {
            if (record.source != nullptr) putNewZero(pass, reading.at - 1, *record.source);
            return false;
        }
        if (record.source != nullptr) putMount(pass, reading.at, *record.source, mount);
        if (record.transport != nullptr) putTransport(pass, reading.at, *record.transport, mount.transport);
    }
    return at == m_count;
}

/// Learns which records there are and which of them share a superblock or a server.
void NfsSampler::learn(const Pass& pass, std::string_view text)
{
    m_count = 0;
    MountInfoLines infos(m_info.read(pass.root, m_infoText).text);
    NfsMounts mounts(text);
    NfsMount mount;
    while (mounts.next(mount)) {
        if (m_records == nullptr) {
            void* const memory = raw::map(mostRecords * sizeof(Record), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == nullptr) return;
            m_records = static_cast<Record*>(memory);
        }
        if (m_count == mostRecords) break;
        addRecord(pass, mount, findMount(infos, mount.path));
    }
    if (m_count > 0) tellDetached(pass);
}

/// Where mountinfo cannot tell the superblock, the device's name stands for it.
void NfsSampler::addRecord(const Pass& pass, const NfsMount& mount, const MountInfo& info)
{
    const std::string_view superblock = info.superblock.empty() ? mount.device : info.superblock;
    Record record{identityOf(mount), hashOf(superblock), hashOf(mount.path)};
    bool shared = false;
    for (std::size_t at = 0; at < m_count && !shared; ++at) shared = m_records[at].superblock == record.superblock;
    if (!shared) {
        record.source = sourceOf(pass, mount, record, superblock);
        if (record.source == nullptr && !m_toldMany) {
            m_toldMany = true;
            pass.sink.note("nfs", "degraded", "more mounts than can be sampled: the later ones are not");
        }
        if (record.source != nullptr) describe(pass, mount, info);
    }
    record.transport = transportOf(pass, mount, info);
    for (std::size_t at = 0; at < m_count && record.transport != nullptr; ++at)
        if (m_records[at].transport == record.transport) record.transport = nullptr;
    m_records[m_count++] = record;
}

/// Named after the superblock's first mount. Half of the places are left to other kinds of sources.
Source* NfsSampler::sourceOf(const Pass& pass, const NfsMount& mount, const Record& record, std::string_view superblock)
{
    bool overmounted = false;
    for (std::size_t at = 0; at < m_count; ++at) overmounted = overmounted || m_records[at].path == record.path;
    std::array<char, 1024> name;
    std::size_t length = decodeOctal(mount.path, name.data(), name.size());
    Path suffix;
    if (overmounted) suffix.add(" (").add(superblock).add(")");
    for (std::size_t at = 0; at < suffix.size() && length < name.size(); ++at) name[length++] = suffix.text()[at];
    const std::string_view text(name.data(), length);
    Source* const source = pass.sources.find(CounterFamily::Nfs, text, pass.sources.isHalfFree());
    if (source != nullptr && source->use == Use::Undecided) pass.sink.accept(*source, text);
    return source;
}

/// Mounts of one server, version and protocol share their connections, whatever their options: the kernel ignores the
/// nconnect of a later one. The address is a better name of a server than what the user called it.
Source* NfsSampler::transportOf(const Pass& pass, const NfsMount& mount, const MountInfo& info)
{
    if (!mount.transport.known) return nullptr;
    const std::string_view address = valueOfOption(info.options, "addr");
    Path name(address.empty() ? serverOf(mount.device) : address);
    name.add(" v").add(mount.option("vers")).add(" ").add(mount.option("proto"));
    Source* const source = pass.sources.find(CounterFamily::NfsTransport, name.view());
    if (source != nullptr && source->use == Use::Undecided) pass.sink.accept(*source, name.view());
    return source;
}

/// A line of the ledger a superblock: what the run's numbers have to be read with. Once a place, and not for thousands.
void NfsSampler::describe(const Pass& pass, const NfsMount& mount, const MountInfo& info)
{
    if (m_described == mostDescribed) return;
    ++m_described;
    std::array<char, 256> text;
    Path readAhead("sys/class/bdi/");
    readAhead.add(info.superblock).add("/read_ahead_kb");
    const std::string_view readAheadKib = info.superblock.empty() ? std::string_view() : pass.root.shortText(readAhead.view(), text);
    noteMount(pass.sink, mount, readAheadKib);
}

/// "NV SERVER PORT DEV FSID FSC", a superblock a line; one that no mount shows was unmounted lazily and is still in use.
void NfsSampler::tellDetached(const Pass& pass)
{
    RereadFile volumes;
    Scratch text;
    if (!m_toldDetached && volumes.open(pass.root, "proc/fs/nfsfs/volumes", FileShape::ToEnd) == 0) {
        Lines lines(volumes.read(pass.root, text).text);
        std::string_view line, word;
        while (!m_toldDetached && lines.next(line)) {
            Words words(line);
            for (int field = 0; field < 4 && words.next(word); ++field) {
            }
            bool mounted = word.find(':') == std::string_view::npos;  // the heading, or a shape that we do not know
            for (std::size_t at = 0; at < m_count && !mounted; ++at) mounted = m_records[at].superblock == hashOf(word);
            m_toldDetached = !mounted;
        }
        if (m_toldDetached)
            pass.sink.note("nfs", "degraded", "a file system without a mount is in use (umount -l): its traffic is not counted");
    }
    volumes.close();
    text.release();
}

}  // namespace flowgauge::sample
