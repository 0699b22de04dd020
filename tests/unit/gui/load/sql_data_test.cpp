// SPDX-License-Identifier: MIT
#include "gui/load/sql_data.h"

#include "analyzer/facts/described.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <algorithm>

namespace flowgauge::load {
namespace {

class SqlData : public facts::SmallRun {
protected:
    SqlAnswer asked(const std::string& sql, std::size_t most = 100)
    {
        read(process(100, 3), "/data/a", {10, 20}, 77);
        return answerTo(finished(), sql, most, cancel);
    }
    Cancel cancel = std::make_shared<std::atomic<bool>>(false);
};

TEST_F(SqlData, AnswersWithColumnsAndRowsAndTellsNullFromText)
{
    const SqlAnswer answer = asked("SELECT file, bytes, NULL AS gone FROM file_read");
    EXPECT_EQ(answer.error, "");
    EXPECT_EQ(answer.columns, (std::vector<std::string>{"file", "bytes", "gone"}));
    ASSERT_EQ(answer.rows.size(), 1U);
    EXPECT_EQ(answer.rows[0][0], "/data/a");
    EXPECT_EQ(answer.rows[0][1], "77");
    EXPECT_EQ(answer.rows[0][2], std::nullopt);
    EXPECT_FALSE(answer.cut);
}

TEST_F(SqlData, SaysWhereItStopped)
{
    const std::string ten = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 10) SELECT x FROM c";
    const SqlAnswer answer = asked(ten, 9);
    EXPECT_EQ(answer.rows.size(), 9U);
    EXPECT_TRUE(answer.cut);
    EXPECT_FALSE(answerTo(store, ten, 10, cancel).cut);
}

TEST_F(SqlData, AMistakeIsToldWithTheDatabasesOwnWords)
{
    EXPECT_NE(asked("SELECT gone FROM nowhere").error.find("nowhere"), std::string::npos);
}

TEST_F(SqlData, WhatWouldWriteIsRefused)
{
    EXPECT_NE(asked("DELETE FROM name").error.find("only read"), std::string::npos);
    EXPECT_EQ(answerTo(store, "SELECT count(*) FROM file_read", 1, cancel).rows[0][0], "1");
}

TEST_F(SqlData, CancellingEndsAQuestionThatNeverWouldAndTheNextOneIsAnswered)
{
    *cancel = true;
    const SqlAnswer answer = asked("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c");
    EXPECT_TRUE(answer.rows.empty());
    *cancel = false;
    EXPECT_EQ(answerTo(store, "SELECT 1", 1, cancel).rows.size(), 1U);
}

TEST_F(SqlData, EveryDescribedObjectCanBeAsked)
{
    (void)asked("SELECT 1");
    const auto objects = facts::describedObjects(store);
    EXPECT_GT(objects.size(), 30U);
    for (const facts::DescribedObject& object : objects) {
        if (object.name == "overlap") continue;  // a function: it asks for two kinds
        EXPECT_FALSE(object.sentence.empty() && object.columns.empty()) << object.name;
        EXPECT_EQ(answerTo(store, facts::firstRowsOf(object.name), 100, cancel).error, "") << object.name;
    }
    const auto found = std::find_if(objects.begin(), objects.end(), [](const auto& object) { return object.name == "file_read"; });
    ASSERT_NE(found, objects.end());
    EXPECT_TRUE(std::any_of(found->columns.begin(), found->columns.end(), [](const auto& column) { return column.first == "bytes"; }));
}

}  // namespace
}  // namespace flowgauge::load
