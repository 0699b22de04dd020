// SPDX-License-Identifier: MIT
#include "collector/sample/file_systems.h"

#include "collector/buffer/own_thread.h"
#include "collector/sample/mountstats.h"

#include <cerrno>

namespace flowgauge::sample {

/// Where the clients of one kind show themselves: a folder each, and in it a file.
struct ClientFolder {
    std::string_view type, folder, file;
    FileSystemNumbers (*numbers)(std::string_view text);
};

namespace {

/// Since 2.10 Lustre's files move, one after the other, from the first to the second, which is root's.
constexpr std::array<std::string_view, 2> lustreRoots{"proc/fs/lustre/", "sys/kernel/debug/lustre/"};

constexpr std::array clientFolders{
    ClientFolder{"lustre", "proc/fs/lustre/llite", "/stats", parseLustreClient},
    ClientFolder{"lustre", "sys/kernel/debug/lustre/llite", "/stats", parseLustreClient},
    ClientFolder{"ceph", "sys/kernel/debug/ceph", "/metrics/size", parseCephSizes},
};

/// What is said of a mount of that type whose client is not read.
struct Unread {
    std::string_view type, why;
};
constexpr std::array unreadTypes{
    Unread{"lustre",
           "its client's statistics cannot be read (newer versions show them to root alone): lctl get_param llite.*.stats osc.*.stats"},
    Unread{"ceph",
           "its client's metrics cannot be read (they are root's, and older kernels have none): /sys/kernel/debug/ceph/*/metrics/size"},
    Unread{
        "beegfs",
        "its client keeps no counter that can be read: run beegfs-ctl --clientstats --nodetype=storage (version 8: beegfs stats client)"},
    Unread{"gpfs", "its client keeps no counter that can be read: run mmpmon -p with fs_io_s, as root"},
    Unread{"wekafs", "its client keeps no counter that can be read: run weka stats --category ops_driver"},
};

constexpr Nanos periodNs = 950'000'000;  // a twentieth less than a second, so that a beat that comes a little early counts
constexpr Nanos restForOne = 20;         // of processor time

/// The third of a line's numbers from there on: count, least, most and sum are in one order everywhere.
MaybeNumber sumBehind(const Words& words)
{
    std::array<std::uint64_t, 3> leastMostSum{};
    const bool whole = parseNumbers(words.rest(), leastMostSum) == leastMostSum.size();
    return {leastMostSum[2], whole};
}

/// Of a text that begins with the time at which it was taken.
MaybeNumber lustreSum(std::string_view text, std::string_view counter)
{
    Lines lines(text);
    std::string_view line, name, count, word, unit;
    bool begun = false;
    while (lines.next(line)) {
        Words words(line);
        if (!words.next(name)) continue;
        begun = begun || name == "snapshot_time";
        std::uint64_t samples = 0;
        if (name != counter) continue;
        if (!words.next(count) || !parseNumber(count, samples) || !words.next(word) || !words.next(unit)) return {};
        if (samples == 0) return {0, true};
        return unit == "[bytes]" ? sumBehind(words) : MaybeNumber{};
    }
    return {0, begun};
}

MaybeNumber cephSum(std::string_view text, std::string_view item)
{
    Lines lines(text);
    std::string_view line, name, count, mean;
    while (lines.next(line)) {
        Words words(line);
        if (words.next(name) && name == item && words.next(count) && words.next(mean)) return sumBehind(words);
    }
    return {};
}

void add(MaybeNumber& sum, const MaybeNumber& one) { sum = {sum.value + one.value, sum.known && one.known}; }

/// The number of a Lustre client, by which its folder and those of its targets end ("scratch-ffff8803a1b2c3d4").
std::string_view clientNumber(std::string_view instance)
{
    const std::size_t dash = instance.rfind('-');
    return dash == std::string_view::npos ? std::string_view() : from(instance, dash);
}

FileReading readWhole(const Pass& pass, std::string_view path)
{
    RereadFile file;
    FileReading reading{{}, 0, ENOENT};
    if (file.open(pass.root, path, FileShape::ToEnd) == 0) reading = file.read(pass.root, pass.scratch);
    file.close();
    return reading;
}

/// Adds up what the client's targets say; nothing is known when one of them cannot be read.
FileSystemNumbers sumOfTargets(const Pass& pass, std::string_view root, std::string_view instance)
{
    FileSystemNumbers sum;
    const std::string_view number = clientNumber(instance);
    Path folder(root);
    FolderNames targets(pass.root, folder.add("osc").view());
    std::string_view target;
    bool any = false;
    while (targets.next(target)) {
        if (number.empty() || !endsWith(target, number)) continue;
        if (!any) sum.fetched = sum.sent = {0, true};
        any = true;
        Path path(folder.view());
        const FileSystemNumbers one = parseLustreTarget(readWhole(pass, path.add("/").add(target).add("/stats").view()).text);
        add(sum.fetched, one.fetched);
        add(sum.sent, one.sent);
    }
    return sum;
}

void addTargets(const Pass& pass, std::string_view instance, FileSystemNumbers& numbers)
{
    for (const std::string_view root : lustreRoots) {
        const FileSystemNumbers sum = sumOfTargets(pass, root, instance);
        if (sum.fetched.known) numbers.fetched = sum.fetched;
        if (sum.sent.known) numbers.sent = sum.sent;
    }
}

/// Lustre's folder is named after the file system, which a mount's device ends with ("10.0.0.1@o2ib:/scratch").
bool isMountOf(const MountInfo& mount, std::string_view type, std::string_view instance)
{
    if (mount.type != type || type != "lustre") return mount.type == type;
    const std::string_view name = upTo(instance, instance.size() - clientNumber(instance).size());
    const std::size_t begin = mount.device.find(":/");
    const std::string_view path = begin == std::string_view::npos ? std::string_view() : from(mount.device, begin + 2);
    return upTo(path, path.find('/')) == name;
}

/// Where that client is mounted, in `into`; its folder's name where several mounts may be meant, or none.
std::string_view placeOf(const Pass& pass, std::string_view type, std::string_view instance, std::array<char, 1024>& into)
{
    MountInfoLines mounts(readWhole(pass, "proc/self/mountinfo").text);
    MountInfo mount;
    std::string_view path;
    int found = 0;
    while (mounts.next(mount))
        if (isMountOf(mount, type, instance) && ++found == 1) path = {into.data(), decodeOctal(mount.path, into.data(), into.size())};
    return found == 1 ? path : instance;
}

std::uint64_t hashOf(std::string_view type, std::string_view instance)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const std::string_view text : {type, instance})
        for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    return hash;
}

