// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge {

/// The variables that carry a run's settings (environment.def).
enum class Variable : std::uint8_t {
#define FLOWGAUGE_VARIABLE(enumerator, name, standard, sentence) enumerator,
#include "collector/record/environment.def"
#undef FLOWGAUGE_VARIABLE
};

/// A variable's row of environment.def.
struct VariableRow {
    Variable variable;
    const char* name;      ///< as in the environment, zero-terminated
    const char* standard;  ///< its default, "" where the sentence tells
    std::string_view sentence;
};

inline constexpr std::array variableRows{
#define FLOWGAUGE_VARIABLE(enumerator, name, standard, sentence) VariableRow{Variable::enumerator, name, standard, sentence},
#include "collector/record/environment.def"
#undef FLOWGAUGE_VARIABLE
};

[[nodiscard]] constexpr const VariableRow& rowOf(Variable variable) { return variableRows[static_cast<std::size_t>(variable)]; }

/// Value of a variable, or its default. Reads the environment; allocates nothing. The text lives as long as the environment does.
[[nodiscard]] const char* settingOf(Variable variable);

/// A number setting: digits with an optional K, M or G (powers of 1024). What is no number yields the default.
[[nodiscard]] std::uint64_t numberOf(Variable variable);

/// Parses "4096", "64M", "2G"; nothing else. Returns false and leaves `into` alone on other text or overflow.
[[nodiscard]] bool parseSize(std::string_view text, std::uint64_t& into);

/// True for each kind number whose event is to be recorded, from a list like "io,allreduce" ("" means all; Meta always).
/// Words that name neither a kind nor a lane are ignored here; `unknownKindWord` finds them for a message.
using KindMask = std::array<bool, 64>;
[[nodiscard]] KindMask kindMaskOf(std::string_view list);

/// The first word of such a list that names nothing, or "".
[[nodiscard]] std::string_view unknownKindWord(std::string_view list);

}  // namespace flowgauge
