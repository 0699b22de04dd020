// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"
#include "collector/store/stored_event.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace flowgauge::store {

/// A track with what its host and process say about it: what each row of `event` repeats.
struct TrackLabel {
    Id track = 0;
    std::optional<std::int64_t> process, rank, thread;
    std::string host, lane;
    std::optional<std::string> counter;
};

/// All tracks in order of their id.
[[nodiscard]] std::vector<TrackLabel> trackLabels(Database& database);

/// Texts of `name`, kept once read.
class NameTexts {
public:
    explicit NameTexts(Database& database);
    [[nodiscard]] const std::string& text(Id name);  ///< "(name lost)" for 0 and for ids that are not there

private:
    Statement m_find;
    std::unordered_map<Id, std::string> m_texts;
};

}  // namespace flowgauge::store
