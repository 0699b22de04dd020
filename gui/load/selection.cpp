// SPDX-License-Identifier: MIT
#include "gui/load/selection.h"

#include "gui/load/strips.h"
#include "gui/timeline/layout.h"

#include <algorithm>

namespace flowgauge::load {

namespace {

std::string nameOfSum(store::RunStore& store, const timeline::NameSum& sum)
{
    if (sum.name == timeline::otherNames) return "others";
    return nameText(store, sum.kind, sum.name);
}

/// Whether names pass, each asked once.
class Matcher {
public:
    Matcher(store::RunStore& store, const std::string& text) : m_store(store), m_text(text) {}
    bool operator()(const store::StoredEvent& event)
    {
        const std::pair key{event.kind, timeline::nameOf(event)};
        const auto [at, isNew] =
            m_known.try_emplace(static_cast<std::int64_t>(key.second) * 64 + static_cast<std::int64_t>(key.first), false);
        if (isNew)
            at->second = timeline::passes(m_text, nameText(m_store, key.first, key.second) + " " + std::string(rowOf(key.first).sqlName));
        return at->second;
    }

private:
    store::RunStore& m_store;
    const std::string& m_text;
    std::unordered_map<std::int64_t, bool> m_known;
};

std::optional<Hit> findIn(store::RunStore& store, const SearchQuestion& question, Interval window, Matcher& matches, const Cancel& cancel)
{
    std::optional<Hit> best;
    store.scan({{}, question.tracks, window}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            if (!window.contains(event.begin) || event.kind == Kind::CounterSample || !matches(event)) continue;
            const bool better = !best || (question.forward ? event.begin < best->bar.event.begin : event.begin > best->bar.event.begin);
            if (!better) continue;
            timeline::Bar bar{event,
                              track.id,
                              nameText(store, event.kind, timeline::nameOf(event)),
                              timeline::bytesOf(event),
                              timeline::toneOf(event.kind),
                              0,
                              0};
            best = Hit{track.id, std::move(bar)};
        }
        return !cancel->load();
    });
    return best;
}

}  // namespace

SelectionAnswer selectionOf(store::RunStore& store, const std::vector<store::Id>& tracks, Interval selection, const Cancel& cancel)
{
    SelectionAnswer answer{selection, {}, true};
    timeline::SelectionStats stats(selection);
    if (tracks.empty()) return answer;
    store.scan({{}, tracks, selection}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events)
            if (event.kind != Kind::CounterSample) stats.add(event);
        answer.whole = !cancel->load();
        return answer.whole;
    });
    for (timeline::NameSum& sum : stats.sums()) {
        std::string name = nameOfSum(store, sum);
        answer.sums.push_back({std::move(sum), std::move(name)});
    }
    return answer;
}

std::optional<Hit> findEvent(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel)
{
    Matcher matches(store, question.text);
    Nanos length = 50'000'000;
    Nanos edge = question.from;
    // Windows grow as they come up empty, so that a near hit is found at once and a far one in few passes.
    while (!*cancel && (question.forward ? edge < question.whole.end : edge > question.whole.begin)) {
        const Interval window = question.forward ? Interval{edge, std::min(edge + length, question.whole.end + 1)}
                                                 : Interval{std::max(edge - length, question.whole.begin), edge};
        if (auto hit = findIn(store, question, window, matches, cancel)) return hit;
        edge = question.forward ? window.end : window.begin;
        length *= 4;
    }
    return std::nullopt;
}

}  // namespace flowgauge::load
