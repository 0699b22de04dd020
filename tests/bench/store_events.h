// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace flowgauge::bench {

/// Events of one track, deterministic, without end: either like a GPU's stream (a training step of 977 calls with 300 names,
/// 3 % noise in the durations, a pause after each step) or like a loader's thread (12 patterns, 4 to 64 KiB, wide latency).
class TrackGenerator {
public:
    TrackGenerator(std::uint64_t seed, bool stream, store::Id firstName) : m_random(seed), m_stream(stream)
    {
        for (std::size_t i = 0; i < m_name.size(); ++i) {
            m_name[i] = firstName + static_cast<store::Id>(m_random() % (stream ? 300 : 12));
            m_typical[i] = stream ? 2000 * std::exp(4 * uniform()) : 900 * std::exp(6 * uniform());
        }
    }

    [[nodiscard]] store::StoredEvent next()
    {
        const std::size_t step = m_count++ % m_name.size();
        m_at += step + 1 == m_name.size() ? 200'000 + below(100'000) : 600 + below(900);
        const double noise = m_stream ? 0.97 + 0.06 * uniform() : 0.5 + uniform();
        const auto duration = static_cast<Nanos>(m_typical[step] * noise);
        const store::StoredEvent event = m_stream ? streamEvent(step, duration) : readEvent(step, duration);
        m_at = event.end;
        return event;
    }

private:
    double uniform() { return static_cast<double>(m_random() % 1024) / 1024; }
    std::int64_t below(std::uint64_t limit) { return static_cast<std::int64_t>(m_random() % limit); }

    /// There is no kernel kind yet: a phase with a name has the same columns in use. link: launches, 1 to 3 apart.
    store::StoredEvent streamEvent(std::size_t step, Nanos duration)
    {
        m_link += 1 + m_random() % 3;
        return {m_at, m_at + duration, m_link, Kind::PhaseMark, 0, {m_name[step], 128 + m_name[step] % 8 * 128, 0, 0}};
    }

    store::StoredEvent readEvent(std::size_t step, Nanos duration)
    {
        const std::int64_t bytes = std::int64_t{4096} << below(5);
        const store::StoredEvent event{m_at, m_at + duration, 0, Kind::FileRead, 0, {m_name[step], m_offset, bytes, bytes}};
        m_offset += bytes;
        return event;
    }

    std::mt19937_64 m_random;
    bool m_stream;
    std::array<store::Id, 977> m_name{};
    std::array<double, 977> m_typical{};
    std::size_t m_count = 0;
    Nanos m_at = 1'000'000'000;
    std::uint64_t m_link = 0;
    std::int64_t m_offset = 0;
};

}  // namespace flowgauge::bench
