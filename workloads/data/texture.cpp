// SPDX-License-Identifier: MIT
#include "workloads/data/texture.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace flowgauge::workloads {

/// What all samples of a class share.
struct ClassLook {
    std::array<double, 3> colour;
    double angle, stripesPerEdge;
};

static ClassLook lookOf(unsigned label, unsigned classes)
{
    constexpr double turn = 2 * std::numbers::pi;
    const double hue = static_cast<double>(label) / classes;
    ClassLook look{};
    for (std::size_t c = 0; c < 3; ++c) look.colour[c] = 0.5 + 0.4 * std::cos(turn * (hue + static_cast<double>(c) / 3));
    look.angle = std::numbers::pi * static_cast<double>(label % 4) / 4;
    look.stripesPerEdge = 3 + 2.5 * static_cast<double>((label / 4) % 4);
    return look;
}

/// One channel of one pixel: stripes in the class's colour, the sample's brightness, noise.
static std::uint8_t shade(double colour, double stripe, double brightness, double noise)
{
    const double value = brightness * (colour * (0.55 + 0.45 * stripe)) + noise;
    return static_cast<std::uint8_t>(std::clamp(value * 255.0, 0.0, 255.0));
}

Picture drawSample(unsigned label, unsigned classes, int edgePx, Dice& dice)
{
    const ClassLook look = lookOf(label, classes);
    const double phase = dice.unit() * 2 * std::numbers::pi;
    const double brightness = 0.7 + 0.5 * dice.unit();
    const std::array<double, 3> blot{dice.unit() * edgePx, dice.unit() * edgePx, edgePx * (0.1 + 0.15 * dice.unit())};
    const double along = 2 * std::numbers::pi * look.stripesPerEdge / edgePx;
    const auto edge = static_cast<std::size_t>(edgePx);
    Picture picture{edgePx, std::vector<std::uint8_t>(edge * edge * 3)};
    for (std::size_t at = 0; at < edge * edge; ++at) {
        const std::size_t row = at / edge, column = at % edge;
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const double stripe = std::sin(along * (x * std::cos(look.angle) + y * std::sin(look.angle)) + phase);
        const bool inBlot = std::hypot(x - blot[0], y - blot[1]) < blot[2];
        for (std::size_t c = 0; c < 3; ++c)
            picture.rgb[at * 3 + c] = shade(inBlot ? 0.5 : look.colour[c], inBlot ? 0 : stripe, brightness, 0.12 * (dice.unit() - 0.5));
    }
    return picture;
}

}  // namespace flowgauge::workloads
