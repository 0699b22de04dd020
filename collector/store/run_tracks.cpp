// SPDX-License-Identifier: MIT
#include "collector/store/run_tracks.h"

namespace flowgauge::store {

namespace {

constexpr std::size_t mostKeptTexts = 200'000;

}  // namespace

std::vector<TrackLabel> trackLabels(Database& database)
{
    Statement all(database,
                  "SELECT t.id, t.process_id, p.rank, t.thread, h.name, t.lane, t.counter FROM track t "
                  "JOIN host h ON h.id = t.host_id LEFT JOIN process p ON p.id = t.process_id ORDER BY t.id");
    const auto integer = [&](int column) { return all.isNull(column) ? std::nullopt : std::optional(all.integer(column)); };
    std::vector<TrackLabel> labels;
    while (all.step()) {
        const auto counter = all.isNull(6) ? std::nullopt : std::optional(all.text(6));
        labels.push_back({all.integer(0), integer(1), integer(2), integer(3), all.text(4), all.text(5), counter});
    }
    return labels;
}

NameTexts::NameTexts(Database& database) : m_find(database, "SELECT text FROM name WHERE id = ?1") {}

const std::string& NameTexts::text(Id name)
{
    const auto known = m_texts.find(name);
    if (known != m_texts.end()) return known->second;
    if (m_texts.size() >= mostKeptTexts) m_texts.clear();
    m_find.bind(1, name);
    std::string text = m_find.step() ? m_find.text(0) : "(name lost)";
    m_find.reset();
    return m_texts.emplace(name, std::move(text)).first->second;
}

}  // namespace flowgauge::store
