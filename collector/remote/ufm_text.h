// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/fabric_ports.h"

#include <map>
#include <string>
#include <string_view>

/// What UFM's answers mean: tables of its telemetry (CSV, Prometheus) and objects of its REST API. Everything here takes text, and
/// throws Error for text that is no such answer.
namespace flowgauge::remote {

/// Columns are found by their names. A row that is cut off, or has text where a number should be, tells what it can. Of a port that
/// several planes make up, the row of all of them together is taken.
[[nodiscard]] FabricPorts parseUfmCsv(std::string_view text);
[[nodiscard]] FabricPorts parseUfmPrometheus(std::string_view text);

/// Of monitoring/snapshot. Its times have no zone: serverNs, the moment of the answer by the server's own clock, tells which it is.
[[nodiscard]] FabricPorts parseUfmSnapshot(std::string_view text, std::int64_t serverNs);

/// Of resources/ports: "node-a HCA-1/1" by "0200000000000202/1".
[[nodiscard]] std::map<std::string, std::string> parseUfmNames(std::string_view text);

}  // namespace flowgauge::remote
