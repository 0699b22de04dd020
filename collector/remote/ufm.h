// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/fabric_ports.h"
#include "collector/remote/source.h"
#include "collector/remote/ufm_session.h"

#include <map>
#include <string>

namespace flowgauge::remote {

/// What both ways of asking UFM share: the unit of its data is found out, ports get names, and that its numbers are half a minute
/// apart is said.
class Ufm : public Source {
public:
    [[nodiscard]] std::chrono::seconds period() const override { return std::chrono::seconds(30); }

protected:
    void record(const FabricPorts& ports, const Answer& answer, std::int64_t serverNs, Recording& recording);
    std::map<std::string, std::string> m_names;

private:
    FabricUnit m_unit;
};

/// UFM's telemetry server: a table of all ports, without a login. As CSV, or for a path that ends in /metrics but not in
/// /csv/metrics, in the format of Prometheus.
class UfmTelemetry final : public Ufm {
public:
    explicit UfmTelemetry(std::string path) : m_path(path.empty() ? "/csv/metrics" : std::move(path)) {}
    void poll(Http& http, Recording& recording) override;
    [[nodiscard]] bool givenUp() const override { return false; }

private:
    std::string m_path;
};

/// UFM's REST API: a snapshot of all ports.
class UfmRest final : public Ufm {
public:
    explicit UfmRest(UfmSession session) : m_session(std::move(session)) {}
    void poll(Http& http, Recording& recording) override;
    [[nodiscard]] bool givenUp() const override { return m_session.refused(); }

private:
    void learn(Http& http, Recording& recording);
    UfmSession m_session;
    bool m_learnt = false;
};

}  // namespace flowgauge::remote
