// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "collector/store/draft.h"
#include "tests/unit/collector/store/temporary_run.h"

#include <algorithm>
#include <fstream>

namespace flowgauge::store {
namespace {

using SchemaTest = TemporaryRun;

std::string refusal(const std::filesystem::path& file)
{
    try {
        (void)RunStore::openForReading(file);
        return "(opened)";
    } catch (const Error& error) {
        return error.what();
    }
}

void expectRefusal(const std::filesystem::path& file, const std::string& part)
{
    const std::string found = refusal(file);
    EXPECT_NE(found.find(part), std::string::npos) << found;
    EXPECT_EQ(found.find(file.string()), 0U) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
}

TEST_F(SchemaTest, ARunOpensAgainForReadingAndWriting)
{
    EXPECT_EQ(refusal(file()), "(opened)");
    EXPECT_EQ(RunStore::openForWriting(file()).meta("t_zero"), 1'700'000'000'000'000'000);
}

TEST_F(SchemaTest, WhatIsNoRunIsRefusedInOneLine)
{
    expectRefusal(folder / "absent.db", "no such file");
    expectRefusal(folder, "is a directory");
    std::ofstream(folder / "text.db") << std::string(5000, 'x');
    expectRefusal(folder / "text.db", "is not a run");
    std::ofstream(folder / "empty.db");
    expectRefusal(folder / "empty.db", "is not a run");
    Database(folder / "foreign.db", Database::Mode::Create).execute("PRAGMA application_id = 7; CREATE TABLE t (x)");
    expectRefusal(folder / "foreign.db", "the SQLite file of another program");
}

TEST_F(SchemaTest, AnotherSchemaVersionSaysWhatToDo)
{
    store.database().execute("PRAGMA user_version = 2");
    expectRefusal(file(), "has schema version 2, this build reads version 1; use a newer flowgauge");
    store.database().execute("PRAGMA user_version = 0");
    expectRefusal(file(), "has schema version 0, this build reads version 1; it was never finished or is older");
}

TEST_F(SchemaTest, CreateNeverOverwrites)
{
    EXPECT_THROW((void)RunStore::create(file(), 0), Error);
    EXPECT_EQ(store.processes().size(), 1U);
}

TEST_F(SchemaTest, ANewFileIsReadBesideItsWriterOnceItIsSettled)
{
    store.settle();
    Transaction transaction(store.database());
    store.putMeta("events", 7);
    EXPECT_EQ(RunStore::openForReading(file()).meta("events"), std::nullopt);
    transaction.commit();
    EXPECT_EQ(RunStore::openForReading(file()).meta("events"), 7);
}

TEST_F(SchemaTest, ADraftIsInItsPlaceOnlyWhenKept)
{
    std::ofstream(folder / "second.db.new-wal") << "what a killed process left";
    {
        const Draft draft(folder / "second.db");
        EXPECT_FALSE(std::filesystem::exists(folder / "second.db.new-wal"));
        RunStore::create(draft.file(), 5).finalize();
        EXPECT_FALSE(std::filesystem::exists(folder / "second.db"));
        draft.keep();
    }
    EXPECT_EQ(RunStore::openForReading(folder / "second.db").meta("t_zero"), 5);
    {
        const Draft draft(folder / "third.db");
        RunStore::create(draft.file(), 5).finalize();
    }
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) left.push_back(entry.path().filename());
    std::sort(left.begin(), left.end());
    EXPECT_EQ(left, (std::vector<std::string>{"run.db", "second.db"}));
}

TEST_F(SchemaTest, ARefusedFileIsNotChanged)
{
    Database(folder / "foreign.db", Database::Mode::Create).execute("CREATE TABLE t (x)");
    const auto size = std::filesystem::file_size(folder / "foreign.db");
    EXPECT_THROW((void)RunStore::openForWriting(folder / "foreign.db"), Error);
    EXPECT_EQ(std::filesystem::file_size(folder / "foreign.db"), size);
    EXPECT_FALSE(std::filesystem::exists(folder / "foreign.db-wal"));
}

}  // namespace
}  // namespace flowgauge::store
