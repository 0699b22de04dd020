// SPDX-License-Identifier: MIT
#include "collector/remote/ufm.h"

#include "collector/record/error.h"
#include "collector/remote/ufm_text.h"

#include <nlohmann/json.hpp>

namespace flowgauge::remote {
namespace {

constexpr long ok = 200;

std::int64_t serverClock(const Answer& answer) { return answer.dateNs() != 0 ? answer.dateNs() : answer.unixNs; }

std::string snapshotQuestion()
{
    using Json = nlohmann::json;
    const Json attributes = Json::array({"Infiniband_MBOut", "Infiniband_MBIn", "Infiniband_PckOut", "Infiniband_PckIn",
                                         "Infiniband_XmitWait", "Infiniband_SymbolErrors", "Infiniband_LinkRecovers",
                                         "Infiniband_LinkDowned", "Infiniband_RcvErrors", "Infiniband_XmtDiscards"});
    return Json{{"scope_object", "Site"},   {"monitor_object", "Port"},          {"objects", Json::array({"Grid.default"})},
                {"attributes", attributes}, {"functions", Json::array({"RAW"})}, {"interval", 30}}
        .dump();
}

bool isPrometheus(std::string_view path) { return path.ends_with("/metrics") && !path.ends_with("/csv/metrics"); }

}  // namespace

void Ufm::record(const FabricPorts& ports, const Answer& answer, std::int64_t serverNs, Recording& recording)
{
    const FabricUnit::Unit unit = m_unit.learn(ports);
    if (unit != FabricUnit::Unit::Unknown)
        recording.note("measured", unit == FabricUnit::Unit::Bytes ? "data of its ports: bytes" : "data of its ports: words of 4 bytes");
    recording.put(readingsOf(ports, unit, m_names), answer, serverNs);
}

void UfmTelemetry::poll(Http& http, Recording& recording)
{
    const Answer answer = http.call({m_path, {}, {}, {}, {}});
    recording.nameStandIn(answer);
    if (answer.status != ok) throw Error(m_path, "it answered with status ", answer.status);
    const FabricPorts ports = isPrometheus(m_path) ? parseUfmPrometheus(answer.body) : parseUfmCsv(answer.body);
    recording.note("measured", "by UFM's telemetry " + m_path + ", new every 30 s: shorter changes are averaged away");
    record(ports, answer, answer.dateNs(), recording);
}

void UfmRest::learn(Http& http, Recording& recording)
{
    const Answer version = m_session.get(http, "/app/ufm_version");
    recording.nameStandIn(version);
    m_names = parseUfmNames(m_session.get(http, "/resources/ports").body);
    recording.note("measured", "by UFM's REST API " + m_session.prefix() + ", new every 30 s: shorter changes are averaged away");
    m_learnt = true;
}

void UfmRest::poll(Http& http, Recording& recording)
{
    if (!m_learnt) learn(http, recording);
    const Answer answer = m_session.post(http, "/monitoring/snapshot", snapshotQuestion());
    record(parseUfmSnapshot(answer.body, serverClock(answer)), answer, answer.dateNs(), recording);
}

}  // namespace flowgauge::remote
