// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"

#include <vector>

namespace flowgauge::diagnoses {

/// When a loader that works behind the training let a step go on. It does not become faster when the step does: between two steps
/// that waited it took as long as it took, since nothing was left in its queue at either.
struct Feed {
    Nanos at = -1;   ///< the end of the step's last wait for data; -1: the step hardly waited
    Nanos took = 0;  ///< time of steps since the last one that waited; 0: there is none that this one follows
    [[nodiscard]] bool waited() const { return at >= 0; }
};

/// One a step; empty for a rank whose steps do not wait for a loader behind them: they hardly wait, or read for themselves.
[[nodiscard]] std::vector<Feed> feedsOf(const RankView& view);

}  // namespace flowgauge::diagnoses
