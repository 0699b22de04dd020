// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/summary.h"

#include <string>
#include <vector>

namespace flowgauge::study {

enum class Measure : std::uint8_t { Time, Rate, Bytes, Share };
enum class Outcome : std::uint8_t { Better, Worse, Noise, Different, Unknown };

/// One number of both runs. The error is that of the change: the half width of its 95 % interval, from the spread within both runs.
struct Change {
    std::string what;
    Measure measure = Measure::Time;
    Measured<double> before, after;  ///< ns, 1/s, bytes, or 0..1
    double change = 0, error = 0;    ///< shares of `before`; of shares: the difference
    Outcome outcome = Outcome::Unknown;
};

struct Comparison {
    std::string before, after, simulated;
    std::vector<Change> changes;                ///< the first is the one that a gate looks at: step time, else throughput, else wall time
    std::vector<findings::Finding> came, went;  ///< worth fixing in one run, not told in the other
    /// What the first change is for the job's speed, as a share: above 0 it has become slower. 0 when it is noise or unknown.
    [[nodiscard]] double slower() const;
};

/// What is needed of one run.
struct Side {
    const diagnoses::Subject& subject;
    const findings::RunSummary& summary;
    const std::vector<findings::Finding>& findings;
};

/// Changes of less than this are noise whatever their error says: two recordings of one job differ by as much.
inline constexpr double leastChange = 0.01;

[[nodiscard]] Comparison compare(const Side& before, const Side& after);

}  // namespace flowgauge::study
