// SPDX-License-Identifier: MIT
#include "collector/remote/place.h"

#include "tests/unit/collector/remote/refusal.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

TEST(Place, HasItsPartsWhereTheyAreGiven)
{
    const Place whole = parsePlace("ufm://admin@ufm1.example:8443/ufmRestV3");
    EXPECT_EQ(whole.scheme, "ufm");
    EXPECT_EQ(whole.user, "admin");
    EXPECT_EQ(whole.host, "ufm1.example");
    EXPECT_EQ(whole.port, 8443);
    EXPECT_EQ(whole.path, "/ufmRestV3");
    EXPECT_EQ(whole.shown(), "ufm1.example:8443");
    EXPECT_EQ(parsePlace("onefs://u@isilon").shown(), "isilon");
    EXPECT_EQ(parsePlace("onefs://dom\\u@[fe80::1]:8080").host, "[fe80::1]");
    EXPECT_EQ(parsePlace("onefs://u@[fe80::1]").port, 0);
}

TEST(Place, WithAPasswordIsRefusedAndNotRepeated)
{
    const std::string refusal = refusalOf("onefs://monitor:hunter2@isilon");
    EXPECT_NE(refusal.find("can be read by everybody"), std::string::npos) << refusal;
    EXPECT_EQ(refusal.find("hunter2"), std::string::npos) << refusal;
    EXPECT_EQ(refusalOf("onefs://monitor:hunter2@iso lon").find("hunter2"), std::string::npos);
}

TEST(Place, ThatIsNoneIsRefused)
{
    for (const char* const text : {"isilon", "http://isilon", "onefs://", "onefs://u@", "onefs://u@isilon:0", "onefs://u@isilon:99999",
                                   "onefs://u@isilon:x", "onefs://u@iso lon", "onefs://u@a\r\nHost: b"})
        EXPECT_NE(refusalOf(text), "") << text;
}

}  // namespace
}  // namespace flowgauge::remote
