// SPDX-License-Identifier: MIT
#include "collector/store/run_head.h"

#include "collector/store/ingest_rows.h"
#include "tests/unit/collector/store/temporary_run.h"

namespace flowgauge::store {
namespace {

constexpr Nanos partZero = 1'700'000'000'000'000'000;
constexpr Nanos earlier = 1'000'000;  ///< by so much the head's zero lies before the part's

/// A part with a read, a counter, an exchange, a line and a loss.
class RunHead : public TemporaryRun {
protected:
    RunHead()
    {
        Transaction transaction(store.database());
        const Id port = store.name("eth0");
        TrackKey counter;
        counter.host = host;
        counter.lane = Lane::Counter;
        counter.counter = Counter::NicRxBytes;
        counter.source = port;
        const auto number = static_cast<std::int64_t>(Counter::NicRxBytes);
        store.append(store.track(counter), std::vector<StoredEvent>{{50, 50, 0, Kind::CounterSample, 0, {number, port, 7000, 0}}});
        store.append(io, std::vector<StoredEvent>{{10, 30, 0, Kind::FileRead, 0, {store.name("/data/a"), 0, 64, 64}}});
        store.append(store.track(key(Lane::Comm)),
                     std::vector<StoredEvent>{{5, 9, 0, Kind::ClockExchange, 0, {store.name("node2"), 100, 101, 0}},
                                              {10, 20, 0, Kind::Barrier, 0, {1, 0, 0, 0}}});
        store.flush();
        store.putLedger({0, process, "events", "dropped", "ring full", 3});
        IngestRows(store.database()).putOutputLine(40, "stdout", "Epoch 1");
        transaction.commit();
        store = RunStore::openForReading(file());
    }

    RunStore head()
    {
        RunStore made = RunStore::create(folder / "head.db", partZero - earlier);
        Transaction transaction(made.database());
        static_cast<void>(made.name("another part's"));  // row ids differ from the part's
        static_cast<void>(made.host({0, "node0", "boot", 0}));
        store.countFrom(partZero - earlier);
        addToHead(store, made);
        transaction.commit();
        return made;
    }
};

TEST_F(RunHead, HasWhatIsFewOfAPartByTheHeadsClock)
{
    RunStore made = head();
    EXPECT_EQ(made.hosts().at(1).name, "node1");
    EXPECT_EQ(made.hosts().at(1).rawToRunNs, 5 + earlier);
    EXPECT_EQ(made.processes().at(0).host, made.hosts().at(1).id);
    EXPECT_EQ(made.processes().at(0).beginNs, earlier);
    std::vector<StoredEvent> kept;
    made.scan({}, [&](const TrackRow&, std::span<const StoredEvent> events) {
        kept.insert(kept.end(), events.begin(), events.end());
        return true;
    });
    ASSERT_EQ(kept.size(), 2U) << "a counter's sample and an exchange";
    for (const StoredEvent& event : kept) {
        const bool isSample = event.kind == Kind::CounterSample;
        EXPECT_EQ(event.begin, earlier + (isSample ? 50 : 5));
        EXPECT_EQ(made.nameText(event.arg[isSample ? 1 : 0]), isSample ? "eth0" : "node2");
    }
    EXPECT_EQ(made.tracks().size(), store.tracks().size());
}

TEST_F(RunHead, HasSumsByFileTheLedgerAndTheOutput)
{
    RunStore made = head();
    Statement files = made.database().prepare("SELECT file, rank, calls, bytes FROM file_traffic");
    ASSERT_TRUE(files.step());
    EXPECT_EQ(files.text(0), "/data/a");
    EXPECT_EQ(files.integer(1), 3);
    EXPECT_EQ(files.integer(3), 64);
    Statement ledger = made.database().prepare("SELECT process_id, reason, amount FROM ledger");
    ASSERT_TRUE(ledger.step());
    EXPECT_EQ(ledger.integer(0), made.processes().at(0).id);
    EXPECT_EQ(ledger.text(1), "ring full");
    EXPECT_EQ(ledger.integer(2), 3);
    Statement lines = made.database().prepare("SELECT at_ns, text FROM output_line");
    ASSERT_TRUE(lines.step());
    EXPECT_EQ(lines.integer(0), earlier + 40);
    EXPECT_EQ(lines.text(1), "Epoch 1");
}

TEST_F(RunHead, ToldByAnotherClockAStoreAnswersWindowsByThatClock)
{
    store.countFrom(partZero - earlier);
    const auto inWindow = [this](Interval window) {
        std::int64_t events = 0;
        store.scan({{Kind::FileRead}, {}, window}, [&](const TrackRow&, std::span<const StoredEvent> some) {
            events += static_cast<std::int64_t>(some.size());
            return true;
        });
        return events;
    };
    EXPECT_EQ(inWindow({10, 30}), 0);
    EXPECT_EQ(inWindow({earlier + 10, earlier + 30}), 1);
    EXPECT_EQ(store.tracks().at(0).extent, (Interval{earlier + 10, earlier + 30}));
    EXPECT_EQ(store.buckets(io, {earlier, earlier + 100}, 1).at(0).bytes, 64U);
}

}  // namespace
}  // namespace flowgauge::store
