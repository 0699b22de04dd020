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
    dropAsked();
    m_run = run;
    m_rows = std::move(rows);
    m_entries.clear();
    m_again = false;
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
    if (!isSettled() && m_age.elapsed() < impatientMs) {
        m_again = true;  // what is on its way still helps; the rest follows it
        return;
    }
    dropAsked();
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
    auto work = [run = m_run, row = m_rows[row], frame](store::RunStore& store, const load::Cancel&) {
        return load::stripOf(store, *run, row, frame);
    };
    auto done = [this, row, overview](timeline::Strip strip) {
        Entry& entry = m_entries[row];
        (overview ? entry.overview : entry.fine) = std::move(strip);
        if (!overview) fetchBars(row);
        arrived();
    };
    m_asked.push_back(m_service.askQuick(this, std::move(work), std::move(done)));
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
    auto work = [about, window](store::RunStore& store, const load::Cancel& cancel) {
        return load::barsOf(store, about, window, mostBars, cancel);
    };
    auto done = [this, row](load::RowBars bars) {
        m_entries[row].bars = std::move(bars);
        arrived();
    };
    m_asked.push_back(m_service.askQuick(this, std::move(work), std::move(done)));
}

bool StripCache::isSettled() const { return std::none_of(m_asked.begin(), m_asked.end(), load::isAwaited); }

void StripCache::dropAsked()
{
    for (const load::Cancel& asked : m_asked) *asked = true;
    m_asked.clear();
}

void StripCache::arrived()
{
    emit changed();
    if (m_again && isSettled()) want(std::vector<std::size_t>(m_wanted), m_scale);
}

}  // namespace flowgauge::widgets
