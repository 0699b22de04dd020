// SPDX-License-Identifier: MIT
#include "collector/sample/data_files.h"

#include "collector/buffer/interned.h"
#include "collector/record/raw.h"
#include "collector/sample/sys_root.h"

#include <cstring>

namespace flowgauge::sample {
namespace {

constexpr std::size_t tableBytes = DataFiles::most * sizeof(DataFile);

/// A record lock: a killed holder's ends with it, and a forked child has none (see election.h).
bool lockTable(int fd)
{
    struct flock wish = {};
    wish.l_type = F_WRLCK;
    wish.l_whence = SEEK_SET;
    return raw::call(SYS_fcntl, fd, F_SETLK, &wish) == 0;
}

}  // namespace

bool DataFile::set(std::string_view name, std::uint64_t ofDevice, std::uint64_t ofInode)
{
    if (name.empty() || name.size() >= path.size()) return false;
    hash = buffer::hashOf(name);
    device = ofDevice;
    inode = ofInode;
    length = name.size();
    std::memcpy(path.data(), name.data(), name.size());
    path[name.size()] = '\0';
    return true;
}

bool DataFile::whole() const
{
    return hash != 0 && length > 0 && length < path.size() && path[length] == '\0' && buffer::hashOf(name()) == hash;
}

bool DataFiles::create()
{
    if (m_files == nullptr)
        m_files = static_cast<DataFile*>(raw::map(tableBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    m_count = 0;
    return m_files != nullptr;
}

void DataFiles::release()
{
    if (m_files != nullptr) raw::unmap(m_files, tableBytes);
    m_files = nullptr;
    m_count = 0;
}

void DataFiles::read(int fd)
{
    const ssize_t got = raw::pread(fd, m_files, tableBytes, 0);
    m_count = got > 0 ? static_cast<std::size_t>(got) / sizeof(DataFile) : 0;
}

bool DataFiles::has(std::uint64_t hash) const
{
    for (std::size_t at = 0; at < m_count; ++at)
        if (m_files[at].hash == hash) return true;
    return false;
}

std::size_t DataFiles::largest() const
{
    std::size_t found = 0;
    for (std::size_t at = 1; at < m_count; ++at)
        if (m_files[at].hash > m_files[found].hash) found = at;
    return found;
}

int DataFiles::insert(const DataFile& file)
{
    if (has(file.hash)) return -1;
    const bool full = m_count == most;
    const std::size_t place = full ? largest() : m_count;
    if (full && m_files[place].hash < file.hash) return -1;
    if (!full) ++m_count;
    m_files[place] = file;
    return static_cast<int>(place);
}

/// Of k values that are spread evenly over 0 to 1 and are the smallest of n, the largest lies at about k / n.
double DataFiles::filesInAll() const
{
    constexpr double allHashes = 18446744073709551616.0;
    if (m_count < most) return static_cast<double>(m_count);
    return static_cast<double>(most - 1) / (static_cast<double>(m_files[largest()].hash) / allHashes);
}

std::uint64_t DataFiles::largestHash() const { return m_count < most ? UINT64_MAX : m_files[largest()].hash; }

int openDataFiles(std::string_view folder, int flags)
{
    Path path(folder);
    path.add("/data.files");
    return path.fits() ? raw::open(path.text(), flags | O_NOFOLLOW, 0600) : -ENAMETOOLONG;
}

bool DataFileOffers::enter() { return !m_held.exchange(true, std::memory_order_acquire); }

void DataFileOffers::offer(std::string_view path, std::uint64_t device, std::uint64_t inode)
{
    const std::uint64_t hash = buffer::hashOf(path);
    if (hash > m_largest.load(std::memory_order_relaxed)) return;
    std::atomic<std::uint64_t>& seen = m_seen[hash / 2 % mostSeen];
    if (seen.load(std::memory_order_relaxed) == hash || !enter()) return;
    const std::size_t count = m_count.load(std::memory_order_relaxed);
    if (count < mostPending && m_pending[count].set(path, device, inode)) {
        m_count.store(count + 1, std::memory_order_relaxed);
        seen.store(hash, std::memory_order_relaxed);
    }
    leave();
}

void DataFileOffers::flush(std::string_view folder)
{
    if (m_count.load(std::memory_order_relaxed) == 0) return;
    const int table = openDataFiles(folder, O_RDWR | O_CREAT);
    if (table < 0) return;
    if (lockTable(table) && enter()) {
        putPending(table);
        leave();
    }
    raw::close(table);
}

void DataFileOffers::putPending(int table)
{
    DataFiles files;
    if (files.create()) {
        files.read(table);
        for (std::size_t at = 0; at < m_count.load(std::memory_order_relaxed); ++at) {
            const int place = files.insert(m_pending[at]);
            const auto begin = static_cast<off_t>(place) * static_cast<off_t>(sizeof(DataFile));
            if (place >= 0) static_cast<void>(raw::pwrite(table, &files[static_cast<std::size_t>(place)], sizeof(DataFile), begin));
        }
        m_largest.store(files.largestHash(), std::memory_order_relaxed);
    }
    files.release();
    m_count.store(0, std::memory_order_relaxed);
}

void DataFileOffers::forgetAfterFork()
{
    m_held.store(false, std::memory_order_relaxed);
    m_count.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::sample
