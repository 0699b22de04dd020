// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/track_reader.h"
#include "gui/load/data_thread.h"

#include <algorithm>
#include <exception>
#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace flowgauge::load {

/// What a scan reads: tracks, and the piece of time in which events may lie.
struct ScanQuestion {
    std::vector<store::Id> tracks;
    Interval window;
};

/// Sums up tracks on as many connections as pay. Each has a sum of its own, made by make(store), that takes chunks with
/// add(const store::EventColumns&) (time, kind, name and bytes are decoded) and is at last added to the others with +=.
template <typename Make>
class ParallelScan {
public:
    ParallelScan(store::RunStore& store, const ScanQuestion& question, Cancel cancel, Make make)
        : m_store(store), m_window(question.window), m_cancel(std::move(cancel)), m_make(std::move(make))
    {
        for (const store::TrackRow& track : store.tracks())
            if (std::find(question.tracks.begin(), question.tracks.end(), track.id) != question.tracks.end()) m_tracks.push_back(track);
        // The longest first: nobody is left alone with it at the end.
        std::sort(m_tracks.begin(), m_tracks.end(), [](const auto& left, const auto& right) { return left.events > right.events; });
    }

    /// Throws Error. What was cancelled returns what it has.
    [[nodiscard]] auto sum()
    {
        using Sum = decltype(m_make(m_store));
        std::vector<std::future<Sum>> helpers;
        for (std::size_t i = 1; i < connections(); ++i)
            helpers.push_back(std::async(std::launch::async, [this] {
                store::RunStore store = store::RunStore::openForReading(m_store.database().file());
                return part(store);
            }));
        Sum all = part(m_store);
        for (auto& helper : helpers) all += helper.get();
        return all;
    }

private:
    /// An error, or an interrupt of one connection, ends the others too.
    struct StopOthers {
        std::atomic<bool>& stop;
        int before = std::uncaught_exceptions();
        ~StopOthers()
        {
            if (std::uncaught_exceptions() > before) stop = true;
        }
    };

    [[nodiscard]] std::size_t connections() const
    {
        constexpr std::int64_t worthOne = 1'000'000;  // events; a connection is opened in the time of some ten thousand
        std::int64_t events = 0;
        for (const store::TrackRow& track : m_tracks) events += track.events;
        const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
        return std::min({cores, m_tracks.size(), static_cast<std::size_t>(1 + events / worthOne)});
    }
    auto part(store::RunStore& store)
    {
        const StopOthers guard{m_stop};
        auto sum = m_make(store);
        for (std::size_t at = m_next++; at < m_tracks.size() && !isStopped(); at = m_next++) {
            store::TrackReader reader(store.database(), m_tracks[at].id, {store::allKinds, m_window}, store::timeColumns);
            reader.wantNamed();
            for (auto* batch = reader.next(); batch != nullptr && !isStopped(); batch = reader.next()) sum.add(*batch);
        }
        return sum;
    }
    [[nodiscard]] bool isStopped() const { return *m_cancel || m_stop; }

    store::RunStore& m_store;
    Interval m_window;
    Cancel m_cancel;
    Make m_make;
    std::vector<store::TrackRow> m_tracks;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_stop = false;
};

}  // namespace flowgauge::load
