// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/ingest_rows.h"
#include "collector/store/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// A real run.db, written by hand: put events in, then look at `finished()`. All times in ns of run time.
class SmallRun : public testing::Test {
protected:
    SmallRun() : folder(std::filesystem::temp_directory_path() / ("flowgauge-facts-" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        store = store::RunStore::create(file(), 1'700'000'000'000'000'000);
        m_writing.emplace(store.database());
        host = store.host({0, "node-a", "boot", 0});
    }
    ~SmallRun() override
    {
        m_writing.reset();
        std::filesystem::remove_all(folder);
    }

    [[nodiscard]] std::filesystem::path file() const { return folder / "run.db"; }

    /// A process; rank -1: it does not know one.
    store::Id process(std::int64_t pid, int rank, int worldSize = 1, std::int64_t parent = 1)
    {
        store::ProcessRow row;
        row.host = host;
        row.pid = pid;
        row.parentPid = parent;
        row.processStart = pid;
        row.beginNs = pid;
        row.spool = std::to_string(pid) + "-1";
        row.program = "train";
        if (rank >= 0) row.rank = rank;
        if (rank >= 0) row.worldSize = worldSize;
        row.ended = "normally";
        return store.process(row);
    }

    /// An event of the process's main thread, or of `thread`.
    void put(store::Id process, const store::StoredEvent& event, std::int64_t thread = 0)
    {
        store::TrackKey key;
        key.host = host;
        key.process = process;
        key.thread = thread != 0 ? thread : pidOf(process);
        key.lane = rowOf(event.kind).lane;
        m_events[store.track(key)].push_back(event);
    }
    void mark(store::Id process, Kind kind, Interval when, std::int64_t numberOrName, std::int64_t samples = 0)
    {
        put(process, {when.begin, when.end, 0, kind, 0, {numberOrName, samples, 0, 0}});
    }
    void phase(store::Id process, const std::string& name, Interval when) { mark(process, Kind::PhaseMark, when, store.name(name)); }
    void read(store::Id process, const std::string& path, Interval when, std::int64_t bytes, std::int64_t thread = 0)
    {
        put(process, {when.begin, when.end, 0, Kind::FileRead, 0, {store.name(path), -1, bytes, bytes}}, thread);
    }
    void sample(store::Id process, Counter counter, Nanos at, std::int64_t value, const std::string& source = "")
    {
        store::TrackKey key;
        key.host = host;
        key.process = process;
        key.lane = Lane::Counter;
        key.counter = counter;
        key.source = source.empty() ? 0 : store.name(source);
        m_events[store.track(key)].push_back(
            {at, at, 0, Kind::CounterSample, 0, {static_cast<std::int64_t>(counter), key.source, value, 0}});
    }
    /// A counter of the host's that grows within the first second.
    void grow(Counter counter, std::int64_t from, std::int64_t to, const std::string& place)
    {
        sample(0, counter, 0, from, place);
        sample(0, counter, 1'000'000'000, to, place);
    }
    void print(Nanos at, std::string_view line) { store::IngestRows(store.database()).putOutputLine(at, "stdout", line); }

    /// The run as ingest would leave it.
    store::RunStore& finished()
    {
        for (const auto& [track, events] : m_events) store.append(track, events);
        store.flush();
        m_writing->commit();
        m_writing.reset();
        store.finalize();
        store = store::RunStore::openForReading(file());
        return store;
    }

    std::filesystem::path folder;
    store::RunStore store = store::RunStore::create(std::filesystem::path(":memory:"), 0);
    store::Id host = 0;

private:
    std::int64_t pidOf(store::Id process)
    {
        for (const store::ProcessRow& row : store.processes())
            if (row.id == process) return row.pid;
        return 0;
    }
    std::map<store::Id, std::vector<store::StoredEvent>> m_events;
    std::optional<store::Transaction> m_writing;
};

}  // namespace flowgauge::facts
