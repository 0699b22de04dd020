// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include "workloads/ledger.h"

namespace flowgauge::workloads {

/// How data files are read.
enum class ReadMode { Read, Pread, Fread, Mmap };

[[nodiscard]] ReadMode readModeOf(const std::string& name);
[[nodiscard]] const char* nameOf(ReadMode mode);

/// How a file is read, and what is done wrong on purpose for tests.
struct ReadPlan {
    ReadMode mode = ReadMode::Pread;
    std::size_t pieceBytes = 0;  ///< above 0: a record is read in pieces of that size
    double delayMs = 0;          ///< above 0: the storage takes that much longer, a call
};

/// A data file whose every open and read is entered in the ledger. Not shared between threads (position, stdio buffer).
class CountedFile {
public:
    /// Throws Failure when the file cannot be opened (or mapped).
    CountedFile(std::string path, const ReadPlan& plan, Ledger& ledger);
    ~CountedFile();
    CountedFile(const CountedFile&) = delete;
    CountedFile& operator=(const CountedFile&) = delete;

    /// Fills `into` from `offset`. Throws Failure when the file ends before or cannot be read.
    void readAt(std::uint64_t offset, std::span<std::byte> into);
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    void map();
    void seek(std::uint64_t offset);
    [[nodiscard]] std::size_t readPiece(std::uint64_t offset, std::span<std::byte> into);

    std::string m_path;
    ReadPlan m_plan;
    Ledger& m_ledger;
    int m_descriptor = -1;
    std::FILE* m_stream = nullptr;
    const std::byte* m_map = nullptr;
    std::size_t m_mapBytes = 0;
};

/// Asks the kernel to forget the cached pages of a file (a drop of the cache that needs no root). Enters one open.
/// Dirty pages stay: a freshly written file must be synced first, which this does.
void dropCached(const std::string& path, Ledger& ledger);

}  // namespace flowgauge::workloads
