// SPDX-License-Identifier: MIT
#include "collector/store/predictor.h"

#include <algorithm>
#include <array>
#include <bit>

namespace flowgauge::store {

namespace {

bool looksBack(Predictor predictor) { return predictor == Predictor::Previous || predictor == Predictor::Successor; }

bool needsCompanion(Predictor predictor) { return predictor == Predictor::Companion || predictor == Predictor::Successor; }

template <Predictor predictor>
std::uint64_t residualAt(const std::uint64_t* value, const std::uint64_t* companion, std::size_t i)
{
    if constexpr (predictor == Predictor::Previous) return zigzag(value[i] - value[i - 1]);
    if constexpr (predictor == Predictor::Companion) return zigzag(value[i] - companion[i]);
    if constexpr (predictor == Predictor::Successor) return zigzag(value[i] - value[i - 1] - companion[i - 1]);
    return value[i];
}

/// Bits that a sample of residuals would need above their minimum.
template <Predictor predictor>
std::uint64_t sampledCost(const EventColumns& events, Column column)
{
    const std::uint64_t* value = events.words(column);
    const std::uint64_t* companion = events.words(companionOf(column));
    constexpr std::size_t most = 192;
    std::array<std::uint64_t, most> sample;
    // An odd stride, so that a training step's period does not fall in with it.
    const std::size_t stride = std::max<std::size_t>(1, events.size() / most) | 1;
    std::size_t taken = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 1; i < events.size() && taken < most; i += stride) {
        sample[taken] = residualAt<predictor>(value, companion, i);
        least = std::min(least, sample[taken++]);
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < taken; ++i) bits += static_cast<std::uint64_t>(std::bit_width(sample[i] - least));
    return bits;
}

std::uint64_t sampledCost(const EventColumns& events, Column column, Predictor predictor)
{
    switch (predictor) {
        case Predictor::Previous:
            return sampledCost<Predictor::Previous>(events, column);
        case Predictor::Companion:
            return sampledCost<Predictor::Companion>(events, column);
        case Predictor::Successor:
            return sampledCost<Predictor::Successor>(events, column);
        default:
            return sampledCost<Predictor::Zero>(events, column);
    }
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
