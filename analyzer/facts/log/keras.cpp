// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {
namespace {

double secondsOf(std::string_view unit) { return unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1.0; }

/// Only the last redraw of an epoch counts: its line has all steps.
void takeEnd(const Found& line, const LogPiece& piece, LogAccount& into)
{
    const auto seconds = static_cast<Nanos>(line.whole(3)) * 1'000'000'000;
    const std::int64_t epoch = std::max<std::int64_t>(into.lastEpoch(), 1);
    into.format = "Keras";
    if (piece.at >= 0) into.epochTook(epoch, {piece.at - seconds, piece.at});
    if (!line.has(4)) return;
    const double each = line.number(4) * secondsOf(line.text(5));
    const bool samples = line.text(6) == "sample";
    into.rates.push_back({epoch, line.whole(1), piece.at, RateOf::Rank, samples && each > 0 ? 1 / each : 0, samples ? 0 : each, 0});
}

}  // namespace

/// Keras' progress bar, old, 2 and 3: epochs from 1; whole seconds.
void readKeras(const LogPiece& piece, LogAccount& into)
{
    static const std::regex epoch(R"(^Epoch (\d+)/(\d+)\s*$)");
    static const std::regex bar(R"((\d+)/(\d+) \S+ (?:- )?(\d+)s (?:(\d+)(us|ms|s)/(step|sample) )?- (.*)$)");
    static const std::regex validation(R"(val_(?:acc|accuracy|sparse_categorical_accuracy|categorical_accuracy): ([\d.]+))");
    if (const Found begins(piece.text, epoch); begins) {
        into.format = "Keras";
        into.seenInEpoch(begins.whole(1), piece.at);
        return;
    }
    const Found found(piece.text, bar);
    if (!found || found.text(1) != found.text(2)) return;
    takeEnd(found, piece, into);
    if (const Found quality(found.text(7), validation); quality)
        into.evaluated(std::max<std::int64_t>(into.lastEpoch(), 1), piece.at, quality.number(1));
}

}  // namespace flowgauge::facts
