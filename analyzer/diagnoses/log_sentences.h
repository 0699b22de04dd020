// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log_facts.h"
#include "analyzer/findings/sentence.h"

#include <vector>

namespace flowgauge::diagnoses {

/// What the job's own output says of the whole run, for people; empty where there is no log that is understood.
[[nodiscard]] std::vector<findings::Sentence> sentencesOf(const facts::LogFacts& log);

}  // namespace flowgauge::diagnoses
