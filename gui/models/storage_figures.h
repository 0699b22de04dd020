// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "gui/load/storage_data.h"
#include "gui/models/measure.h"
#include "gui/models/table_model.h"
#include "gui/timeline/chart.h"

/// What the view of storage shows, made of its figures.
namespace flowgauge::models {

/// Epochs, gaps, evaluations and checkpoints as bands, for any chart over time.
[[nodiscard]] std::vector<timeline::ChartBand> bandsOf(const facts::RunFacts& facts);

[[nodiscard]] timeline::Chart layersChart(const load::StorageFlow& flow, std::vector<timeline::ChartBand> bands);
[[nodiscard]] timeline::Chart cacheChart(const load::StorageFlow& flow, std::vector<timeline::ChartBand> bands,
                                         const facts::RunFacts* facts);
/// Calls by requested bytes; ranks: empty means all.
[[nodiscard]] timeline::Chart sizesChart(const facts::RunFacts& facts, const std::vector<int>& ranks);
[[nodiscard]] timeline::Chart latencyChart(const store::Histogram& byLog2);
/// The same of any events: how long each lasted.
[[nodiscard]] timeline::Chart durationsChart(const store::Histogram& byLog2, const std::string& name);
[[nodiscard]] std::vector<Column> fileColumns();
/// Those with most bytes, at most `most`.
[[nodiscard]] std::vector<std::vector<Cell>> fileRows(const std::vector<load::FileFigures>& files, std::size_t most);

}  // namespace flowgauge::models
