// SPDX-License-Identifier: MIT
#include "gui/widgets/strip_cache.h"

#include <algorithm>
#include <memory>

namespace flowgauge::widgets {

namespace {

constexpr qint64 impatientMs = 150;
constexpr std::size_t mostBars = 4000;
constexpr std::size_t mostEntries = 400;

bool hasBars(const timeline::Row& row)
{
    return row.kind == timeline::RowKind::Events || row.kind == timeline::RowKind::Communication || row.kind == timeline::RowKind::Phases;
}

}  // namespace

StripCache::StripCache(load::RunService& service, QObject* parent) : QObject(parent), m_service(service) {}

void StripCache::setRun(const load::RunPtr& run, std::vector<timeline::Row> rows)
{
    for (const load::Cancel& cancel : m_cancels) *cancel = true;
    m_cancels.clear();
    m_run = run;
    m_rows = std::move(rows);
    m_entries.clear();
    m_outstanding = 0;
    m_again = false;
    ++m_generation;
}

const timeline::Strip* StripCache::overview(std::size_t row) const
{
    const auto found = m_entries.find(row);
    return found != m_entries.end() && found->second.overview ? &*found->second.overview : nullptr;
}

const timeline::Strip* StripCache::fine(std::size_t row) const
{
    const auto found = m_entries.find(row);
    return found != m_entries.end() && found->second.fine ? &*found->second.fine : nullptr;
}

const load::RowBars* StripCache::bars(std::size_t row, Interval window) const
{
    const auto found = m_entries.find(row);
    if (found == m_entries.end() || !found->second.bars) return nullptr;
    const load::RowBars& bars = *found->second.bars;
    return bars.all && bars.window.begin <= window.begin && window.end <= bars.window.end ? &bars : nullptr;
}

void StripCache::want(const std::vector<std::size_t>& rows, const timeline::TimeScale& scale)
{
    m_wanted = rows;
    m_scale = scale;
    if (m_outstanding > 0 && m_age.elapsed() < impatientMs) {
        m_again = true;  // what is on its way still helps; the rest follows it
        return;
    }
    if (m_outstanding > 0) {
        for (const load::Cancel& cancel : m_cancels) *cancel = true;
        m_outstanding = 0;
        ++m_generation;
    }
    m_cancels.clear();
    m_again = false;
    m_age.start();
    if (!m_run || m_run->extent.empty()) return;
    if (m_entries.size() > mostEntries)
        std::erase_if(m_entries, [&](const auto& entry) { return std::find(rows.begin(), rows.end(), entry.first) == rows.end(); });
    const timeline::StripFrame overviewFrame = timeline::overviewOf(m_run->extent);
    const timeline::StripFrame frame = timeline::frameFor(scale, m_run->extent);
    for (const std::size_t row : rows)
        if (!overview(row)) fetch(row, overviewFrame, true);
    for (const std::size_t row : rows) {
        const timeline::Strip* there = fine(row);
        const bool good = there != nullptr && there->widthLog2 == frame.widthLog2 && there->covers(scale.window, m_run->extent);
        if (!good && frame.widthLog2 < overviewFrame.widthLog2) fetch(row, frame, false);
        if (good) fetchBars(row);
    }
}

void StripCache::fetch(std::size_t row, const timeline::StripFrame& frame, bool overview)
{
    ++m_outstanding;
    const int generation = m_generation;
    auto work = [run = m_run, row = m_rows[row], frame](store::RunStore& store, const load::Cancel&) {
        return load::stripOf(store, *run, row, frame);
    };
    auto done = [this, generation, row, overview](timeline::Strip strip) {
        if (generation != m_generation) return;
        Entry& entry = m_entries[row];
        (overview ? entry.overview : entry.fine) = std::move(strip);
        if (!overview) fetchBars(row);
        arrived();
    };
    m_cancels.push_back(m_service.askQuick(this, std::move(work), std::move(done)));
}

/// Where single events can be told apart, they are worth fetching.
void StripCache::fetchBars(std::size_t row)
{
    const timeline::Row& about = m_rows[row];
    Entry& entry = m_entries[row];
    if (!hasBars(about) || !entry.fine || bars(row, m_scale.window) != nullptr) return;
    const Interval window = entry.fine->window();
    if (entry.barsAsked == window && entry.bars) return;
    const std::uint64_t events = about.kind == timeline::RowKind::Phases ? 0 : timeline::eventsIn(*entry.fine, m_scale.window);
    if (static_cast<double>(events) > m_scale.widthPx / 3) return;
    entry.barsAsked = window;
    ++m_outstanding;
    const int generation = m_generation;
    auto work = [about, window](store::RunStore& store, const load::Cancel& cancel) {
        return load::barsOf(store, about, window, mostBars, cancel);
    };
    auto done = [this, generation, row](load::RowBars bars) {
        if (generation != m_generation) return;
        m_entries[row].bars = std::move(bars);
        arrived();
    };
    m_cancels.push_back(m_service.askQuick(this, std::move(work), std::move(done)));
}

void StripCache::arrived()
{
    --m_outstanding;
    emit changed();
    if (m_outstanding == 0 && m_again) want(std::vector<std::size_t>(m_wanted), m_scale);
}

}  // namespace flowgauge::widgets
