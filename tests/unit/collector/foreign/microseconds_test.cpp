// SPDX-License-Identifier: MIT
#include "collector/foreign/microseconds.h"

#include "collector/foreign/collective_text.h"
#include "collector/foreign/rank_of_file.h"

#include <gtest/gtest.h>

namespace flowgauge::foreign {
namespace {

TEST(Microseconds, KeepEveryNanosecondThatADoubleWouldLose)
{
    EXPECT_EQ(nanosOf("1712195495505583.047"), 1712195495505583047);
    EXPECT_EQ(nanosOf("4203669603187.439"), 4203669603187439);
    EXPECT_EQ(nanosOf("1661203462598738"), 1661203462598738000);
}

TEST(Microseconds, AreReadInEveryFormThatTracesHave)
{
    EXPECT_EQ(nanosOf("68.0"), 68000);
    EXPECT_EQ(nanosOf(".5"), 500);
    EXPECT_EQ(nanosOf("1.25e3"), 1250000);
    EXPECT_EQ(nanosOf("1.5E-3"), 2) << "half a nanosecond is rounded";
    EXPECT_EQ(nanosOf("0.0004"), 0);
    EXPECT_EQ(nanosOf("-2.5"), -2500);
    EXPECT_EQ(nanosOf("12.34567891234567891234"), 12346) << "a fraction too long to keep";
}

TEST(Microseconds, RefuseWhatIsNoNumberOrDoesNotFit)
{
    for (const std::string_view text : {"", "-", ".", "abc", "12x", "1e", "1e99", "99999999999999999999", "9223372036854775807"})
        EXPECT_EQ(nanosOf(text), std::nullopt) << text;
}

TEST(Microseconds, TheFirstNumberOfATextIsFound)
{
    EXPECT_EQ(numberIn("stream 7"), 7);
    EXPECT_EQ(numberIn("thread 17264 (python)"), 17264);
    EXPECT_EQ(numberIn("-1"), -1);
    EXPECT_EQ(numberIn("none"), std::nullopt);
}

TEST(RankOfFile, StandsBehindTheLastWordRank)
{
    EXPECT_EQ(rankOfFile("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"), 34);
    EXPECT_EQ(rankOfFile("trace_8_rank_1.json"), 1);
    EXPECT_EQ(rankOfFile("rank0.json"), 0);
    EXPECT_EQ(rankOfFile("ranking.json"), std::nullopt);
    EXPECT_EQ(rankOfFile("trace.json"), std::nullopt);
}

TEST(CollectiveText, NamesOfPyTorchAreOperations)
{
    EXPECT_EQ(kindOfCollective("allreduce"), Kind::Allreduce);
    EXPECT_EQ(kindOfCollective("_allgather_base"), Kind::Allgather);
    EXPECT_EQ(kindOfCollective("all_to_allv"), Kind::Alltoall);
    EXPECT_EQ(kindOfCollective("reduce_scatter_tensor_coalesced"), Kind::ReduceScatter);
    EXPECT_EQ(kindOfCollective("reduce"), Kind::Reduce);
    EXPECT_EQ(kindOfCollective("MPI_Isend"), Kind::Send);
    EXPECT_EQ(kindOfCollective("wait"), std::nullopt);
}

TEST(CollectiveText, TypesHaveSizes)
{
    EXPECT_EQ(bytesOfType("Float"), 4U);
    EXPECT_EQ(bytesOfType("c10::BFloat16"), 2U);
    EXPECT_EQ(bytesOfType("Float8_e4m3fn"), 1U);
    EXPECT_EQ(bytesOfType("long int"), 8U);
    EXPECT_EQ(bytesOfType("Scalar"), 0U);
}

TEST(CollectiveText, BytesOfInputsAreElementsTimesTheirTypes)
{
    EXPECT_EQ(bytesOfInputs("[[321271 ]]", "[float ]"), 1285084U);
    EXPECT_EQ(bytesOfInputs("[[2 3 ][][7 ]]", "[double Scalar c10::Half ]"), 48U + 14U);
    EXPECT_EQ(bytesOfInputs("", ""), 0U);
}

}  // namespace
}  // namespace flowgauge::foreign
