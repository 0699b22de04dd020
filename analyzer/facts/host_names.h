// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <optional>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// What a host of the run is called: its name, with a number behind it from the second host of the same name on. Machines cloned from one
/// image may share a name; their boot ids differ.
[[nodiscard]] std::string nameOfHost(const std::vector<store::HostRow>& hosts, store::Id id);

/// The one host of that name; none where several have it or nobody has.
[[nodiscard]] const store::HostRow* findHost(const std::vector<store::HostRow>& hosts, const std::string& name);

}  // namespace flowgauge::facts
