// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <string>
#include <vector>

namespace flowgauge::store {

/// A test with a fresh run file in a folder of its own, with one host, one process (rank 3) and an io track.
class TemporaryRun : public testing::Test {
protected:
    TemporaryRun() : folder(std::filesystem::temp_directory_path() / ("flowgauge-store-" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        store = RunStore::create(file(), 1'700'000'000'000'000'000);
        Transaction transaction(store.database());
        host = store.host({0, "node1", "boot", 5});
        process = store.process(processRow("100-1", 3));
        io = store.track(key(Lane::Io));
        transaction.commit();
    }
    ~TemporaryRun() override { std::filesystem::remove_all(folder); }

    [[nodiscard]] std::filesystem::path file() const { return folder / "run.db"; }

    [[nodiscard]] ProcessRow processRow(const std::string& spool, std::int64_t rank) const
    {
        ProcessRow row;
        row.host = host;
        row.pid = 100;
        row.spool = spool;
        row.program = "/usr/bin/train";
        row.rank = rank;
        row.rankSource = "mpi";
        return row;
    }

    [[nodiscard]] TrackKey key(Lane lane) const
    {
        TrackKey key;
        key.host = host;
        key.process = process;
        key.thread = 101;
        key.lane = lane;
        return key;
    }

    void put(Id track, const std::vector<StoredEvent>& events)
    {
        Transaction transaction(store.database());
        store.append(track, events);
        store.flush();
        transaction.commit();
    }

    [[nodiscard]] std::vector<StoredEvent> events(const EventQuery& query = {})
    {
        std::vector<StoredEvent> all;
        store.scan(query, [&](const TrackRow&, std::span<const StoredEvent> some) {
            all.insert(all.end(), some.begin(), some.end());
            return true;
        });
        return all;
    }

    /// The first row of a query, columns joined by '|'.
    [[nodiscard]] std::string row(const std::string& sql)
    {
        Statement statement = store.database().prepare(sql);
        if (!statement.step()) return "(no row)";
        std::string text;
        for (int column = 0; column < statement.columns(); ++column)
            text += (column == 0 ? "" : "|") + (statement.isNull(column) ? "NULL" : statement.text(column));
        return text;
    }

    std::filesystem::path folder;
    RunStore store = RunStore::create(std::filesystem::path(":memory:"), 0);
    Id host = 0, process = 0, io = 0;
};

[[nodiscard]] inline StoredEvent readEvent(Nanos begin, Nanos end, Id file, std::int64_t bytes)
{
    return {begin, end, 0, Kind::FileRead, static_cast<std::uint16_t>(bytes < 0 ? flagFailed : 0), {file, 0, bytes, 4096}};
}

}  // namespace flowgauge::store
