// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/simulate/parameters.h"

namespace flowgauge::simulate {

/// What a node's page cache and the storage's own cache hold before an epoch, by the rule that hands out samples. Epochs count from 1.
///   reshuffle: a node has seen each sample by then with 1 - (1 - 1/N)^(k-1), and keeps what its memory can hold;
///   sticky:    the same samples again: all of them, or what memory can hold of them;
///   rotate:    of g ranks on a node one gets another node's samples, until the node has seen all.
class CacheModel {
public:
    explicit CacheModel(const Parameters& parameters) : m_parameters(parameters) {}

    /// Share of a node's bytes that it must fetch over the wire.
    [[nodiscard]] double fetchedShare(int epoch) const;
    /// Share of the fetched bytes that come from the storage's disks, not from its cache.
    [[nodiscard]] double diskShare(int epoch) const;
    /// Bytes per second at which a node fetches.
    [[nodiscard]] double nodeRate() const;

private:
    [[nodiscard]] double cacheBytes() const;
    const Parameters& m_parameters;
};

}  // namespace flowgauge::simulate
