// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::foreign {

/// What one file brought into the run.
struct ImportedFile {
    std::filesystem::path file;
    std::string format;  ///< "PyTorch profiler", "Nsight Systems"
    std::vector<std::int64_t> ranks;
    std::uint64_t bytes = 0;  ///< of JSON; 0 for other formats
    std::int64_t kernels = 0, copies = 0, calls = 0, collectives = 0, ranges = 0, steps = 0;
    std::vector<std::string> warnings;  ///< one line each
};

}  // namespace flowgauge::foreign
