// SPDX-License-Identifier: MIT
#include "workloads/data/jpeg.h"
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include "workloads/data/texture.h"

using namespace flowgauge::workloads;

/// Left half red, right half blue.
static Picture halves(int edge)
{
    Picture picture{edge, {}};
    for (int y = 0; y < edge; ++y)
        for (int x = 0; x < edge; ++x) {
            const std::uint8_t red = x < edge / 2 ? 250 : 0;
            picture.rgb.insert(picture.rgb.end(), {red, 0, static_cast<std::uint8_t>(250 - red)});
        }
    return picture;
}

TEST(Jpeg, IsFilledUpToTheByte)
{
    const auto bare = encodeJpeg(halves(64), 85, 0);
    for (const std::size_t more : {4U, 5U, 1000U, 65'536U, 65'537U, 65'538U, 65'540U, 65'541U, 131'077U, 200'000U})
        EXPECT_EQ(encodeJpeg(halves(64), 85, bare.size() + more).size(), bare.size() + more) << more;
    EXPECT_EQ(encodeJpeg(halves(64), 85, bare.size() + 3), bare);
}

TEST(Jpeg, ShowsTheSamePictureWhenFilledUp)
{
    const auto bare = encodeJpeg(halves(64), 85, 0), filled = encodeJpeg(halves(64), 85, 150'001);
    std::vector<float> first(3 * 32 * 32), second(3 * 32 * 32);
    decodeJpeg(bare, 32, false, first.data());
    decodeJpeg(filled, 32, false, second.data());
    EXPECT_EQ(first, second);
}

TEST(Jpeg, DecodesColoursIntoPlanesAndMirrors)
{
    const auto jpeg = encodeJpeg(halves(100), 95, 0);
    std::vector<float> planes(3 * 40 * 40), mirrored(3 * 40 * 40);
    decodeJpeg(jpeg, 40, false, planes.data());
    decodeJpeg(jpeg, 40, true, mirrored.data());
    EXPECT_GT(planes[5], 1.5F);              // red, upper left
    EXPECT_LT(planes[2 * 1600 + 5], -1.5F);  // no blue there
    EXPECT_LT(mirrored[5], -1.5F);
    EXPECT_GT(mirrored[2 * 1600 + 5], 1.5F);
}

TEST(Jpeg, RefusesWhatIsNone)
{
    std::vector<std::byte> junk(100, std::byte{7});
    std::vector<float> planes(3 * 8 * 8);
    EXPECT_THROW(decodeJpeg(junk, 8, false, planes.data()), std::runtime_error);
    EXPECT_THROW(decodeJpeg({}, 8, false, planes.data()), std::runtime_error);
}

TEST(Texture, DependsOnTheClassMoreThanOnTheSample)
{
    const auto meanRed = [](unsigned label, std::uint64_t seed) {
        Dice dice(seed);
        const Picture picture = drawSample(label, 10, 32, dice);
        double sum = 0;
        for (std::size_t i = 0; i < picture.rgb.size(); i += 3) sum += picture.rgb[i];
        return sum / 1024;
    };
    for (std::uint64_t seed = 1; seed < 20; ++seed) EXPECT_GT(meanRed(0, seed), meanRed(5, seed + 100));  // hues opposite each other
}
