// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {

/// Horovod's synthetic benchmarks: an Iter is ten batches unless it was told otherwise; the total line says over how many devices.
void readHorovod(const LogPiece& piece, LogAccount& into)
{
    static const std::regex iteration(R"(Iter #(\d+): ([\d.]+) img/sec per (\w+))");
    static const std::regex total(R"(Total img/sec on (\d+) (\w+)\(s\): ([\d.]+) \+-\s*([\d.]+))");
    static const std::regex batch(R"(^(?:\[\d+,\d+\]<\w+>:)?Batch size: (\d+)\s*$)");
    if (const Found found(piece.text, total); found) {
        into.format = "Horovod";
        into.totalRate = found.number(3);
        into.numbers["ranks"] = found.number(1);
    } else if (const Found rate(piece.text, iteration); rate) {
        into.format = "Horovod";
        into.rates.push_back({0, rate.whole(1), piece.at, RateOf::Rank, rate.number(2), 0, 0});
    } else if (const Found size(piece.text, batch); size) {
        into.numbers["batch"] = size.number(1);
    }
}

}  // namespace flowgauge::facts
