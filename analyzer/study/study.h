// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/study/member.h"
#include "analyzer/study/published.h"

#include <optional>

namespace flowgauge::study {

/// One run against the smallest one.
struct Standing {
    Member member;
    double size = 1;               ///< times as many GPUs (nodes, where GPUs are not known)
    Measured<double> scaling;      ///< times the throughput
    Measured<double> efficiency;   ///< scaling by size, 0..1: what the machine loses
    Measured<double> speedUp;      ///< times as fast to the target
    Measured<double> statistical;  ///< epochs of the smallest by its own: what larger batches lose, 0..1
    UseSeconds lost{};             ///< GPU-seconds more than the smallest spent on each use, for as many epochs as that one
    double lostToEpochs = 0;       ///< GPU-seconds of the epochs that it needs beyond those of the smallest
    [[nodiscard]] double lostInAll() const;
};

/// How a value grows when nodes double: as a share, and as an amount; over all runs from the smallest to the largest.
struct Growth {
    std::string what;
    std::vector<double> shares, amounts;  ///< between neighbours, per doubling
    Measured<double> share, amount;       ///< from the smallest to the largest
};

struct Study {
    std::vector<Standing> runs;            ///< smallest first
    Growth disk, fetched, network;         ///< peak of disks, peak fetched, sent by a node
    bool byGpus = true;                    ///< size counts GPUs, else nodes
    std::optional<Published> published{};  ///< to be shown beside it
};

/// At least one run; in any order. Throws Error for none.
[[nodiscard]] Study studyOf(std::vector<Member> members);

}  // namespace flowgauge::study
