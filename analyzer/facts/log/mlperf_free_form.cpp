// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_text.h"
#include "analyzer/facts/log/mlperf.h"
#include "analyzer/facts/log/readers.h"

#include <nlohmann/json.hpp>

namespace flowgauge::facts {
namespace {

/// "75.98000%," is no JSON: the share as a number.
std::string withoutPercent(std::string_view value)
{
    const std::size_t sign = value.find('%');
    if (sign == std::string_view::npos) return std::string(value);
    std::size_t first = sign;
    while (first > 0 && (std::isdigit(static_cast<unsigned char>(value[first - 1])) != 0 || value[first - 1] == '.')) --first;
    const double share = numberAt(value.substr(first, sign - first)).value_or(0) / 100;
    return std::string(value.substr(0, first)) + std::to_string(share) + std::string(value.substr(sign + 1));
}

}  // namespace

/// `MLPerf: resnet [06/13/19 00:30:56], eval_accuracy: {"value": 75.98000%, "epoch": 79}`: the keys of v0.5 at local time, whole
/// seconds, not JSON; every rank repeats run_start.
void readMlperfFreeForm(const LogPiece& piece, LogAccount& into)
{
    const std::size_t mark = piece.text.find("MLPerf: ");
    const std::size_t bracket = piece.text.find("], ", mark == std::string_view::npos ? piece.text.size() : mark);
    if (bracket == std::string_view::npos) return;
    const std::string_view rest = piece.text.substr(bracket + 3);
    const std::size_t colon = rest.find(':');
    const nlohmann::json value = colon == std::string_view::npos
                                     ? nlohmann::json()
                                     : nlohmann::json::parse(withoutPercent(trimmed(rest.substr(colon + 1))), nullptr, false);
    const nlohmann::json nothing;
    into.format = "MLPerf, free form";
    takeMlperf({trimmed(rest.substr(0, colon)), value.is_discarded() ? nothing : value, nothing, 0, true, piece.at, false}, into);
}

}  // namespace flowgauge::facts
