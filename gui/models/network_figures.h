// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/network_data.h"
#include "gui/models/measure.h"
#include "gui/models/table_model.h"
#include "gui/timeline/chart.h"

/// What the view of the network shows, made of its figures.
namespace flowgauge::models {

enum class Direction : std::uint8_t { Received, Sent };

/// host: position in flow.hosts; none: all hosts together.
[[nodiscard]] timeline::Chart networkChart(const load::NetworkFlow& flow, std::optional<std::size_t> host, Direction direction,
                                           std::vector<timeline::ChartBand> bands);
[[nodiscard]] std::vector<Column> portColumns();
[[nodiscard]] std::vector<std::vector<Cell>> portRows(const load::NetworkFlow& flow);
[[nodiscard]] std::vector<Column> collectiveColumns();
[[nodiscard]] std::vector<std::vector<Cell>> collectiveRows(const std::vector<facts::CollectiveFigures>& collectives);
[[nodiscard]] timeline::Grid waitGrid(const load::RankMatrix& matrix);
[[nodiscard]] timeline::Grid sentGrid(const load::RankMatrix& matrix);

}  // namespace flowgauge::models
