// SPDX-License-Identifier: MIT
#include "collector/remote/onefs_values.h"

#include "collector/record/error.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

using Strings = std::vector<std::string>;

std::string statOf(const std::string& rest)
{
    return R"({"stats":[{"key":"cluster.disk.bytes.out.rate","devid":0,"time":1700000000,)" + rest + "}]}";
}

struct Case {
    const char* rest;
    std::size_t readings;
    Strings troubles, missing;
};

TEST(OneFsStats, EveryErrorCodeHasItsConsequence)
{
    const std::string key = "cluster.disk.bytes.out.rate";
    const Case cases[] = {
        {R"("value":5.6,"error":null,"error_code":null)", 1, {}, {}},
        {R"("value":5,"error":"","error_code":0)", 1, {}, {}},
        {R"("value":5)", 1, {}, {}},
        {R"("value":null,"error":"x","error_code":1)", 0, {key + ": not present"}, {key}},
        {R"("value":"","error":"x","error_code":2)", 0, {key + ": not implemented"}, {key}},
        {R"("value":5,"error":"x","error_code":3)", 1, {key + ": some nodes did not answer: its value is that of the others"}, {}},
        {R"("value":5,"error":"x","error_code":4)", 0, {key + ": stale"}, {}},
        {R"("value":5,"error":"x","error_code":5)", 0, {key + ": a node could not be reached"}, {}},
        {R"("value":5,"error":"x","error_code":6)", 0, {key + ": a node did not answer in time"}, {}},
        {R"("value":5,"error":"x","error_code":7)", 0, {key + ": no history"}, {}},
        {R"("value":5,"error":"x","error_code":8)", 0, {key + ": a fault of the system"}, {}},
        {R"("value":5,"error":"x","error_code":9)", 0, {key + ": not configured"}, {key}},
        {R"("value":5,"error":"x","error_code":10)", 0, {key + ": no data"}, {}},
        {R"("value":5,"error":"x","error_code":77)", 0, {key + ": an error that this build does not know"}, {}},
        {R"("value":5,"error":"x")", 0, {key + ": an error that this build does not know"}, {}},
        {R"("value":{"a":1})", 0, {key + ": its value is of a kind that this build does not know"}, {}},
        {R"("value":-3)", 0, {}, {}},
        {R"("value":1e300)", 0, {}, {}},
    };
    for (const Case& one : cases) {
        const OneFsStats stats = parseOneFsStats(statOf(one.rest));
        EXPECT_EQ(stats.readings.all.size(), one.readings) << one.rest;
        EXPECT_EQ(stats.readings.troubles, one.troubles) << one.rest;
        EXPECT_EQ(stats.missing, one.missing) << one.rest;
    }
}

TEST(OneFsStats, ARateIsRoundedAndHasItsTime)
{
    const OneFsStats stats = parseOneFsStats(statOf(R"("value":5.6)"));
    ASSERT_EQ(stats.readings.all.size(), 1U);
    EXPECT_EQ(stats.readings.all[0].counter, Counter::StorageDiskReadRate);
    EXPECT_EQ(stats.readings.all[0].value, 6U);
    EXPECT_EQ(stats.readings.all[0].measuredNs, 1'700'000'000'000'000'000);
}

TEST(OneFsStats, WhatIsNoAnswerIsAnErrorThatSaysSo)
{
    for (const char* const body : {"", "{", R"({"stats":[{"key")", "<html>", "[]", R"({"stats":5})", R"({"errors":[]})"})
        EXPECT_THROW((void)parseOneFsStats(body), Error) << body;
    EXPECT_TRUE(parseOneFsStats(R"({"stats":[5,{},{"key":"another.key","value":1}]})").readings.all.empty());
}

TEST(OneFsInterval, IsThatOfTheFirstPolicyThatIsNotPersistent)
{
    const auto of = [](const std::string& key) { return parseOneFsInterval(R"({"keys":[)" + key + "]}"); };
    EXPECT_EQ(of(R"({"policies":[{"interval":300,"persistent":true},{"interval":20,"persistent":false}],"default_cache_time":5})"),
              std::chrono::seconds(20));
    EXPECT_EQ(of(R"({"policies":null,"default_cache_time":5})"), std::chrono::seconds(5));
    EXPECT_EQ(of(R"({"policies":null,"default_cache_time":0})"), std::nullopt);
    EXPECT_THROW((void)parseOneFsInterval(R"({"keys":[]})"), Error);
}

TEST(OneFsClients, OnlyTheBusiestAreKept)
{
    std::string rows;
    for (int i = 0; i < 70; ++i)
        rows += std::string(i == 0 ? "" : ",") + R"({"remote_addr":"10.0.0.)" + std::to_string(i) + R"(","protocol":"nfs3","out":)" +
                std::to_string(i + 1) + R"(,"in":0,"operation_rate":1,"time_avg":2,"time":5})";
    const Readings readings = parseOneFsClients(R"({"client":[)" + rows + "]}");
    EXPECT_EQ(readings.all.size(), mostClients * 4);
    EXPECT_EQ(readings.troubles.size(), 1U);
    EXPECT_EQ(readings.all.front().place, "client 10.0.0.69");
    EXPECT_EQ(readings.all.front().value, 70U);
}

TEST(OneFsQueries, AreNeverLongerThanAWebServerTakes)
{
    const Strings keys(500, std::string(40, 'k'));
    std::size_t words = 0;
    for (const std::string& query : oneFsQueries(keys)) {
        EXPECT_LE(query.size(), 7000U);
        for (std::size_t at = query.find("key="); at != std::string::npos; at = query.find("key=", at + 1)) ++words;
    }
    EXPECT_EQ(words, keys.size());
    EXPECT_TRUE(oneFsQueries({}).empty());
}

}  // namespace
}  // namespace flowgauge::remote
