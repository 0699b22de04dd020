// SPDX-License-Identifier: MIT
#pragma once
#include "collector/run/launcher.h"
#include "collector/run/run_place.h"

#include <string>
#include <vector>

namespace flowgauge::run {

/// The job's environment: `inherited` ("KEY=value" texts) with LD_PRELOAD led by our library, the FLOWGAUGE_ variables
/// (environment.def), and PYTHONPATH led by our Python module. Throws Error where the library's path cannot stand in
/// LD_PRELOAD (a colon or a blank in it: the loader has no way to quote them).
[[nodiscard]] std::vector<std::string> jobEnvironment(std::vector<std::string> inherited, const Options& options, const RunPlace& place);

}  // namespace flowgauge::run
