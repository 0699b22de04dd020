// SPDX-License-Identifier: MIT
#include "analyzer/facts/page_cache.h"

#include <algorithm>
#include <bit>

namespace flowgauge::facts {
namespace {

/// The kernel's get_init_ra_size.
std::int64_t firstWindow(std::int64_t wanted, std::int64_t most)
{
    const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
    if (size <= most / 32) return size * 4;
    return size <= most / 4 ? size * 2 : most;
}

/// The kernel's get_next_ra_size.
std::int64_t nextWindow(std::int64_t size, std::int64_t most)
{
    if (size < most / 16) return size * 4;
    return size <= most / 2 ? size * 2 : most;
}

}  // namespace

PageCache::PageCache(std::size_t holds, std::size_t pages, const Requests& requests)
    : m_holds(std::max<std::size_t>(holds, 1)), m_requests(requests), m_pages(pages + 1)
{
}

PageCache::Counts PageCache::takeCounts()
{
    const Counts counts = m_counts;
    m_counts = {};
    return counts;
}

bool PageCache::isThere(const File& file, std::int64_t page) const
{
    return m_pages[file.first + 1 + static_cast<std::uint32_t>(page)].place != Place::Absent;
}

void PageCache::put(std::uint32_t page, Place place)
{
    List& list = listOf(place);
    m_pages[page].place = place;
    m_pages[page].newer = 0;
    m_pages[page].older = list.newest;
    (list.newest != 0 ? m_pages[list.newest].newer : list.oldest) = page;
    list.newest = page;
    ++list.size;
}

void PageCache::take(std::uint32_t page)
{
    const Page& gone = m_pages[page];
    List& list = listOf(gone.place);
    (gone.newer != 0 ? m_pages[gone.newer].older : list.newest) = gone.older;
    (gone.older != 0 ? m_pages[gone.older].newer : list.oldest) = gone.newer;
    --list.size;
    m_pages[page].place = Place::Absent;
}

/// mark_page_accessed: the second use of an inactive page makes it an active one.
void PageCache::use(std::uint32_t page)
{
    Page& used = m_pages[page];
    if (used.place == Place::Inactive && used.used) {
        take(page);
        put(page, Place::Active);
        used.used = false;
        ++m_ages;
        return;
    }
    used.used = true;
}

/// workingset_refault: one that would still be there if the inactive list were longer by the active one is active at once.
void PageCache::fetch(std::uint32_t page)
{
    Page& fetched = m_pages[page];
    const bool soon = fetched.goneAt != 0 && m_ages - fetched.goneAt <= m_active.size;
    fetched.used = false;
    fetched.marks = false;
    put(page, soon ? Place::Active : Place::Inactive);
    if (soon) {
        ++m_ages;
        m_cameBack = true;
    }
    ++m_counts.fetched;
    makeRoom();
}

/// shrink_lruvec of pages that nobody maps: the oldest inactive one goes, and active ones follow while they are more than the inactive
/// ones, or while pages come back.
void PageCache::makeRoom()
{
    while (m_active.size + m_inactive.size > m_holds) {
        if (m_cameBack || m_inactive.size < m_active.size)
            m_toDeactivate += static_cast<double>(m_active.size) / static_cast<double>(std::max<std::size_t>(m_inactive.size, 1));
        for (; m_toDeactivate >= 1 && m_active.size > 0; m_toDeactivate -= 1) {
            const std::uint32_t page = m_active.oldest;
            take(page);
            put(page, Place::Inactive);
        }
        m_cameBack = false;
        const std::uint32_t page = m_inactive.size > 0 ? m_inactive.oldest : m_active.oldest;
        take(page);
        m_pages[page].goneAt = ++m_ages;
    }
}

/// ractl_max_pages.
std::int64_t PageCache::mostAtOnce(std::int64_t wanted) const
{
    const std::int64_t readAhead = m_requests.readAhead, largest = m_requests.largest;
    return wanted > readAhead && largest > readAhead ? std::min(wanted, largest) : readAhead;
}

/// do_page_cache_ra, with the mark where the part begins that is not wanted yet.
void PageCache::fetchWindow(const File& file, Reader& reader)
{
    const std::int64_t end = std::min<std::int64_t>(reader.begin + reader.size, file.pages);
    for (std::int64_t page = reader.begin; page < end; ++page) {
        if (isThere(file, page)) continue;
        const auto index = file.first + 1 + static_cast<std::uint32_t>(page);
        fetch(index);
        if (page == reader.begin + reader.size - reader.ahead) m_pages[index].marks = true;
    }
}

/// page_cache_sync_ra: nothing is there, and `wanted` pages are.
void PageCache::fetchMissing(const File& file, Reader& reader, std::int64_t page, std::int64_t wanted)
{
    const std::int64_t most = mostAtOnce(wanted);
    const bool goesOn = reader.readUntil >= 0 && page - reader.readUntil >= 0 && page - reader.readUntil <= 1;
    if (m_requests.readAhead > 0 && (page == 0 || wanted > most || goesOn)) {
        reader.begin = page;
        reader.size = firstWindow(wanted, most);
        reader.ahead = reader.size > wanted ? reader.size - wanted : reader.size / 2;
        return fetchWindow(file, reader);
    }
    std::int64_t before = 0;  // pages in a row that are there: the traces of somebody who reads on
    while (before < most && before < page && isThere(file, page - 1 - before)) ++before;
    if (m_requests.readAhead == 0 || before <= wanted) {
        Reader once{page, m_requests.readAhead == 0 ? 1 : std::min(wanted, most), 0};
        return fetchWindow(file, once);
    }
    if (before == page) before *= 2;
    reader.begin = page;
    reader.size = std::min(before + wanted, most);
    reader.ahead = 1;
    fetchWindow(file, reader);
}

/// page_cache_async_ra: a mark was met.
void PageCache::fetchNext(const File& file, Reader& reader, std::int64_t page, std::int64_t wanted)
{
    const std::int64_t most = mostAtOnce(wanted);
    if (page == reader.begin + reader.size - reader.ahead) {
        reader.begin += reader.size;
        reader.size = nextWindow(reader.size, most);
    } else {
        std::int64_t next = page + 1;
        while (next - page <= most && next < file.pages && isThere(file, next)) ++next;
        if (next - page > most) return;
        reader.begin = next;
        reader.size = nextWindow(next - page + wanted, most);
    }
    reader.ahead = reader.size;
    fetchWindow(file, reader);
}

void PageCache::read(const File& file, Reader& reader, std::int64_t from, std::int64_t to)
{
    m_counts.asked += to - from;
    for (std::int64_t page = from; page < to; ++page) m_counts.missing += isThere(file, page) ? 0 : 1;
    for (std::int64_t page = from; page < to; ++page) {
        const auto index = file.first + 1 + static_cast<std::uint32_t>(page);
        if (m_pages[index].place == Place::Absent) fetchMissing(file, reader, page, to - page);
        if (m_pages[index].place == Place::Absent) fetch(index);  // the cache is smaller than a window
        if (m_pages[index].marks) {
            m_pages[index].marks = false;
            fetchNext(file, reader, page, to - page);
        }
        use(index);
        if (m_requests.goesOnWithinCalls) reader.readUntil = page;
    }
    reader.readUntil = to - 1;
}

}  // namespace flowgauge::facts
