// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace flowgauge::remote {

/// Who asks.
struct Login {
    std::string user, password;
};

}  // namespace flowgauge::remote
