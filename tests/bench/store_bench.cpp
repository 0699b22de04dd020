// SPDX-License-Identifier: MIT
// What storing and asking costs, beside a plain table of rows in the same run.
//
//     store_bench [MILLIONS OF EVENTS, default 10] [store: nothing else, for a profiler; large: no plain rows beside;
//                 keep FOLDER: only makes FOLDER/run.db, for whoever wants to look at so many]
#include "tests/bench/store_events.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

namespace flowgauge::bench {
namespace {

using store::Id;
using store::RunStore;
using store::StoredEvent;

constexpr int trackCount = 64;
constexpr int commTracks = 32;

double processorSeconds()
{
    timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
}

void line(const char* what, double value, const char* unit, const char* goal, const char* least)
{
    std::printf("%-66s %10.2f %-12s %10s %10s\n", what, value, unit, goal, least);
}

/// The same tracks for both layouts. Every 8 Ki events of a track are handed over at once, round robin, as a drain does.
class Load {
public:
    explicit Load(std::size_t events) : m_events(events)
    {
        for (int track = 0; track < trackCount; ++track)
            m_generators.emplace_back(static_cast<std::uint64_t>(track) + 1, track % 2 == 0, track % 2 == 0 ? 1 : 400);
    }

    /// `take` gets a batch; the generator's own time is not counted.
    double feed(const std::function<void(int, std::span<const StoredEvent>)>& take)
    {
        constexpr std::size_t batchSize = 8192;
        std::vector<StoredEvent> batch(batchSize);
        double seconds = 0;
        int track = 0;
        for (std::size_t done = 0; done < m_events; done += batch.size()) {
            batch.resize(std::min(batchSize, m_events - done));
            for (StoredEvent& event : batch) event = m_generators[static_cast<std::size_t>(track)].next();
            const double start = processorSeconds();
            take(track, batch);
            seconds += processorSeconds() - start;
            track = (track + 1) % trackCount;
        }
        return seconds;
    }

private:
    std::size_t m_events;
    std::vector<TrackGenerator> m_generators;
};

struct Tracks {
    std::vector<Id> load;
    std::vector<Id> comm;
};

Tracks makeTracks(RunStore& run)
{
    store::Transaction transaction(run.database());
    for (int i = 0; i < 500; ++i) (void)run.name("name " + std::to_string(i));
    const Id host = run.host({0, "node", "boot", 0});
    Tracks tracks;
    for (int i = 0; i < trackCount / 2; ++i) {
        store::ProcessRow row;
        row.host = host;
        row.spool = std::to_string(i);
        row.rank = i;
        store::TrackKey key{host, run.process(row), 1, Lane::Gpu, {}, 0};
        tracks.load.push_back(run.track(key));
        key.lane = Lane::Io;
        tracks.load.push_back(run.track(key));
        key.lane = Lane::Comm;
        tracks.comm.push_back(run.track(key));
    }
    transaction.commit();
    return tracks;
}

double storeEvents(RunStore& run, const Tracks& tracks, std::size_t events)
{
    Load load(events);
    store::Transaction transaction(run.database());
    const double taking =
        load.feed([&](int track, std::span<const StoredEvent> batch) { run.append(tracks.load[static_cast<std::size_t>(track)], batch); });
    const double start = processorSeconds();
    run.flush();
    transaction.commit();
    run.finalize();
    return taking + processorSeconds() - start;
}

/// A row an event, many rows a statement: the fastest that rows can be (64 rows a statement double the rate of one).
double storeRows(store::Database& database, std::size_t events)
{
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.execute(
        "CREATE TABLE row (track INTEGER, begin INTEGER, duration INTEGER, kind INTEGER, link INTEGER, a0 INTEGER, a1 INTEGER, a2 INTEGER, "
        "a3 INTEGER)");
    constexpr std::size_t rows = 64;
    std::string sql = "INSERT INTO row VALUES ";
    for (std::size_t i = 0; i < rows; ++i) sql += i == 0 ? "(?,?,?,?,?,?,?,?,?)" : ",(?,?,?,?,?,?,?,?,?)";
    store::Statement insert(database, sql);
    Load load(events / rows * rows);
    store::Transaction transaction(database);
    const double seconds = load.feed([&](int track, std::span<const StoredEvent> batch) {
        for (std::size_t at = 0; at + rows <= batch.size(); at += rows) {
            int column = 1;
            for (const StoredEvent& event : batch.subspan(at, rows)) {
                insert.bind(column, std::int64_t{track}).bind(column + 1, event.begin).bind(column + 2, event.end - event.begin);
                insert.bind(column + 3, static_cast<std::int64_t>(event.kind)).bind(column + 4, static_cast<std::int64_t>(event.link));
                for (int argument = 0; argument < 4; ++argument)
                    insert.bind(column + 5 + argument, event.arg[static_cast<std::size_t>(argument)]);
                column += 9;
            }
            insert.run();
        }
    });
    transaction.commit();
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return seconds;
}

/// A tenth as many collectives, which lie across the streams' kernels.
void storeCollectives(const std::filesystem::path& file, const Tracks& tracks, std::size_t events)
{
    RunStore run = RunStore::openForWriting(file);
    store::Transaction transaction(run.database());
    std::vector<StoredEvent> calls;
    for (const Id track : tracks.comm) {
        calls.clear();
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(events / 10 / commTracks); ++i)
            calls.push_back(
                {1'000'000'000 + i * 200'000, 1'000'000'000 + i * 200'000 + 90'000, 0, Kind::Allreduce, flagMpi, {1, 1 << 20, i, -1}});
        run.append(track, calls);
    }
    run.flush();
    transaction.commit();
    run.finalize();
}

/// Of processor time: all of it is one thread on a file in the page cache, so that a quiet machine shows the same by the clock.
template <typename Body>
double milliseconds(const Body& body)
{
    double best = 1e30;
    for (int round = 0; round < 3; ++round) {
        const double start = processorSeconds();
        body();
        best = std::min(best, processorSeconds() - start);
    }
    return best * 1e3;
}

std::int64_t answer(RunStore& run, const std::string& sql)
{
    store::Statement statement(run.database(), sql);
    std::int64_t sum = 0;
    while (statement.step()) sum += statement.integer(0);
    return sum;
}

void askQuestions(const std::filesystem::path& file)
{
    line("open, tracks, 1920 columns of 64 tracks over the whole run", milliseconds([&] {
             RunStore run = RunStore::openForReading(file);
             Interval whole{*run.meta("t_min"), *run.meta("t_max")};
             for (const auto& track : run.tracks())
                 if (track.key.lane != Lane::Comm) (void)run.buckets(track.id, whole, 1920);
         }),
         "ms", "<= 150", "<= 500");
    RunStore run = RunStore::openForReading(file);
    const std::string middle = std::to_string((*run.meta("t_min") + *run.meta("t_max")) / 2);
    const auto sql = [&](const char* what, const std::string& text, const char* goal, const char* least) {
        line(what, milliseconds([&] { (void)answer(run, text); }), "ms", goal, least);
    };
    sql("SQL: events of a 100 ms window", "SELECT count(*) FROM event WHERE begin_ns < " + middle + " + 100000000 AND end_ns > " + middle,
        "-", "-");
    sql("SQL: count and sum over all events of a kind", "SELECT sum(duration_ns) FROM file_read", "-", "-");
    sql("event_by_name() of the run", "SELECT calls FROM event_by_name()", "<= 1000", "<= 3000");
    sql("event_by_name(begin, end) decoding every chunk", "SELECT calls FROM event_by_name(0, 9000000000000000000)", "<= 1000", "<= 3000");
    sql("overlap of all phases with a tenth as many collectives", "SELECT both_ns FROM overlap('phase_mark', 'allreduce')", "<= 300",
        "<= 1500");
}

int keep(std::size_t events, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    const auto file = folder / "run.db";
    Tracks tracks;
    {
        RunStore run = RunStore::create(file, 0);
        tracks = makeTracks(run);
        (void)storeEvents(run, tracks, events);
    }
    storeCollectives(file, tracks, events);
    return 0;
}

int run(std::size_t events, const std::string& part)
{
    const auto folder = std::filesystem::temp_directory_path() / ("flowgauge-store-bench-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::printf("%zu million events of %d tracks\n%-66s %10s %-12s %10s %10s\n", events / 1'000'000, trackCount, "what", "measured", "",
                "goal", "at least");
    const auto file = folder / "run.db";
    Tracks tracks;
    const auto count = static_cast<double>(events);
    {
        RunStore run = RunStore::create(file, 0);
        tracks = makeTracks(run);
        const double seconds = storeEvents(run, tracks, events);
        line("append .. finalize, one core", count / seconds / 1e6, "M events/s", ">= 15", ">= 6");
    }
    line("finished file", static_cast<double>(std::filesystem::file_size(file)) / count, "bytes/event", "<= 7", "<= 9");
    if (part == "store") return static_cast<int>(std::filesystem::remove_all(folder) == 0);
    if (part != "large") {
        store::Database rows(folder / "rows.db", store::Database::Mode::Create);
        const std::size_t some = std::min<std::size_t>(events, 2'000'000);
        const double seconds = storeRows(rows, some);
        line("the same as rows, no index", static_cast<double>(some) / seconds / 1e6, "M events/s", "-", "-");
        line("the same as rows, no index", static_cast<double>(std::filesystem::file_size(folder / "rows.db")) / static_cast<double>(some),
             "bytes/event", "-", "-");
    }
    storeCollectives(file, tracks, events);
    askQuestions(file);
    std::filesystem::remove_all(folder);
    return 0;
}

}  // namespace
}  // namespace flowgauge::bench

int main(int count, char** argument)
{
    const long millions = count > 1 ? std::atol(argument[1]) : 10;
    const std::size_t events = static_cast<std::size_t>(std::max(1L, millions)) * 1'000'000;
    const std::string part = count > 2 ? argument[2] : "";
    return part == "keep" && count > 3 ? flowgauge::bench::keep(events, argument[3]) : flowgauge::bench::run(events, part);
}
