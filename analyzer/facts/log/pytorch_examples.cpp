// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {

/// examples/imagenet/main.py: "value (mean)" pairs; Data is the part of Time that waited for the loader. Every rank prints; samples
/// a step are not told.
void readPytorchExamples(const LogPiece& piece, LogAccount& into)
{
    static const std::regex step(
        R"(Epoch: \[(\d+)\]\[\s*(\d+)/(\d+)\]\s+Time\s+([\d.]+) \(\s*([\d.]+)\)\s+Data\s+([\d.]+) \(\s*([\d.]+)\))");
    static const std::regex result(R"(^\s*\* +Acc@1 ([\d.]+) Acc@5 ([\d.]+))");
    if (const Found found(piece.text, step); found) {
        into.format = "PyTorch examples";
        into.seenInEpoch(found.whole(1) + 1, piece.at);
        into.rates.push_back({found.whole(1) + 1, found.whole(2), piece.at, RateOf::Rank, 0, found.number(4), found.number(6)});
    } else if (const Found quality(piece.text, result); quality) {
        into.format = "PyTorch examples";
        into.evaluated(into.lastEpoch(), piece.at, quality.number(1) / 100);
    }
}

}  // namespace flowgauge::facts
