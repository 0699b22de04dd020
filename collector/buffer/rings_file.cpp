// SPDX-License-Identifier: MIT
#include "collector/buffer/rings_file.h"

#include "collector/record/raw.h"
#include "collector/spool/writer.h"

namespace flowgauge::buffer {
namespace {

/// How long a thread waits for another one that is adding a segment, at its first event.
constexpr std::int64_t addingNs = 200'000'000;

Claim outcomeOf(long error) { return error == -ENOSPC || error == -EDQUOT ? Claim::DiskFull : Claim::NoneLeft; }

/// A retired ring needs no drain before its next owner: the sequences simply go on. So a storm of short threads, each gone
/// before the drain wakes, shares a few rings.
bool takeOver(spool::RingHeader* ring, std::uint32_t thread)
{
    auto expected = ring->state.load(std::memory_order_acquire);
    if (expected == spool::RingState::Owned) return false;
    const std::uint64_t used = ring->head.load(std::memory_order_relaxed) - ring->tail.load(std::memory_order_relaxed);
    if (used > ring->capacity / 2) return false;
    if (!ring->state.compare_exchange_strong(expected, spool::RingState::Owned, std::memory_order_acquire)) return false;
    ring->thread.store(thread, std::memory_order_relaxed);
    return true;
}

}  // namespace

bool RingsFile::create(const PathText& path)
{
    const int low = raw::open(path.text(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (low < 0) return false;
    m_path = path;
    m_fd[0] = moveHigh(low);
    Claim outcome = Claim::Done;
    auto* const page = identify(m_fd[0], m_identity) ? static_cast<spool::ProcessPage*>(mapPart(0, spool::pageBytes, outcome)) : nullptr;
    if (page == nullptr) {
        raw::close(m_fd[0]);
        m_fd[0] = -1;
        return false;
    }
    m_bytes = spool::pageBytes;
    page->version = spool::spoolVersion;
    page->pid = raw::processId();
    page->fileBytes.store(m_bytes, std::memory_order_relaxed);
    std::atomic_ref(page->magic).store(spool::ringsMagic, std::memory_order_release);
    m_page.store(page, std::memory_order_release);
    return true;
}

int RingsFile::descriptor()
{
    int& fd = m_fd[hasOwnTable() ? 1 : 0];
    if (fd >= 0 && isFile(fd, m_identity)) return fd;
    fd = raw::open(m_path.text(), O_RDWR | O_NOFOLLOW);
    if (fd < 0) return fd;
    fd = moveHigh(fd);
    if (isFile(fd, m_identity)) return fd;
    raw::close(fd);  // another file of that name: ours was removed
    return fd = -ENOENT;
}

// Populated at once: a page met for the first time inside a hook costs 50 times an event.
// Rings are not marked MADV_DONTFORK: a child that comes to life without our fork handler (a bare clone call, or another
// library's handler that runs first) would die on its first event. It is kept off the rings by the guard page instead,
// which the kernel wipes in every child (recorder.h).
void* RingsFile::mapPart(std::uint64_t at, std::uint64_t bytes, Claim& outcome)
{
    const int fd = descriptor();
    if (fd < 0) return outcome = Claim::NoneLeft, nullptr;
    if (const long error = spool::reserveSpace(fd, at, bytes); error != 0) return outcome = outcomeOf(error), nullptr;
    void* const memory = raw::map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, static_cast<off_t>(at));
    if (memory == nullptr) outcome = Claim::NoneLeft;
    return memory;
}

Claim RingsFile::claim(std::uint32_t thread, std::uint32_t slots, spool::RingHeader*& into)
{
    into = takeFree(thread, slots);
    if (into != nullptr) return Claim::Done;
    if (!m_adding.enter(addingNs)) return Claim::NoneLeft;
    const Claim outcome = add(thread, slots, into);
    m_adding.leave();
    return outcome;
}

spool::RingHeader* RingsFile::takeFree(std::uint32_t thread, std::uint32_t slots)
{
    const std::uint32_t known = count();
    for (std::uint32_t index = 0; index < known; ++index) {
        spool::RingHeader* const ring = at(index);
        if (ring->capacity >= slots && takeOver(ring, thread)) return ring;
    }
    return nullptr;
}

Claim RingsFile::add(std::uint32_t thread, std::uint32_t slots, spool::RingHeader*& into)
{
    const std::uint64_t bytes = spool::segmentBytes(slots);
    const std::uint32_t index = m_count.load(std::memory_order_relaxed);
    if (index == mostSegments || m_bytes + bytes > mostRingBytes) return Claim::NoneLeft;
    Claim outcome = Claim::Done;
    auto* const ring = static_cast<spool::RingHeader*>(mapPart(m_bytes, bytes, outcome));
    if (ring == nullptr) return outcome;
    ring->thread.store(thread, std::memory_order_relaxed);
    ring->state.store(spool::RingState::Owned, std::memory_order_relaxed);
    formatSegment(ring, index, slots);
    m_bytes += bytes;
    m_rings[index].store(ring, std::memory_order_relaxed);
    m_count.store(index + 1, std::memory_order_release);
    page()->fileBytes.store(m_bytes, std::memory_order_relaxed);
    page()->segments.store(index + 1, std::memory_order_release);
    into = ring;
    return Claim::Done;
}

void RingsFile::forget(spool::RingHeader* kept)
{
    const std::uint32_t known = count();
    for (std::uint32_t index = 0; index < known; ++index) {
        spool::RingHeader* const ring = m_rings[index].exchange(nullptr, std::memory_order_relaxed);
        const std::size_t bytes = spool::segmentBytes(ring->capacity);
        if (ring == kept)
            raw::call(SYS_mmap, ring, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0L);
        else
            raw::unmap(ring, bytes);
    }
    if (page() != nullptr) raw::unmap(page(), spool::pageBytes);
    if (m_fd[0] >= 0 && isFile(m_fd[0], m_identity)) raw::close(m_fd[0]);
    m_page.store(nullptr, std::memory_order_relaxed);
    m_count.store(0, std::memory_order_relaxed);
    m_bytes = 0;
    m_fd = {-1, -1};
    m_adding.forget();
}

}  // namespace flowgauge::buffer
