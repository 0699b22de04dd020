// SPDX-License-Identifier: MIT
#include "workloads/train/log_lines.h"
#include <fmt/format.h>
#include <chrono>

namespace flowgauge::workloads {

static const char* eventType(LogMoment moment)
{
    switch (moment) {
        case LogMoment::Begin:
            return "INTERVAL_START";
        case LogMoment::End:
            return "INTERVAL_END";
        case LogMoment::Point:
            break;
    }
    return "POINT_IN_TIME";
}

std::string mllogLine(std::int64_t unixMs, LogMoment moment, std::string_view key, const std::string& value,
                      std::initializer_list<LogNumber> metadata)
{
    std::string more;
    for (const auto& [name, number] : metadata) more += fmt::format(", \"{}\": {}", name, number);
    return fmt::format(
        ":::MLLOG {{\"namespace\": \"\", \"time_ms\": {}, \"event_type\": \"{}\", \"key\": \"{}\", \"value\": {}, "
        "\"metadata\": {{\"file\": \"workloads/train/trainer.cpp\"{}}}}}",
        unixMs, eventType(moment), key, value, more);
}

std::string speedometerLine(const RateLine& rate)
{
    std::string line = fmt::format("Node[0] Epoch[{}] Batch [{}-{}]\tSpeed: {:.2f} samples/sec", rate.epochFromZero, rate.firstBatch,
                                   rate.lastBatch, rate.samplesPerSecond);
    if (rate.accuracy) line += fmt::format("\taccuracy={:.6f}", *rate.accuracy);
    if (rate.loss) line += fmt::format("\tloss={:.4f}", *rate.loss);
    return line;
}

std::int64_t unixNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace flowgauge::workloads
