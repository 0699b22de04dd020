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

/// A process of another host leaves a mark until its files have come over (instrument/life/hand_over.h).
bool awaitsMore(const std::filesystem::path& collected)
{
    for (const auto& entry : entriesOf(collected))
        if (entry.extension() == ".recording") return true;
    return false;
}

}  // namespace

std::vector<std::filesystem::path> spoolFoldersOf(const std::filesystem::path& run, const std::string& host)
{
    std::vector<std::filesystem::path> folders;
    std::ifstream file(run / "hosts" / (host + ".spool"));
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && std::find(folders.begin(), folders.end(), line) == folders.end()) folders.emplace_back(line);
    return folders;
}

SpoolFolders findSpoolFolders(const std::filesystem::path& run)
{
    SpoolFolders folders;
    std::error_code problem;
    for (const auto& folder : entriesOf(run / "spool"))
        if (std::filesystem::is_directory(folder, problem)) folders.found.push_back(folder);
    for (const auto& pointer : entriesOf(run / "hosts")) {
        if (pointer.extension() != ".spool") continue;
        const std::string host = pointer.stem().string();
        const std::filesystem::path collected = run / "spool" / host;
        // A shared spool root (a laptop, a test) shows another host's folder here as well; a path alone proves nothing, its
        // last part is the host.
        bool reached = false;
        for (const std::filesystem::path& folder : spoolFoldersOf(run, host)) {
            if (!std::filesystem::is_directory(folder, problem)) continue;
            folders.found.push_back(folder);
            reached = true;
        }
        if (!reached && host != hostName() && (!std::filesystem::is_directory(collected, problem) || awaitsMore(collected)))
            folders.missing.push_back(host);
    }
    return folders;
}

}  // namespace flowgauge::ingest
