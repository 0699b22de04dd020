// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"

namespace flowgauge::sample {

/// A call that took longer than this cannot be dated: the thread was stopped or lost its processor somewhere in it, and the value may be
/// of any moment of that time. 4 to 17 ms, by the tick; the slowest file of an adapter takes a few ms.
inline constexpr Ticks longestCall = Ticks{1} << 24;

/// Calls, and says when: the middle of the call. One that took too long is made once more where it says that it may be; of a source that
/// is always so slow the second answer is taken as it is.
template <typename Call>
[[nodiscard]] Ticks dated(const Call& call)
{
    Ticks begin = now();
    const bool mayRepeat = call();
    Ticks end = now();
    if (mayRepeat && end - begin > longestCall) {
        begin = now();
        static_cast<void>(call());
        end = now();
    }
    return begin + (end - begin) / 2;
}

}  // namespace flowgauge::sample
