// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>
#include "workloads/data/record_format.h"

namespace flowgauge::workloads {

/// What to write.
struct DatasetPlan {
    std::filesystem::path folder;
    unsigned samples = 1024, validation = 128, shards = 4, classes = 10;
    std::size_t meanBytes = 20'000;  ///< of a JPEG; single ones differ by up to 40 %
    int edgePx = 80, quality = 85;
    std::uint64_t seed = 1;
    bool asFiles = false;  ///< a JPEG file each, in folders named for the class, instead of shards
};

/// What was written for one part.
struct PartTotals {
    std::uint64_t records = 0, payloadBytes = 0, fileBytes = 0;
};

/// Writes `part` with `samples` records to the folder, which exists, in equal shards; tells each record done. Throws Failure when
/// a file cannot be written.
[[nodiscard]] PartTotals writePart(const DatasetPlan& plan, const std::string& part, unsigned samples,
                                   const std::function<void()>& recordDone);

/// Writes the whole set into a new folder: both parts and dataset.json. Throws Failure when the folder exists and is not empty.
/// `progress` gets records done and records in all.
void writeDataset(const DatasetPlan& plan, const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace flowgauge::workloads
