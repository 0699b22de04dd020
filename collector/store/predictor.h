// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"

#include <cstdint>

namespace flowgauge::store {

/// How a value of a column is guessed; what is stored is the difference, zig-zag coded. Its number is part of the format.
enum class Predictor : std::uint8_t {
    Zero = 0,        ///< the value itself, not zig-zag coded
    Previous = 1,    ///< value[i-1]
    Companion = 2,   ///< companion[i]: bytes asked for are mostly the bytes got
    Successor = 3,   ///< value[i-1] + companion[i-1]: a begin follows an end, an offset follows a read
    Dictionary = 4,  ///< an index into the chunk's table of this column's values
};

/// The column that Companion and Successor look at, or the column itself where it has none.
[[nodiscard]] constexpr Column companionOf(Column column)
{
    switch (column) {
        case Column::Begin:
            return Column::Duration;
        case Column::Arg1:
        case Column::Arg3:
            return Column::Arg2;
        default:
            return column;
    }
}

/// Signed differences with small magnitude become small unsigned words.
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
[[nodiscard]] constexpr std::uint64_t unzigzag(std::uint64_t word) { return (word >> 1) ^ (0 - (word & 1)); }

/// The cheapest of the predictors without a dictionary for a column, judged by a sample of its values.
[[nodiscard]] Predictor choosePredictor(const EventColumns& events, Column column);

/// Differences of a whole column. Predictors that look back have none for the first value: residual[0] repeats residual[1].
void predict(const EventColumns& events, Column column, Predictor predictor, std::uint64_t* residual);

/// The inverse: residuals in the column's own words become values. `first` is the first value of predictors that look back.
void restore(EventColumns& events, Column column, Predictor predictor, std::uint64_t first);

}  // namespace flowgauge::store
