// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/file_look.h"

#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// What a look at the data set gave; the counters of its place.
struct DataSetReading {
    std::uint64_t files = 0;                         ///< that the job has opened, as far as they are known
    std::uint64_t lookedFiles = 0, lookedBytes = 0;  ///< the sample of them
    std::uint64_t residentBytes = 0;
    std::uint64_t variance = 0;  ///< of residentBytes / lookedBytes as an estimate for all files, times 10^12
};

/// Adds up looks at the files of a random sample, and says how sure their sum is: the ratio estimator of survey sampling (resident over
/// size, so that large files count for what they hold), with the correction for a sample that is a large part of the whole.
class DataRound {
public:
    void add(const FileLook& look);
    [[nodiscard]] DataSetReading reading(double filesInAll) const;
    [[nodiscard]] bool used(LookMethod method) const { return (m_methods >> static_cast<unsigned>(method) & 1U) != 0; }
    [[nodiscard]] std::string_view why() const { return m_why; }  ///< of the last file that did not tell; "" where all did

private:
    [[nodiscard]] double variance(double filesInAll) const;
    double m_files = 0, m_bytes = 0, m_resident = 0;
    double m_bytes2 = 0, m_resident2 = 0, m_product = 0, m_pieces = 0;
    unsigned m_methods = 0;
    std::string_view m_why;
};

}  // namespace flowgauge::sample
