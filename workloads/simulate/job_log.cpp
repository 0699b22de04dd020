// SPDX-License-Identifier: MIT
#include "workloads/simulate/job_log.h"

#include <fmt/format.h>

namespace flowgauge::simulate {
namespace {

std::string epochNumber(int epoch) { return fmt::format(", \"epoch_num\": {}", epoch); }

}  // namespace

void JobLog::beginRun(Nanos at)
{
    point(at, "global_batch_size", std::to_string(m_parameters.globalBatch()));
    point(at, "train_samples", std::to_string(m_parameters.steps() * m_parameters.globalBatch()));
    point(at, "eval_target", fmt::format("{}", m_parameters.training.target));
    interval(at, "START", "run_start", "");
}

void JobLog::beginEpoch(int epoch, Nanos at)
{
    if (epoch == 1) beginRun(at);
    interval(at, "START", "epoch_start", epochNumber(epoch));
}

void JobLog::endEpoch(const Border& border)
{
    const std::string number = epochNumber(border.epoch);
    interval(border.training.end, "END", "epoch_stop", number);
    if (border.evaluation.empty()) return;
    interval(border.evaluation.begin, "START", "eval_start", number);
    point(border.evaluation.end, "eval_accuracy", fmt::format("{:.5f}", border.accuracy), number);
    interval(border.evaluation.end, "END", "eval_stop", number);
}

void JobLog::endRun(Nanos at) { interval(at, "END", "run_stop", ", \"status\": \"success\""); }

void JobLog::interval(Nanos at, std::string_view border, std::string_view key, const std::string& metadata)
{
    line(at, fmt::format("INTERVAL_{}", border), key, "null", metadata);
}

void JobLog::point(Nanos at, std::string_view key, const std::string& value, const std::string& metadata)
{
    line(at, "POINT_IN_TIME", key, value, metadata);
}

void JobLog::line(Nanos at, std::string_view type, std::string_view key, const std::string& value, const std::string& metadata)
{
    const std::int64_t unixMs = (simulatedZeroUnixNs + at) / 1'000'000;
    m_rows.putOutputLine(at, "stdout",
                         fmt::format(":::MLLOG {{\"namespace\": \"\", \"time_ms\": {}, \"event_type\": \"{}\", \"key\": \"{}\", \"value\": "
                                     "{}, \"metadata\": {{\"file\": \"flowgauge-simulate\"{}}}}}",
                                     unixMs, type, key, value, metadata));
}

}  // namespace flowgauge::simulate
