// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>
#include <span>
#include <string_view>

namespace flowgauge::diagnoses {

/// One question asked of every run. Adding a diagnosis is a pair of files and a row in diagnosis.cpp.
struct Diagnosis {
    std::string_view name;
    std::string_view question;
    std::optional<findings::Finding> (*answer)(const Subject&);  ///< nothing: the answer is no, or what it needs was not measured
};

[[nodiscard]] std::span<const Diagnosis> diagnoses();

/// Asks all questions; the answers worth telling, largest gain first.
[[nodiscard]] std::vector<findings::Finding> diagnose(const Subject& subject);

}  // namespace flowgauge::diagnoses
