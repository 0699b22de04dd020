// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace flowgauge::facts {

/// Linux's page cache, played through: which pages reads find, which they fetch beside those they want, and which go when room is
/// needed. Two lists and the distance after which a page came back (mm/vmscan.c, mm/workingset.c), and read-ahead on demand
/// (mm/readahead.c), as of 6.x. Only reads by calls: no mapped pages, no time, no other reader.
class PageCache {
public:
    /// A file's pages stand side by side among those that the cache knows.
    struct File {
        std::uint32_t first = 0, pages = 0;
    };
    /// What the kernel keeps of an open file: the window that it read ahead last, in pages of the file.
    struct Reader {
        std::int64_t begin = 0, size = 0, ahead = 0;  ///< the last `ahead` pages are fetched before they are wanted
        std::int64_t readUntil = -1;
    };
    struct Counts {
        std::int64_t asked = 0, missing = 0, fetched = 0;  ///< pages
    };

    /// Of the file system, in pages, and of the kernel.
    /// largest: what a call that wants more than the read-ahead gets at once; of less than that it says nothing.
    /// goesOnWithinCalls: as before 6.6, a page that is missing behind one that the same call has found is taken for reading on, so that
    /// more is read ahead (ra->prev_pos moved with each page, not with each call; mm/filemap.c). Vendors took the change into older ones.
    struct Requests {
        std::int64_t readAhead = 0, largest = 0;
        bool goesOnWithinCalls = false;
    };

    /// holds: pages of so many that there are.
    PageCache(std::size_t holds, std::size_t pages, const Requests& requests);

    /// One call that reads the pages [from, to) of a file.
    void read(const File& file, Reader& reader, std::int64_t from, std::int64_t to);
    /// Since the call before.
    [[nodiscard]] Counts takeCounts();

private:
    enum class Place : std::uint8_t { Absent, Inactive, Active };
    struct Page {
        std::uint32_t older = 0, newer = 0;
        std::uint32_t goneAt = 0;  ///< by m_ages; 0: it was never there
        Place place = Place::Absent;
        bool used = false;   ///< once since it came into its list
        bool marks = false;  ///< whoever comes here wants the next window
    };
    /// The ends of a list; pages hold their neighbours. Page 0 is nobody's.
    struct List {
        std::uint32_t oldest = 0, newest = 0;
        std::size_t size = 0;
    };
    [[nodiscard]] List& listOf(Place place) { return place == Place::Active ? m_active : m_inactive; }
    [[nodiscard]] bool isThere(const File& file, std::int64_t page) const;
    void put(std::uint32_t page, Place place);
    void take(std::uint32_t page);
    void use(std::uint32_t page);
    void fetch(std::uint32_t page);
    void makeRoom();
    void fetchWindow(const File& file, Reader& reader);
    void fetchMissing(const File& file, Reader& reader, std::int64_t page, std::int64_t wanted);
    void fetchNext(const File& file, Reader& reader, std::int64_t page, std::int64_t wanted);
    [[nodiscard]] std::int64_t mostAtOnce(std::int64_t wanted) const;

    std::size_t m_holds;
    Requests m_requests;
    std::vector<Page> m_pages;
    List m_active, m_inactive;
    std::uint32_t m_ages = 1;  ///< pages that went or became active: how far apart two moments are
    bool m_cameBack = false;   ///< a page was needed again soon after it went
    double m_toDeactivate = 0;
    Counts m_counts;
};

}  // namespace flowgauge::facts
