// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"
#include "gui/load/data_thread.h"
#include "gui/load/side_by_side.h"

#include <memory>
#include <string>
#include <vector>

namespace flowgauge::load {

/// Several runs beside each other: the document that `flowgauge study` prints, and what could not be read.
struct StudyAnswer {
    report::Document document;
    report::Chart efficiency;           ///< what the document says in a table alone
    std::vector<std::string> failures;  ///< one line each: which run, and why
    std::size_t runs = 0;               ///< that are in it
};

/// Reads each run once, however often it is asked for, and keeps it open. One thread at a time.
class StudyRuns {
public:
    StudyRuns();
    ~StudyRuns();
    StudyRuns(const StudyRuns&) = delete;
    StudyRuns& operator=(const StudyRuns&) = delete;
    /// Paths as a user names them. Never throws: a run that cannot be read is a failure of the answer.
    [[nodiscard]] StudyAnswer answer(const std::vector<std::string>& paths, const Cancel& cancel);
    /// Those of the paths that answer() has read. Throws Error when one can no longer be read.
    [[nodiscard]] SideAnswer sides(const std::vector<std::string>& paths, const SideQuestion& question);

private:
    struct Known;
    std::unique_ptr<Known> m_known;
};

}  // namespace flowgauge::load
