// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <string>

namespace flowgauge::diagnoses {

/// What the ranks did between two epochs, as far as it was recorded: ns, medians over ranks. None counts what one before it explains.
struct GapEvidence {
    Nanos length = 0;      ///< beyond an ordinary border
    Nanos evaluation = 0;  ///< marked, or told by the job's log
    Nanos checkpoint = 0;  ///< marked
    Nanos shuffle = 0;     ///< marked
    Nanos writes = 0;      ///< inside of write calls
    Nanos loader = 0;      ///< a step waits for data, or its thread reads
    /// What has a diagnosis of its own.
    [[nodiscard]] Nanos named() const { return evaluation + checkpoint; }
    GapEvidence& operator+=(const GapEvidence& other);
};

/// border: from the end of the last step before it to the begin of the first step behind it.
[[nodiscard]] GapEvidence evidenceOf(const Subject& subject, Interval border, Nanos length);

/// What explains at least half of the gap: "files are written: checkpoints, most likely"; or that its cause is unknown.
[[nodiscard]] std::string causeOf(const GapEvidence& gap);

/// Title, evidence in words and advice by what explains at least half of the gap; a gap that nothing explains is said to be one.
void describeCause(const GapEvidence& gap, findings::Finding& finding);

}  // namespace flowgauge::diagnoses
