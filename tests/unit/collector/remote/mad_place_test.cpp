// SPDX-License-Identifier: MIT
#include "collector/remote/mad_place.h"

#include "tests/unit/collector/remote/refusal.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

TEST(MadPlace, NamesTheDeviceThatAsksAndThePortsThatAreAsked)
{
    const Place place = parsePlace("mad://mlx5_0:2/7:1,0x1f:36");
    EXPECT_EQ(place.scheme, "mad");
    EXPECT_EQ(place.host, "mlx5_0");
    EXPECT_EQ(place.port, 2);
    EXPECT_EQ(place.shown(), "mlx5_0:2");
    const std::vector<MadTarget> targets = parseMadTargets(std::string_view(place.path).substr(1));
    ASSERT_EQ(targets.size(), 2U);
    EXPECT_EQ(targets[0].shown(), "lid 7 port 1");
    EXPECT_EQ(targets[1].shown(), "lid 31 port 36");
}

TEST(MadPlace, NeedsNoDevice)
{
    const Place place = parsePlace("mad://49151:0");
    EXPECT_EQ(place.host, "");
    EXPECT_EQ(place.path, "/49151:0");
    EXPECT_EQ(place.shown(), "mad");
    EXPECT_EQ(parsePlace("mad://mlx5_0/7:254").shown(), "mlx5_0");
}

TEST(MadPlace, ThatIsNoneIsRefusedAndTheGrammarTold)
{
    for (const char* const text :
         {"mad://", "mad:///", "mad:///7:1", "mad://7", "mad://7:", "mad://:1", "mad://0:1", "mad://49152:1", "mad://7:255", "mad://7:1,",
          "mad://7:-1", "mad://0x:1", "mad://mlx5_0:0/7:1", "mad://mlx5_0:x/7:1", "mad://ml x/7:1", "mad://mlx5_0/"})
        EXPECT_NE(refusalOf(text).find("expected mad://[DEVICE[:PORT]/]LID:PORT"), std::string::npos) << text << ": " << refusalOf(text);
    std::string many = "mad://1:1";
    for (int port = 2; port <= 65; ++port) many += ",1:" + std::to_string(port);
    EXPECT_NE(refusalOf(many).find("more than 64"), std::string::npos);
}

}  // namespace
}  // namespace flowgauge::remote
