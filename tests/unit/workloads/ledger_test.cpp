// SPDX-License-Identifier: MIT
#include "workloads/ledger.h"
#include <gtest/gtest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include "tests/unit/workloads/scratch_folder.h"

using namespace flowgauge::workloads;

static nlohmann::json written(const Ledger& ledger, const ScratchFolder& scratch)
{
    LedgerFacts facts;
    facts.program = "p";
    facts.bucketBytes = {8, 16};
    ledger.write(scratch.path() / "ledger.json", facts);
    return nlohmann::json::parse(std::ifstream(scratch.path() / "ledger.json"));
}

TEST(Ledger, SumsWhatWasEntered)
{
    const ScratchFolder scratch;
    Ledger ledger;
    ledger.opened("/d/a");
    ledger.read("/d/a", 10);
    ledger.read("/d/a", 0);
    ledger.read("/d/b", 5);
    ledger.openedToWrite("/c");
    ledger.wrote("/c", 7);
    ledger.collective("allreduce", 100);
    ledger.collective("allreduce", 20);
    ledger.step();
    const auto json = written(ledger, scratch);
    EXPECT_EQ(json["reads"], 3);
    EXPECT_EQ(json["read_bytes"], 15);
    EXPECT_EQ(json["opens"], 2);
    EXPECT_EQ(json["files"], (nlohmann::json{{"/d/a", 10}, {"/d/b", 5}}));
    EXPECT_EQ(json["written_files"], (nlohmann::json{{"/c", 7}}));
    EXPECT_EQ(json["collectives"]["allreduce"], (nlohmann::json{{"count", 2}, {"bytes", 120}}));
    EXPECT_EQ(json["collectives"]["barrier"]["count"], 0);
    EXPECT_EQ(json["steps"], 1);
    EXPECT_EQ(json["buckets"], (nlohmann::json{8, 16}));
}

TEST(Ledger, KeepsTheLastAccuracyAndNullWhereNoneWasMeasured)
{
    const ScratchFolder scratch;
    Ledger ledger;
    EpochEntry entry;
    EXPECT_TRUE(written(ledger, scratch)["accuracy"].is_null());
    entry.accuracy = 0.5;
    ledger.epoch(entry);
    entry.accuracy.reset();
    ledger.epoch(entry);
    const auto json = written(ledger, scratch);
    EXPECT_EQ(json["accuracy"], 0.5);
    EXPECT_TRUE(json["epochs"][1]["accuracy"].is_null());
}

TEST(Ledger, SaysWhenItCannotBeWritten) { EXPECT_THROW(Ledger().write("/nowhere/at/all", {}), std::runtime_error); }

TEST(Ledger, PutsTheRankIntoItsName)
{
    EXPECT_EQ(ledgerPath("l%r.json", 12), "l12.json");
    EXPECT_EQ(ledgerPath("l.json", 1), "l.json");
}
