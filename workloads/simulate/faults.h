// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/simulate/parameters.h"

#include <span>
#include <string_view>

namespace flowgauge::simulate {

/// A fault that can be injected. diagnoses: the names of the findings that would name it, any of them, separated by spaces.
struct FaultRow {
    std::string_view kind, amount, diagnoses;
    void (*apply)(const Fault& fault, Parameters& parameters);
};

[[nodiscard]] std::span<const FaultRow> faultRows();
[[nodiscard]] const FaultRow* findFault(std::string_view kind);  ///< nullptr: there is none of that name
[[nodiscard]] std::string faultNames();                          ///< for an error or the help, separated by commas

/// The parameters with all their faults at work; `except` leaves one of them out (-1: none).
[[nodiscard]] Parameters withFaults(const Parameters& parameters, int except = -1);

}  // namespace flowgauge::simulate
