// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace flowgauge::ingest {

/// Permission to write <run>/run.db, for one process of one host: SQLite's own locks do not hold on every network file system.
/// Throws Error that names who holds it. What a killed process of this host left is taken over; another host's is not.
class RunLock {
public:
    explicit RunLock(const std::filesystem::path& run);
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;
    ~RunLock();

private:
    std::filesystem::path m_file;
    int m_fd = -1;
};

}  // namespace flowgauge::ingest
