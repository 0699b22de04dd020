// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {

/// tf_cnn_benchmarks: step lines hold the running mean since step 1 and, with Horovod, each rank prints its own; the total is the
/// whole job's already, and every rank prints it: one is taken, never their sum.
void readTfCnnBenchmarks(const LogPiece& piece, LogAccount& into)
{
    static const std::regex step(R"((\d+)\s+images/sec: ([\d.]+)(?: \+/- ([\d.]+) \(jitter = ([\d.]+)\))?\s+(nan|[\d.eE+-]+))");
    static const std::regex total(R"(total images/sec: ([\d.]+))");
    static const std::regex batch(R"((\d+) (global|per device))");
    if (const Found found(piece.text, total); found) {
        into.format = "tf_cnn_benchmarks";
        into.totalRate = found.number(1);
    } else if (const Found rate(piece.text, step); rate) {
        into.format = "tf_cnn_benchmarks";
        into.rates.push_back({0, rate.whole(1), piece.at, RateOf::Rank, rate.number(2), 0, 0});
        into.remark("rates of steps are running means since the first step");
    } else if (const Found size(piece.text, batch); size) {
        into.numbers[size.text(2) == "global" ? "global_batch" : "batch"] = size.number(1);
    }
}

}  // namespace flowgauge::facts
