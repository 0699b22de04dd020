// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/contexts.h"
#include "instrument/nccl/places.h"

/// What is recorded later than it happens: the members of a group when it ends, calls of which nothing more is told, and the steps of
/// a proxy operation as one sum.
namespace flowgauge::nccl::plugin {

/// Records the members of a group that the caller owns, those on one communicator as one operation where they are one, and gives all
/// places back. end 0: each member says itself when it ended, or is incomplete.
struct Closing {
    Ticks end = 0;
    std::uint16_t flags = 0;
};
void closeGroup(EventPlace& group, Closing closing = {});

/// Records the calls of a communicator that wait, except those that were carried out meanwhile.
void recordWaiting(Context& context);

void beginStep(ProxyPlace& place, std::uint32_t step, Ticks at);
/// A state that is told again is ignored: a sender says at every poll that the receiver is not ready.
void changeStep(ProxyPlace& place, std::uint32_t step, int state, std::uint64_t bytes);
void stopStep(ProxyPlace& place, std::uint32_t step, Ticks at);
/// Adds an open step to its operation; nothing for one that is not open.
void endStep(ProxyPlace& place, StepTime& step, Ticks at);

}  // namespace flowgauge::nccl::plugin
