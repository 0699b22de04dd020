// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {

/// timm's train.py: the whole job's rate, printed by the first rank alone; each value with its mean behind it.
void readTimm(const LogPiece& piece, LogAccount& into)
{
    static const std::regex train(
        R"(Train: (\d+) \[\s*(\d+)/(\d+) \(\s*(\d+)%\)\]\s+Loss: (\S+) \(\s*(\S+)\)\s+)"
        R"(Time: ([\d.]+)s,\s*([\d.]+)/s\s+\(\s*([\d.]+)s,\s*([\d.]+)/s\)(?:\s+LR: (\S+))?(?:\s+Data: ([\d.]+) \(\s*([\d.]+)\))?)");
    static const std::regex test(R"(Test: \[\s*(\d+)/(\d+)\].*Acc@1:\s*[\d.]+ \(\s*([\d.]+)\))");
    if (const Found found(piece.text, train); found) {
        into.format = "timm";
        into.seenInEpoch(found.whole(1) + 1, piece.at);
        into.rates.push_back(
            {found.whole(1) + 1, found.whole(2), piece.at, RateOf::Job, found.number(8), found.number(7), found.number(12)});
    } else if (const Found quality(piece.text, test); quality && quality.whole(1) == quality.whole(2)) {
        into.format = "timm";
        into.evaluated(into.lastEpoch(), piece.at, quality.number(3) / 100);
    }
}

}  // namespace flowgauge::facts
