// SPDX-License-Identifier: MIT
#include "collector/ingest/ingest.h"
#include "collector/ingest/liveness.h"

#include <algorithm>
#include <fstream>

namespace flowgauge::ingest {
namespace {

/// Entries of a folder in order of their names; none where there is no such folder.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> entries;
    std::error_code problem;
    for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
        entries.push_back(at->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace

SpoolFolders findSpoolFolders(const std::filesystem::path& run)
{
    SpoolFolders folders;
    std::error_code problem;
    for (const auto& folder : entriesOf(run / "spool"))
        if (std::filesystem::is_directory(folder, problem)) folders.found.push_back(folder);
    for (const auto& pointer : entriesOf(run / "hosts")) {
        if (pointer.extension() != ".spool") continue;
        std::string target;
        std::ifstream file(pointer);
        std::getline(file, target);
        const std::string host = pointer.stem().string();
        const bool collected = std::filesystem::is_directory(run / "spool" / host, problem);
        // A shared spool root (a laptop, a test) shows another host's folder here as well; a path alone proves nothing, its
        // last part is the host.
        if (!target.empty() && std::filesystem::is_directory(target, problem))
            folders.found.emplace_back(target);
        else if (host != hostName() && !collected)
            folders.missing.push_back(host);
    }
    return folders;
}

}  // namespace flowgauge::ingest
