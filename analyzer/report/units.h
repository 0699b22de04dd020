// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/sentence.h"
#include "analyzer/report/document.h"
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <cstdint>
#include <string>
#include <vector>

/// The only place that turns numbers into text, for the terminal, the HTML report and the window: three significant digits,
/// decimal units, times as 412 ms, 31.5 s, 1 h 12 min, shares as 31 %. Nothing here says nan, inf or -0.
namespace flowgauge::report {

[[nodiscard]] std::string share(double value);                  ///< 0..1 as "31 %", "4.2 %", "< 0.1 %", "0 %"
[[nodiscard]] std::string shareRange(double low, double high);  ///< "29–33 %", or one number when both read the same
[[nodiscard]] std::string duration(Nanos ns);                   ///< "412 ms"
[[nodiscard]] std::string bytes(double value);                  ///< "215 MB"
[[nodiscard]] std::string asBytes(std::int64_t value);          ///< the same of a count
[[nodiscard]] std::string bytesPerSecond(double value);         ///< "1.20 GB/s"
[[nodiscard]] std::string perSecond(double value);              ///< "29.0"
[[nodiscard]] std::string count(std::int64_t value);            ///< "48,211"
[[nodiscard]] std::string plural(std::int64_t number, const std::string& one, const std::string& many);  ///< "1 rank", "2 ranks"
[[nodiscard]] std::string estimate(findings::Estimate value);    ///< "24 % (± 4 %)"; "24 %" where the error is below what is shown
[[nodiscard]] std::string when(Interval interval);               ///< "8.412–8.540 s"
[[nodiscard]] std::string day(std::int64_t unixNs);              ///< "2026-11-29" (UTC)
[[nodiscard]] std::string ranks(const std::vector<int>& ranks);  ///< "rank 0–3", "ranks 0, 2"
[[nodiscard]] std::string sentence(const findings::Sentence& sentence);

[[nodiscard]] std::string ratio(double value);       ///< "3.52x"
[[nodiscard]] std::string gpuSeconds(double value);  ///< "1,230 GPU s"
[[nodiscard]] std::string change(double value);      ///< of a part, with its sign: "+66 %", "-4.2 %", "0 %"
[[nodiscard]] std::string fineChange(double value);  ///< the same to a tenth, where two are to be compared: "+11.6 %"

/// A value beside an axis: as above, without digits that say nothing ("20 MB/s", "1.5 GB/s").
[[nodiscard]] std::string axisLabel(double value, Quantity quantity);
/// Round times that divide [0, seconds] into about `wanted` pieces, in seconds: 1, 2, 5, 10, 15, 30 s, 1, 2, 5, ... min, h.
[[nodiscard]] std::vector<double> timeTicks(double seconds, int wanted);
/// One of them: "40 s", "15 min", "2 h" as the whole length asks for.
[[nodiscard]] std::string timeLabel(double seconds, double whole);

/// The text of a value, or "not measured (why)".
template <typename T, typename Format>
[[nodiscard]] std::string orWhy(const Measured<T>& value, Format format)
{
    return value.known() ? format(value.value()) : "not measured (" + value.reason() + ")";
}

/// The text of a value for a table's cell, where "not measured" is a dash.
template <typename T, typename Format>
[[nodiscard]] std::string cell(const Measured<T>& value, Format format)
{
    return value.known() ? format(value.value()) : "–";
}

}  // namespace flowgauge::report
