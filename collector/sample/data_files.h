// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// A file that the job has opened for reading.
struct DataFile {
    std::uint64_t hash = 0;  ///< of its path; 0: none
    std::uint64_t device = 0, inode = 0;
    std::uint64_t length = 0;  ///< of the path
    std::array<char, 480> path;

    [[nodiscard]] std::string_view name() const { return {path.data(), length < path.size() ? length : path.size() - 1}; }
    /// False for one that does not fit.
    bool set(std::string_view name, std::uint64_t ofDevice, std::uint64_t ofInode);
    /// True when the path is the hash's: who wrote it was not killed half way.
    [[nodiscard]] bool whole() const;
};
static_assert(sizeof(DataFile) == 512);

/// The files with the smallest hashes of all that a host's processes have opened: a random sample of the data set that all processes
/// agree on without a word, however often each file is opened. It lies in the file "data.files" of the spool folder.
class DataFiles {
public:
    static constexpr std::size_t most = 512;

    /// Maps room from the kernel; false when there is none.
    bool create();
    void release();
    /// Reads them from an open table. None where it cannot be read.
    void read(int fd);
    /// Puts a file among them if it belongs there. Its place, or -1 where nothing changed.
    int insert(const DataFile& file);
    [[nodiscard]] const DataFile& operator[](std::size_t at) const { return m_files[at]; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    /// How many files the job has opened: of more than can be kept, by how small the kept hashes are.
    [[nodiscard]] double filesInAll() const;
    /// No file with a larger hash belongs here.
    [[nodiscard]] std::uint64_t largestHash() const;
    [[nodiscard]] bool has(std::uint64_t hash) const;

private:
    [[nodiscard]] std::size_t largest() const;
    DataFile* m_files = nullptr;
    std::size_t m_count = 0;
};

/// Opens the table of a spool folder; -errno where it is not there.
[[nodiscard]] int openDataFiles(std::string_view folder, int flags);

/// What this process has opened, on its way to the table: few files have a hash small enough, and each is offered once.
class DataFileOffers {
public:
    constexpr DataFileOffers() = default;
    /// From any thread and signal handler, at an open: a hash, and now and then a copy. Waits for nobody; while another thread is at it
    /// the file is left out, until it is opened again.
    void offer(std::string_view path, std::uint64_t device, std::uint64_t inode);
    /// Puts into the table what was offered. One thread; where another process is at the table, the next call does it.
    void flush(std::string_view folder);
    void forgetAfterFork();

private:
    static constexpr std::size_t mostPending = 64, mostSeen = 1024;
    [[nodiscard]] bool enter();
    void leave() { m_held.store(false, std::memory_order_release); }
    void putPending(int table);

    std::atomic<std::uint64_t> m_largest{UINT64_MAX};  ///< hashes above it do not belong into the table
    std::array<std::atomic<std::uint64_t>, mostSeen> m_seen{};
    std::atomic<bool> m_held{false};
    std::atomic<std::size_t> m_count{0};
    std::array<DataFile, mostPending> m_pending{};
};

}  // namespace flowgauge::sample
