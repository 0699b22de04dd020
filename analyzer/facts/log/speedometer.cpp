// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

#include <cmath>

namespace flowgauge::facts {

/// MXNet's Speedometer and fit: epochs from 0. Its `accuracy=` is the training batch's (and junk where labels are smoothed); only
/// Validation-accuracy is an evaluation. The stock callback prints the rate of its own worker, and "Time cost" leaves validation out.
void readSpeedometer(const LogPiece& piece, LogAccount& into)
{
    static const std::regex speed(R"((?:Epoch|Iter)\[(\d+)\] Batch \[(?:(\d+)-)?(\d+)\]\s+Speed: ([\d.]+) samples/sec)");
    static const std::regex cost(R"(Epoch\[(\d+)\] Time cost=([\d.]+))");
    static const std::regex validation(R"(Epoch\[(\d+)\] Validation-(?:accuracy|acc|top_k_accuracy_1)=([\d.]+))");
    if (const Found found(piece.text, speed); found) {
        into.format = "MXNet Speedometer";
        into.seenInEpoch(found.whole(1) + 1, piece.at);
        into.rates.push_back({found.whole(1) + 1, found.whole(3), piece.at, RateOf::Rank, found.number(4), 0, 0});
    } else if (const Found took(piece.text, cost); took) {
        into.format = "MXNet Speedometer";
        if (piece.at >= 0) into.epochTook(took.whole(1) + 1, {piece.at - std::llround(took.number(2) * 1e9), piece.at});
    } else if (const Found quality(piece.text, validation); quality) {
        into.format = "MXNet Speedometer";
        into.evaluated(quality.whole(1) + 1, piece.at, quality.number(2));
    }
}

}  // namespace flowgauge::facts
