// SPDX-License-Identifier: MIT
#include "workloads/data/counted_file.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include "workloads/failure.h"
#include "workloads/faults/slow_storage.h"

namespace flowgauge::workloads {

static constexpr std::pair<const char*, ReadMode> readModes[] = {
    {"read", ReadMode::Read}, {"pread", ReadMode::Pread}, {"fread", ReadMode::Fread}, {"mmap", ReadMode::Mmap}};

ReadMode readModeOf(const std::string& name)
{
    for (const auto& [known, mode] : readModes)
        if (name == known) return mode;
    throw Failure("read mode", "expected read, pread, fread or mmap, found ", name);
}

const char* nameOf(ReadMode mode)
{
    for (const auto& [known, same] : readModes)
        if (mode == same) return known;
    return "?";
}

/// While it lives, reads of this thread are as slow as the plan says.
class SlowScope {
public:
    explicit SlowScope(double delayMs) : m_on(delayMs > 0)
    {
        if (m_on) slowStorageDelay(static_cast<long long>(delayMs * 1e6));
    }
    ~SlowScope()
    {
        if (m_on) slowStorageDelay(0);
    }
    SlowScope(const SlowScope&) = delete;
    SlowScope& operator=(const SlowScope&) = delete;

private:
    bool m_on;
};

CountedFile::CountedFile(std::string path, const ReadPlan& plan, Ledger& ledger) : m_path(std::move(path)), m_plan(plan), m_ledger(ledger)
{
    if (m_plan.mode == ReadMode::Fread)
        m_stream = std::fopen(m_path.c_str(), "rb");
    else
        m_descriptor = open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_stream == nullptr && m_descriptor < 0) throw Failure(m_path, "cannot be opened: ", std::strerror(errno));
    m_ledger.opened(m_path);
    if (m_plan.mode == ReadMode::Mmap) map();
}

CountedFile::~CountedFile()
{
    if (m_map != nullptr) munmap(const_cast<std::byte*>(m_map), m_mapBytes);
    if (m_stream != nullptr) std::fclose(m_stream);
    if (m_descriptor >= 0) close(m_descriptor);
}

void CountedFile::map()
{
    struct stat found {};
    if (fstat(m_descriptor, &found) != 0 || found.st_size <= 0) throw Failure(m_path, "is empty, nothing to map");
    m_mapBytes = static_cast<std::size_t>(found.st_size);
    void* const at = mmap(nullptr, m_mapBytes, PROT_READ, MAP_SHARED, m_descriptor, 0);
    if (at == MAP_FAILED) throw Failure(m_path, "cannot be mapped: ", std::strerror(errno));
    m_map = static_cast<const std::byte*>(at);
    m_ledger.mapped(m_path, m_mapBytes);
}

void CountedFile::seek(std::uint64_t offset)
{
    const auto to = static_cast<off_t>(offset);
    const bool done = m_plan.mode == ReadMode::Fread ? fseeko(m_stream, to, SEEK_SET) == 0 : lseek(m_descriptor, to, SEEK_SET) == to;
    if (!done) throw Failure(m_path, "cannot seek to ", offset, ": ", std::strerror(errno));
}

std::size_t CountedFile::readPiece(std::uint64_t offset, std::span<std::byte> into)
{
    const SlowScope slow(m_plan.delayMs);
    ssize_t got = 0;
    switch (m_plan.mode) {
        case ReadMode::Read:
            got = ::read(m_descriptor, into.data(), into.size());
            break;
        case ReadMode::Pread:
            got = ::pread(m_descriptor, into.data(), into.size(), static_cast<off_t>(offset));
            break;
        case ReadMode::Fread:
            got = static_cast<ssize_t>(std::fread(into.data(), 1, into.size(), m_stream));
            break;
        case ReadMode::Mmap:
            break;  // handled by the caller
    }
    m_ledger.read(m_path, got > 0 ? static_cast<std::uint64_t>(got) : 0);
    if (got < 0 && errno == EINTR) return 0;
    if (got <= 0)
        throw Failure(m_path, "expected ", into.size(), " bytes at ", offset, ", found ", got < 0 ? std::strerror(errno) : "the end");
    return static_cast<std::size_t>(got);
}

void CountedFile::readAt(std::uint64_t offset, std::span<std::byte> into)
{
    if (m_plan.mode == ReadMode::Mmap) {
        if (offset + into.size() > m_mapBytes) throw Failure(m_path, "expected ", into.size(), " bytes at ", offset, ", found the end");
        std::memcpy(into.data(), m_map + offset, into.size());
        return;
    }
    if (m_plan.mode != ReadMode::Pread) seek(offset);
    const std::size_t most = m_plan.pieceBytes > 0 ? m_plan.pieceBytes : into.size();
    for (std::size_t done = 0; done < into.size();)
        done += readPiece(offset + done, into.subspan(done, std::min(most, into.size() - done)));
}

void dropCached(const std::string& path, Ledger& ledger)
{
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Failure(path, "cannot be opened: ", std::strerror(errno));
    ledger.opened(path);
    fdatasync(descriptor);
    const int refused = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
    if (refused != 0) throw Failure(path, "the kernel keeps its cached pages: ", std::strerror(refused));
}

}  // namespace flowgauge::workloads
