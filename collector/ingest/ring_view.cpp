// SPDX-License-Identifier: MIT
#include "collector/ingest/ring_view.h"

#include "collector/record/error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bit>
#include <cerrno>
#include <cstring>

namespace flowgauge::ingest {
namespace {

/// Closes a descriptor at the end of its scope.
struct OpenFile {
    int fd;
    ~OpenFile() { ::close(fd); }
};

}  // namespace

RingView::RingView(const std::filesystem::path& file)
{
    const OpenFile rings{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat status = {};
    if (rings.fd < 0 || ::fstat(rings.fd, &status) != 0) throw Error(file.native(), "cannot be read: ", std::strerror(errno));
    m_bytes = static_cast<std::size_t>(status.st_size);
    if (m_bytes < spool::pageBytes) throw Error(file.native(), "expected a process page of 4096 bytes, found ", m_bytes, " bytes");
    void* const memory = ::mmap(nullptr, m_bytes, PROT_READ, MAP_SHARED, rings.fd, 0);
    if (memory == MAP_FAILED) throw Error(file.native(), "cannot be mapped: ", std::strerror(errno));
    m_memory = static_cast<std::byte*>(memory);
    const std::uint64_t magic = page().magic;
    const std::uint32_t version = page().version;
    if (magic == spool::ringsMagic && version == spool::spoolVersion) {
        findRings();
        return;
    }
    ::munmap(m_memory, m_bytes);
    if (magic != spool::ringsMagic) throw Error(file.native(), "not a rings file: expected it to begin with FGRINGS1");
    throw Error(file.native(), "version ", version, ", this build reads ", spool::spoolVersion);
}

RingView::~RingView() { ::munmap(m_memory, m_bytes); }

void RingView::findRings()
{
    const std::uint64_t wanted = page().segments.load(std::memory_order_acquire);
    std::uint64_t at = spool::pageBytes;
    while (m_rings.size() < wanted) {
        const auto* ring = reinterpret_cast<const spool::RingHeader*>(m_memory + at);
        const bool whole = at + spool::pageBytes <= m_bytes && ring->magic == spool::segmentMagic && std::has_single_bit(ring->capacity) &&
                           ring->index == m_rings.size() && at + spool::segmentBytes(ring->capacity) <= m_bytes;
        if (!whole) {
            m_complaint = "expected " + std::to_string(wanted) + " rings, found " + std::to_string(m_rings.size());
            return;
        }
        m_rings.push_back(ring);
        at += spool::segmentBytes(ring->capacity);
    }
}

std::vector<Event> RingView::copySlots(const spool::RingHeader& ring, std::uint64_t first, std::uint64_t end)
{
    const auto* slots = reinterpret_cast<const Event*>(reinterpret_cast<const std::byte*>(&ring) + spool::pageBytes);
    std::vector<Event> copy(end - first);
    for (std::uint64_t sequence = first; sequence < end; ++sequence) copy[sequence - first] = slots[sequence & (ring.capacity - 1)];
    return copy;
}

}  // namespace flowgauge::ingest
