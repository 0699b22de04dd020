// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::study {

/// What somebody published of such a job, to stand beside one's own figures. Trends are drawn as they were published, never fitted.
struct Published {
    struct Run {
        std::int64_t nodes = 0;
        double speedUp = 0;       ///< to the target, against the smallest run
        std::int64_t epochs = 0;  ///< to the target
    };
    /// What links of another speed gained, all else alike.
    struct LinkGain {
        std::int64_t nodes = 0;
        double from = 0, to = 0;  ///< bytes a second
        double throughput = 0;    ///< a share: 0.06 is 6 % more samples a second
    };
    std::string source;
    std::vector<Run> runs;                ///< smallest first
    std::optional<double> diskShare;      ///< by which the disks' peak grows when nodes double
    std::optional<double> networkAmount;  ///< bytes a second by which what a node sends grows when nodes double
    std::vector<LinkGain> links;

    /// Nothing where no run of that size was published.
    [[nodiscard]] const Run* runOn(std::int64_t nodes) const;
    /// Times the throughput of the smallest published run: a speed-up holds the epochs too.
    [[nodiscard]] double scalingOf(const Run& run) const;
    /// Nothing where no such change of links was published.
    [[nodiscard]] std::optional<double> gainOf(std::int64_t nodes, double fromBytesPerSecond, double toBytesPerSecond) const;
};

}  // namespace flowgauge::study