void putNumbers(const Pass& pass, Ticks at, Source& source, const FileSystemNumbers& numbers)
{
    const auto put = [&](Counter counter, const MaybeNumber& number) {
        if (number.known) pass.sink.put(at, source, counter, number.value);
    };
    put(Counter::FsAskedBytes, numbers.asked);
    put(Counter::FsAskedWrites, numbers.askedWrites);
    put(Counter::FsFetchedBytes, numbers.fetched);
    put(Counter::FsSentBytes, numbers.sent);
}

/// A line of the ledger for a mount whose client is not read; nothing for a type that has no row.
bool tellUnread(const Pass& pass, const MountInfo& mount)
{
    for (const Unread& row : unreadTypes) {
        if (row.type != mount.type) continue;
        Path what(row.type);
        pass.sink.note(what.add(" ").add(upTo(mount.path, 200)).view(), "absent", row.why);
        return true;
    }
    return false;
}

bool isRead(const Pass& pass, std::string_view type)
{
    for (const ClientFolder& kind : clientFolders) {
        FolderNames clients(pass.root, kind.folder);
        std::string_view instance;
        Path path(kind.folder);
        if (kind.type == type && clients.next(instance) && readWhole(pass, path.add("/").add(instance).add(kind.file).view()).error == 0)
            return true;
    }
    return false;
}

}  // namespace

FileSystemNumbers parseLustreClient(std::string_view text)
{
    return {lustreSum(text, "read_bytes"), lustreSum(text, "write_bytes"), {}, {}};
}

FileSystemNumbers parseLustreTarget(std::string_view text)
{
    return {{}, {}, lustreSum(text, "read_bytes"), lustreSum(text, "write_bytes")};
}

FileSystemNumbers parseCephSizes(std::string_view text) { return {{}, {}, cephSum(text, "read"), cephSum(text, "write")}; }

Availability FileSystemSampler::open(const Pass& pass)
{
    const bool lustre = isRead(pass, "lustre"), ceph = isRead(pass, "ceph");
    int unread = 0;
    MountInfoLines mounts(readWhole(pass, "proc/self/mountinfo").text);
    MountInfo mount;
    while (mounts.next(mount)) {
        const bool read = (mount.type == "lustre" && lustre) || (mount.type == "ceph" && ceph);
        if (!read && tellUnread(pass, mount)) ++unread;
    }
    if (lustre || ceph)
        return {true,
                "clients of Lustre (calls of programs, cache hits included, and bytes of its targets) and CephFS (bytes on the wire)"};
    return {false, unread > 0 ? "what is mounted shows no counter that can be read" : "no Lustre, CephFS, BeeGFS, GPFS or WEKA is mounted"};
}

void FileSystemSampler::close() { m_count = 0; }

void FileSystemSampler::sample(const Pass& pass)
{
    if (pass.sink.nowNs() < m_dueNs) return;
    const Nanos begin = buffer::threadCpuNs();
    for (const ClientFolder& kind : clientFolders) sampleFolder(pass, kind);
    const Nanos rest = (buffer::threadCpuNs() - begin) * restForOne;
    m_dueNs = pass.sink.nowNs() + (rest > periodNs ? rest : periodNs);
}

void FileSystemSampler::sampleFolder(const Pass& pass, const ClientFolder& kind)
{
    FolderNames clients(pass.root, kind.folder);
    std::string_view instance;
    while (clients.next(instance)) {
        Path path(kind.folder);
        const FileReading reading = readWhole(pass, path.add("/").add(instance).add(kind.file).view());
        if (reading.error != 0) continue;
        FileSystemNumbers numbers = kind.numbers(reading.text);
        if (kind.type == "lustre") addTargets(pass, instance, numbers);
        Source* const source = sourceOf(pass, kind.type, instance);
        if (source != nullptr) putNumbers(pass, reading.at, *source, numbers);
    }
}

Source* FileSystemSampler::sourceOf(const Pass& pass, std::string_view type, std::string_view instance)
{
    const std::uint64_t folder = hashOf(type, instance);
    for (std::size_t i = 0; i < m_count; ++i)
        if (m_clients[i].folder == folder) return m_clients[i].source;
    if (m_count == mostClients) return nullptr;
    std::array<char, 1024> text;
    const std::string_view place = placeOf(pass, type, instance, text);
    Source* const source = pass.sources.find(CounterFamily::FileSystem, place);
    if (source != nullptr && source->use == Use::Undecided) pass.sink.accept(*source, place);
    m_clients[m_count++] = {folder, source};
    return source;
}

}  // namespace flowgauge::sample
