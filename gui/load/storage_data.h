// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/file_reads.h"
#include "analyzer/facts/over_time.h"
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"
#include "gui/timeline/chart.h"

#include <unordered_map>
#include <vector>

namespace flowgauge::load {

/// What flowed in a piece of time, in equal slices of it, and how the page cache grew. All hosts together.
struct StorageFlow {
    facts::OverTime layers;
    std::vector<double> pageCache;  ///< bytes; empty: not sampled
    double memory = 0;              ///< bytes of all hosts; 0: not known
};
[[nodiscard]] StorageFlow storageFlow(store::RunStore& store, Interval when, std::size_t slices);

/// One data file, read by the shown ranks over the whole run.
struct FileFigures {
    store::Id file = 0;
    std::string path;
    std::int64_t calls = 0, bytes = 0;
    Nanos time = 0, longest = 0;
    std::int64_t furthest = 0;  ///< byte behind the last one that was read; 0: offsets are not known
};

struct StorageReads {
    std::vector<FileFigures> files;  ///< in order of path
    store::Histogram byLog2{};       ///< calls by bit_width(ns)
};
/// ranks: empty means all. Decodes the read events once, for their offsets.
[[nodiscard]] StorageReads storageReads(store::RunStore& store, const RunSnapshot& run, const std::vector<int>& ranks,
                                        const Cancel& cancel);

/// Where in the files was read, against time: bytes by cell. Files in order of path, one below the other; a file takes as much height as
/// any other. Reads whose offset is not known stand at their file's beginning.
/// tracks: as fileTracks gives them; empty means none.
[[nodiscard]] timeline::Grid accessMap(store::RunStore& store, std::vector<store::Id> tracks, const std::vector<FileFigures>& files,
                                       Interval when, const Cancel& cancel);

/// Which tracks belong to the shown ranks and hold file calls.
[[nodiscard]] std::vector<store::Id> fileTracks(const RunSnapshot& run, const std::vector<int>& ranks);

}  // namespace flowgauge::load
