// SPDX-License-Identifier: MIT
#include "collector/store/event_columns.h"

namespace flowgauge::store {

namespace {

/// Words that each column is longer than the one before it. Columns of 4096 words stand 32 KiB apart otherwise, so that their
/// lines share one set of the nearest cache: nine of them do not fit into its eight places.
constexpr std::size_t apart = 24;

}  // namespace

void EventColumns::resize(std::size_t events)
{
    m_size = events;
    for (std::size_t column = 0; column < columnCount; ++column)
        if (m_words[column].size() < events) m_words[column].resize(events + apart * (column + 1));
}

StoredEvent EventColumns::event(std::size_t i) const
{
    return {begin(i), end(i), words(Column::Link)[i], kind(i), flags(i), {argument(i, 0), argument(i, 1), argument(i, 2), argument(i, 3)}};
}

void EventColumns::assign(std::span<const StoredEvent> events)
{
    resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        const StoredEvent& event = events[i];
        words(Column::Begin)[i] = static_cast<std::uint64_t>(event.begin);
        words(Column::Duration)[i] = static_cast<std::uint64_t>(event.end) - static_cast<std::uint64_t>(event.begin);
        words(Column::Kind)[i] = static_cast<std::uint64_t>(event.kind);
        words(Column::Flags)[i] = event.flags;
        words(Column::Link)[i] = event.link;
        for (std::size_t a = 0; a < event.arg.size(); ++a) words(argumentColumn(a))[i] = static_cast<std::uint64_t>(event.arg[a]);
    }
}

}  // namespace flowgauge::store
