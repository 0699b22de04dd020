// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/recording.h"

#include <chrono>

namespace flowgauge::remote {

/// A server, or ports of a fabric, whose numbers are asked for from time to time.
class Source {
public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;

    /// Asks once for everything and records it. Throws Error when nothing could be had.
    virtual void poll(Http& http, Recording& recording) = 0;
    /// How often its numbers are new.
    [[nodiscard]] virtual std::chrono::seconds period() const = 0;
    /// More often is a burden for who answers.
    [[nodiscard]] virtual std::chrono::seconds leastPeriod() const { return std::chrono::seconds(5); }
    /// True when asking again is useless or harmful: the password was refused.
    [[nodiscard]] virtual bool givenUp() const = 0;
};

}  // namespace flowgauge::remote
