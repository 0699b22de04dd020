// SPDX-License-Identifier: MIT
#include "workloads/simulate/parameters.h"
#include "collector/record/error.h"

#include <gtest/gtest.h>

namespace flowgauge::simulate {
namespace {

/// What the parser says against a text.
std::string complaint(const std::string& json)
{
    try {
        static_cast<void>(parametersOf(json, "file"));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Parameters, AnEmptyObjectIsTheDefaultJob) { EXPECT_EQ(parametersOf("{}", "file").ranks(), 4); }

TEST(Parameters, WhatIsGivenIsTaken)
{
    const Parameters parameters = parametersOf(
        R"({"cluster": {"nodes": 8}, "data": {"shard_rule": "sticky"}, "faults": [{"kind": "no_overlap"}]} // said so)", "file");
    EXPECT_EQ(parameters.ranks(), 32);
    EXPECT_EQ(parameters.data.rule, ShardRule::Sticky);
    EXPECT_EQ(parameters.faults.front().kind, "no_overlap");
}

TEST(Parameters, AMistakeIsNamedWithItsPlace)
{
    EXPECT_EQ(complaint(R"({"cluster": {"node": 8}})"), "file.cluster.node: no such parameter");
    EXPECT_EQ(complaint(R"({"cluster": {"nodes": 0}})"), "file.cluster.nodes: expected 1 to 2048, found 0");
    EXPECT_EQ(complaint(R"({"cluster": {"nodes": "two"}})"), "file.cluster.nodes: a value of another type was expected");
    EXPECT_EQ(complaint(R"({"data": {"shard_rule": "any"}})"),
              "file.data.shard_rule: expected one of sticky, reshuffle, rotate, found any");
    EXPECT_NE(complaint(R"({"faults": [{"kind": "gremlin"}]})").find("no fault 'gremlin'"), std::string::npos);
    EXPECT_NE(complaint("{").find("no JSON"), std::string::npos);
    EXPECT_NE(complaint(R"({"data": {"samples": 3}})").find("no whole step"), std::string::npos);
    EXPECT_NE(complaint(R"({"model": {"buckets_mib": []}})").find("at least one bucket"), std::string::npos);
}

}  // namespace
}  // namespace flowgauge::simulate
