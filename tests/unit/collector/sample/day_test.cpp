// SPDX-License-Identifier: MIT
#include "collector/sample/counter_sink.h"
#include "collector/store/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

namespace flowgauge::sample {
namespace {

constexpr Nanos beat = 100'000'000, day = 86'400'000'000'000;
constexpr std::array counters{Counter::IbRxBytes,       Counter::IbTxBytes,     Counter::IbRxPackets, Counter::IbTxPackets,
                              Counter::IbTxWait,        Counter::IbEcnMarked,   Counter::IbCnpSent,   Counter::IbCnpHandled,
                              Counter::IbOutOfSequence, Counter::IbSequenceNaks};
constexpr int growthBits = 16, jitterBits = 16;

/// A day of one port by a simulated clock: ten counters, ten times a second, all of which move with every reading: 8,640,000 samples.
///
/// What a sample takes in the database: its growth since the one before, and how late it came, are spread evenly over 2^16 here, so that 16
/// bits each cannot be made fewer; a byte more goes into their lengths, into headers, tiles and the index. So a day is predicted as
///     samples x ((growthBits + jitterBits) / 8 + 1) bytes
/// and one of counters that stand still as a tenth of that: they are stored once a second.
class Day {
public:
    explicit Day(const std::filesystem::path& file) : m_store(store::RunStore::create(file, 1)), m_writing(m_store.database())
    {
        current = this;
        const store::Id host = m_store.host({0, "node-a", "boot", 0});
        for (std::size_t i = 0; i < counters.size(); ++i) {
            store::TrackKey key;
            key.host = host;
            key.lane = Lane::Counter;
            key.counter = counters[i];
            key.source = m_store.name("mlx5_0/1");
            m_tracks[i] = m_store.track(key);
        }
    }
    ~Day() { current = nullptr; }
    Day(const Day&) = delete;
    Day& operator=(const Day&) = delete;

    void live(Nanos from, Nanos until)
    {
        for (Nanos now = from; now < until; now += beat) {
            m_sink.beginPass(now + 1);
            for (std::size_t i = 0; i < counters.size(); ++i) {
                m_at = i;
                m_sink.put(static_cast<Ticks>(now + 1 + bits(jitterBits)), *m_sources.find(CounterFamily::Ib, "mlx5_0/1"), counters[i],
                           m_values[i] += 1 + static_cast<std::uint64_t>(bits(growthBits)));
            }
        }
    }
    void finish()
    {
        for (std::size_t i = 0; i < counters.size(); ++i) keep(i);
        m_store.flush();
        m_writing.commit();
        m_store.finalize();
    }
    [[nodiscard]] std::size_t samples() const { return m_samples; }

private:
    static void record(const Event& event)
    {
        std::vector<store::StoredEvent>& batch = current->m_batches[current->m_at];
        const auto at = static_cast<Nanos>(event.begin);
        batch.push_back(
            {at, at, 0, Kind::CounterSample, 0, {static_cast<std::int64_t>(event.arg[0]), 1, static_cast<std::int64_t>(event.arg[2]), 0}});
        ++current->m_samples;
        if (batch.size() == 4096) current->keep(current->m_at);
    }
    void keep(std::size_t counter)
    {
        m_store.append(m_tracks[counter], m_batches[counter]);
        m_batches[counter].clear();
    }
    Nanos bits(int count) { return static_cast<Nanos>(m_random() >> (32 - count)); }

    static inline Day* current = nullptr;
    static constexpr Outlet outlet{&Day::record, [](NameClass, std::string_view) -> NameKey { return 1; }};
    store::RunStore m_store;
    store::Transaction m_writing;
    CounterSink m_sink{outlet, hostFactMark};
    SourceTable& m_sources = table();
    static SourceTable& table()
    {
        static SourceTable sources;
        static const bool made = sources.create(64);
        EXPECT_TRUE(made);
        return sources;
    }
    std::array<store::Id, counters.size()> m_tracks{};
    std::array<std::uint64_t, counters.size()> m_values{};
    std::array<std::vector<store::StoredEvent>, counters.size()> m_batches;
    std::size_t m_at = 0, m_samples = 0;
    std::mt19937 m_random{1};
};

double residentMiB()
{
    double all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// Until the database's own cache of 16 MiB is full, memory grows with the file: after nine hours of this day it stands.
TEST(ADayOfSampling, TakesTheMemoryOfItsFirstHalfAndTheRoomThatWasPredicted)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("flowgauge-day-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    double early = 0, late = 0, samples = 0;
    {
        Day simulated(folder / "run.db");
        simulated.live(0, day / 2);
        early = residentMiB();
        simulated.live(day / 2, day);
        late = residentMiB();
        simulated.finish();
        samples = static_cast<double>(simulated.samples());
    }
    EXPECT_EQ(samples, 10.0 * 10 * 86'400);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they keep what was freed
    EXPECT_LT(late - early, 1) << "MiB more after a day than after half of it";
#endif
    const auto bytes = static_cast<double>(std::filesystem::file_size(folder / "run.db"));
    const double predicted = samples * ((growthBits + jitterBits) / 8.0 + 1);
    std::printf("a day of one port: %.0f samples, %.1f MB, %.1f predicted; %.1f MiB resident after half of it, %.1f after all\n", samples,
                bytes / 1e6, predicted / 1e6, early, late);
    EXPECT_NEAR(bytes, predicted, 0.05 * predicted);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace flowgauge::sample
