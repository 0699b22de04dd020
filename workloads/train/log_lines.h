// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace flowgauge::workloads {

/// A key of an MLPerf line's metadata and its number.
using LogNumber = std::pair<const char*, std::uint64_t>;

/// What an MLPerf line says happened.
enum class LogMoment { Begin, End, Point };

/// One MLPerf logging line of round 0.7 and later, without the newline:
/// :::MLLOG {"namespace": "", "time_ms": 1593141083425, "event_type": "INTERVAL_START", "key": "epoch_start", "value": null, "metadata":
/// {...}} `value` is JSON.
[[nodiscard]] std::string mllogLine(std::int64_t unixMs, LogMoment moment, std::string_view key, const std::string& value,
                                    std::initializer_list<LogNumber> metadata);

/// What a rate line tells; the rate is that of all ranks.
struct RateLine {
    std::uint64_t epochFromZero = 0, firstBatch = 0, lastBatch = 0;
    double samplesPerSecond = 0;
    std::optional<double> accuracy, loss;  ///< left out where nothing learns
};

/// The line of MXNet's Speedometer as MLPerf submissions print it, after the time of day.
[[nodiscard]] std::string speedometerLine(const RateLine& rate);

/// Now, CLOCK_REALTIME.
[[nodiscard]] std::int64_t unixNs();

}  // namespace flowgauge::workloads
