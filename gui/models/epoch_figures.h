// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/epochs_data.h"
#include "gui/models/measure.h"
#include "gui/models/table_model.h"
#include "gui/timeline/chart.h"

#include <vector>

/// What the view of epochs shows, made of its figures. flows: may be empty (not known yet) or shorter.
namespace flowgauge::models {

using Epochs = std::vector<load::EpochFigures>;
using Flows = std::vector<load::EpochFlow>;

[[nodiscard]] timeline::Chart epochTimes(const Epochs& epochs);
[[nodiscard]] timeline::Chart epochRates(const Epochs& epochs);
[[nodiscard]] timeline::Chart epochBytes(const Epochs& epochs, const Flows& flows);
[[nodiscard]] timeline::Chart epochCaches(const Epochs& epochs, const Flows& flows);
[[nodiscard]] std::vector<Column> epochColumns();
[[nodiscard]] std::vector<std::vector<Cell>> epochRows(const Epochs& epochs, const Flows& flows);
/// "The first epoch took 33.1 s, later ones 31.5 s: ...", "" with less than two epochs.
[[nodiscard]] QString coldSentence(const Epochs& epochs);

}  // namespace flowgauge::models
