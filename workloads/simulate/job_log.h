// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/ingest_rows.h"
#include "workloads/simulate/job.h"

#include <string>
#include <string_view>

namespace flowgauge::simulate {

/// What the job prints, as MLPerf v0.7 prescribes it.
class JobLog {
public:
    JobLog(const Parameters& parameters, store::IngestRows& rows) : m_parameters(parameters), m_rows(rows) {}

    void beginEpoch(int epoch, Nanos at);
    void endEpoch(const Border& border);
    void endRun(Nanos at);

private:
    void beginRun(Nanos at);
    void interval(Nanos at, std::string_view border, std::string_view key, const std::string& metadata);
    void point(Nanos at, std::string_view key, const std::string& value, const std::string& metadata = "");
    void line(Nanos at, std::string_view type, std::string_view key, const std::string& value, const std::string& metadata);

    const Parameters& m_parameters;
    store::IngestRows& m_rows;
};

/// When simulated runs begin: a fixed day, so that equal parameters give equal runs.
inline constexpr std::int64_t simulatedZeroUnixNs = 1'767'225'600'000'000'000;

}  // namespace flowgauge::simulate
