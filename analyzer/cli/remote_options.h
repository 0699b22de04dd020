// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/orders.h"

namespace CLI {
class App;
}

namespace flowgauge::cli {

/// Adds the options that name servers to ask beside a run. `wishes` must live as long as the command.
void addRemoteOptions(CLI::App& command, remote::Wishes& wishes);

}  // namespace flowgauge::cli
