// SPDX-License-Identifier: MIT
#include "collector/sample/cgroup.h"

namespace flowgauge::sample {
namespace {

constexpr std::string_view source = "cgroup";
/// Version 1 prints a number near 2^63 for "no limit".
constexpr std::uint64_t noLimitFrom = 1ULL << 60;

bool hasController(std::string_view list, std::string_view wanted)
{
    while (!list.empty()) {
        const std::string_view one = upTo(list, list.find(','));
        if (one == wanted) return true;
        list = from(list, one.size() + 1);
    }
    return false;
}

}  // namespace

CgroupPlace parseCgroup(std::string_view text)
{
    CgroupPlace place;
    Lines lines(text);
    std::string_view line;
    while (lines.next(line)) {
        const std::size_t first = line.find(':'), second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) continue;
        const std::string_view controllers = upTo(from(line, first + 1), second - first - 1);
        const bool memory = hasController(controllers, "memory");
        if (memory || (controllers.empty() && !place.first)) place = {true, memory, from(line, second + 1)};
    }
    return place;
}

CgroupStat parseCgroupStat(std::string_view text, bool first)
{
    CgroupStat stat;
    std::uint64_t shared = 0;  // files in memory alone (tmpfs, /dev/shm): charged as file pages, and no cache of anything
    Lines lines(text);
    std::string_view line, key, value;
    while (lines.next(line)) {
        Words words(line);
        if (!words.next(key) || !words.next(value)) continue;
        if (key == (first ? "total_cache" : "file")) stat.fileKnown = parseNumber(value, stat.fileBytes);
        if (key == (first ? "total_shmem" : "shmem") && !parseNumber(value, shared)) shared = 0;
        if (key == (first ? "total_workingset_refault_file" : "workingset_refault_file"))
            stat.refaultsKnown = parseNumber(value, stat.refaultedPages);
    }
    stat.fileBytes -= shared < stat.fileBytes ? shared : stat.fileBytes;
    return stat;
}

/// A limit of any cgroup above binds as well.
std::uint64_t CgroupSampler::tightestLimit(const SysRoot& root, Path folder, std::size_t top) const
{
    std::uint64_t tightest = 0;
    while (folder.size() >= top) {
        const std::size_t end = folder.size();
        std::array<char, 256> text;
        std::uint64_t limit = 0;
        const std::string_view said = root.shortText(folder.add(m_first ? "/memory.limit_in_bytes" : "/memory.max").view(), text);
        if (parseNumber(said, limit) && limit < noLimitFrom && (tightest == 0 || limit < tightest)) tightest = limit;
        folder.cut(end);
        const std::size_t slash = folder.view().rfind('/');
        if (slash == std::string_view::npos || slash < top) break;
        folder.cut(slash);
    }
    return tightest;
}

Availability CgroupSampler::open(const Pass& pass)
{
    close();
    RereadFile own;
    if (own.open(pass.root, "proc/self/cgroup", FileShape::ToEnd) != 0) return {false, "/proc/self/cgroup cannot be opened"};
    const CgroupPlace place = parseCgroup(own.read(pass.root, pass.scratch).text);
    own.close();
    if (!place.known) return {false, "no cgroup counts memory"};
    m_first = place.first;
    Path folder(m_first ? "sys/fs/cgroup/memory" : "sys/fs/cgroup");
    const std::size_t top = folder.size();
    if (place.path != "/") folder.add(place.path);
    // A container sees its own cgroup as the root, under the path that the host gave it.
    Path stat = folder;
    if (!pass.root.exists(stat.add("/memory.stat").view())) folder.cut(top);
    m_limit = tightestLimit(pass.root, folder, top);
    const std::size_t end = folder.size();
    const int used = m_used.open(pass.root, folder.add(m_first ? "/memory.usage_in_bytes" : "/memory.current").view());
    folder.cut(end);
    const int counted = m_stat.open(pass.root, folder.add("/memory.stat").view(), FileShape::ToEnd);
    // The root has a memory.stat and no limit: it is the machine, which the memory sampler reads.
    if (used != 0 || counted != 0) {
        close();
        return {false, "the job is in no cgroup of its own, or its files cannot be seen"};
    }
    return {true, m_limit == 0 ? "no limit" : "with a limit"};
}

void CgroupSampler::close()
{
    m_stat.close();
    m_used.close();
    m_limit = 0;
}

void CgroupSampler::sample(const Pass& pass)
{
    if (!m_used.isOpen()) return;
    Source* const place = pass.sources.find(CounterFamily::Memory, source);
    if (place == nullptr) return;
    if (place->use == Use::Undecided) pass.sink.accept(*place, source);
    const ValueReading used = m_used.read();
    if (used.known) pass.sink.put(used.at, *place, Counter::CgroupUsed, used.value);
    if (used.known && m_limit != 0) pass.sink.put(used.at, *place, Counter::CgroupLimit, m_limit);
    const FileReading reading = m_stat.read(pass.root, pass.scratch);
    const CgroupStat stat = parseCgroupStat(reading.text, m_first);
    if (stat.fileKnown) pass.sink.put(reading.at, *place, Counter::CgroupFileCache, stat.fileBytes);
    if (stat.refaultsKnown) pass.sink.put(reading.at, *place, Counter::CgroupRefaults, stat.refaultedPages);
}

}  // namespace flowgauge::sample
