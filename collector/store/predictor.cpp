// SPDX-License-Identifier: MIT
#include "collector/store/predictor.h"

#include <algorithm>
#include <array>
#include <bit>

namespace flowgauge::store {

namespace {

bool looksBack(Predictor predictor) { return predictor == Predictor::Previous || predictor == Predictor::Successor; }

bool needsCompanion(Predictor predictor) { return predictor == Predictor::Companion || predictor == Predictor::Successor; }

std::uint64_t residualAt(const std::uint64_t* value, const std::uint64_t* companion, Predictor predictor, std::size_t i)
{
    switch (predictor) {
        case Predictor::Previous:
            return zigzag(value[i] - value[i - 1]);
        case Predictor::Companion:
            return zigzag(value[i] - companion[i]);
        case Predictor::Successor:
            return zigzag(value[i] - value[i - 1] - companion[i - 1]);
        default:
            return value[i];
    }
}

/// Bits that a sample of residuals would need above their minimum.
std::uint64_t sampledCost(const EventColumns& events, Column column, Predictor predictor)
{
    const std::uint64_t* value = events.words(column);
    const std::uint64_t* companion = events.words(companionOf(column));
    constexpr std::size_t most = 192;
    std::array<std::uint64_t, most> sample{};
    // An odd stride, so that a training step's period does not fall in with it.
    const std::size_t stride = std::max<std::size_t>(1, events.size() / most) | 1;
    std::size_t taken = 0;
    for (std::size_t i = 1; i < events.size() && taken < most; i += stride) sample[taken++] = residualAt(value, companion, predictor, i);
    if (taken == 0) return 0;
    const std::uint64_t least = *std::min_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(taken));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < taken; ++i) bits += static_cast<std::uint64_t>(std::bit_width(sample[i] - least));
    return bits;
}

}  // namespace

Predictor choosePredictor(const EventColumns& events, Column column)
{
    Predictor best = Predictor::Zero;
    std::uint64_t cost = sampledCost(events, column, best);
    for (const Predictor candidate : {Predictor::Previous, Predictor::Companion, Predictor::Successor}) {
        if (cost == 0) break;
        if (needsCompanion(candidate) && companionOf(column) == column) continue;
        const std::uint64_t other = sampledCost(events, column, candidate);
        if (other < cost) {
            best = candidate;
            cost = other;
        }
    }
    return best;
}

void predict(const EventColumns& events, Column column, Predictor predictor, std::uint64_t* residual)
{
    const std::uint64_t* value = events.words(column);
    const std::uint64_t* companion = events.words(companionOf(column));
    const std::size_t size = events.size();
    switch (predictor) {
        case Predictor::Previous:
            for (std::size_t i = 1; i < size; ++i) residual[i] = zigzag(value[i] - value[i - 1]);
            break;
        case Predictor::Companion:
            for (std::size_t i = 0; i < size; ++i) residual[i] = zigzag(value[i] - companion[i]);
            break;
        case Predictor::Successor:
            for (std::size_t i = 1; i < size; ++i) residual[i] = zigzag(value[i] - value[i - 1] - companion[i - 1]);
            break;
        default:
            std::copy_n(value, size, residual);
    }
    if (looksBack(predictor)) residual[0] = size > 1 ? residual[1] : 0;
}

void restore(EventColumns& events, Column column, Predictor predictor, std::uint64_t first)
{
    std::uint64_t* value = events.words(column);
    const std::uint64_t* companion = events.words(companionOf(column));
    const std::size_t size = events.size();
    if (looksBack(predictor)) value[0] = first;
    switch (predictor) {
        case Predictor::Previous:
            for (std::size_t i = 1; i < size; ++i) value[i] = value[i - 1] + unzigzag(value[i]);
            break;
        case Predictor::Companion:
            for (std::size_t i = 0; i < size; ++i) value[i] = companion[i] + unzigzag(value[i]);
            break;
        case Predictor::Successor:
            for (std::size_t i = 1; i < size; ++i) value[i] = value[i - 1] + companion[i - 1] + unzigzag(value[i]);
            break;
        default:
            break;
    }
}

}  // namespace flowgauge::store
