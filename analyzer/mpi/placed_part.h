// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/open/open_run.h"

#include <map>
#include <string>
#include <vector>

namespace flowgauge::mpi {

/// A part of a run, as one process sees it. Two that see the same recording describe it alike, by whatever path they see it.
struct PlacedPart {
    std::size_t run = 0;         ///< position among the RUNs that were given
    std::uint64_t identity = 0;  ///< of the recording
    bool whole = true;           ///< see open::OpenedRun
    Interval recorded;           ///< Unix ns
    Nanos zeroUnixNs = 0;        ///< its own
    std::int64_t worldSize = 0;  ///< ranks that it says the job has; 0: it does not say
    std::vector<int> ranks;      ///< that it holds
    bool named = true;           ///< false: its ranks did not say which they are
};

/// What a process sees of the RUNs that were given.
struct SeenRuns {
    std::vector<PlacedPart> parts;
    std::map<std::uint64_t, open::OpenedRun> opened;  ///< by identity
};

[[nodiscard]] PlacedPart placedPartOf(open::OpenedRun& part, std::size_t run);

/// On their way to another process of the same program.
[[nodiscard]] std::string textOf(const std::vector<PlacedPart>& parts);
[[nodiscard]] std::vector<PlacedPart> placedPartsOf(const std::string& text);

/// A share of a part that one process is to read.
struct Task {
    std::size_t part = 0;  ///< position in Plan::parts
    facts::Share share;
};

/// Who reads what.
struct Plan {
    std::vector<PlacedPart> parts;         ///< each once, in order of the RUNs
    std::vector<std::vector<Task>> tasks;  ///< of each process
    bool seenByAll = true;                 ///< every process sees every part

    /// False: its only part is the whole run, and everybody sees it.
    [[nodiscard]] bool isJoined() const { return parts.size() > 1 || !seenByAll; }
    [[nodiscard]] std::size_t ranks() const;
    [[nodiscard]] Nanos zeroUnixNs() const;                      ///< the earliest of its parts
    [[nodiscard]] std::size_t holderOf(std::size_t part) const;  ///< the first process that reads of it
};

/// seen: by each process. A part is read by those that see it, in even shares where they are more than parts.
[[nodiscard]] Plan planOf(const std::vector<std::vector<PlacedPart>>& seen);

/// Throws Error where what was given is not one run: runs are the words as they were given.
void checkOneRun(const Plan& plan, const std::vector<std::string>& runs);

}  // namespace flowgauge::mpi
