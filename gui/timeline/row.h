// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/store/stored_event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::timeline {

enum class RowKind : std::uint8_t {
    Host,           ///< a heading
    Rank,           ///< the rank's steps; while it is folded, its lanes in one strip
    Parts,          ///< compute, copies and input stall
    Communication,  ///< collectives and messages, what no compute hides on top
    Phases,         ///< what the program says it does
    Events,         ///< any other track: file reads, GPU streams, calls
    Counter,        ///< curves
};

/// One curve of a counter row; several tracks are summed (all mounts of a host).
struct Line {
    std::string label;  ///< "received"
    Counter counter{};
    std::vector<store::Id> tracks;
    Counter over{};  ///< with perCount: the counter whose growth divides
    std::vector<store::Id> overTracks;
};

/// How a counter row's values read.
enum class Unit : std::uint8_t { BytesPerSecond, Bytes, Share, Milliseconds, PerSecond };

/// A row of the timeline, in the order of the page: host, its counters, its ranks, their lanes.
struct Row {
    std::string id;     ///< the same for the same thing in every run: what is pinned or hidden is kept by it
    std::string label;  ///< short
    std::string hint;   ///< a sentence
    RowKind kind = RowKind::Events;
    int depth = 0;
    std::optional<std::size_t> parent;  ///< of lanes and ranks: the heading they fold under
    std::optional<int> rank;            ///< number of the rank
    std::size_t rankAt = 0;             ///< its position in the facts
    std::vector<store::Id> tracks;
    std::vector<Line> lines;
    Unit unit = Unit::BytesPerSecond;
    double ceiling = 0;  ///< of the link, in the unit; 0: not known
    int heightPx = 20;
};

}  // namespace flowgauge::timeline
