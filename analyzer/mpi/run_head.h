// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/mpi/peers.h"
#include "analyzer/mpi/placed_part.h"

#include <filesystem>

namespace flowgauge::mpi {

/// A folder of this process that goes with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// A database in the folder that has of all parts what is few (store::addToHead), the same for all processes: each part's comes from
/// the process that reads it first. own: what this process sees, counted from the plan's zero.
[[nodiscard]] std::filesystem::path writeHead(const Peers& peers, const Plan& plan, SeenRuns& own, const TemporaryFolder& folder);

}  // namespace flowgauge::mpi
