// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/counter_sink.h"
#include "collector/sample/sys_root.h"

namespace flowgauge::sample {

/// What a sampler works with, lent to it for one call.
struct Pass {
    const SysRoot& root;
    Scratch& scratch;
    SourceTable& sources;
    CounterSink& sink;
};

/// What a sampler says of its source when it is opened: a line of the run's ledger.
struct Availability {
    bool present = false;
    std::string_view reason;  ///< a text that lives forever
};

}  // namespace flowgauge::sample
