// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {

/// Lightning's tqdm bar: epochs from 0, one rank's batches; below one batch a second it turns the rate round (s/it).
void readLightning(const LogPiece& piece, LogAccount& into)
{
    static const std::regex bar(R"(Epoch (\d+):\s+(\d+)%\|.*?\| (\d+)/(\d+) \[([\d:]+)<([\d:?]+),\s*([\d.?]+)(it/s|s/it)(.*)\])");
    const Found found(piece.text, bar);
    if (!found) return;
    into.format = "Lightning";
    into.seenInEpoch(found.whole(1) + 1, piece.at);
    const double shown = found.number(7);
    if (shown <= 0) return;
    into.rates.push_back({found.whole(1) + 1, found.whole(3), piece.at, RateOf::Rank, 0, found.text(8) == "it/s" ? 1 / shown : shown, 0});
}

}  // namespace flowgauge::facts
