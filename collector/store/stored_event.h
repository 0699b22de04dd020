// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <array>
#include <cstdint>

namespace flowgauge::store {

/// Row id of a table; 0 is none.
using Id = std::int64_t;

/// An event as the store keeps it: ns since the run's zero, and row ids of `name` where kinds.def says `name`.
struct StoredEvent {
    Nanos begin;
    Nanos end;
    std::uint64_t link;
    Kind kind;
    std::uint16_t flags;
    std::array<std::int64_t, 4> arg;
    friend bool operator==(const StoredEvent&, const StoredEvent&) = default;
};

}  // namespace flowgauge::store
