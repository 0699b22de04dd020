// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/file_systems.h"

#include <cstdlib>
#include <string_view>

namespace flowgauge::sample {

/// What must hold for any text of a client of a parallel file system: a number that is known, and is not the 0 of a counter that never
/// counted, stands in it; what one sort of file cannot tell is never known from it; and a text that is cut short tells no number more.
inline void demandSums(std::string_view text, FileSystemNumbers (*parse)(std::string_view), bool tellsAsked)
{
    const FileSystemNumbers whole = parse(text);
    if (tellsAsked ? whole.fetched.known || whole.sent.known : whole.asked.known || whole.askedWrites.known) std::abort();
    for (const MaybeNumber& number : {whole.asked, whole.askedWrites, whole.fetched, whole.sent}) {
        std::array<char, 20> digits;
        if (number.known && number.value > 0 && text.find(decimal(number.value, digits)) == std::string_view::npos) std::abort();
    }
    const FileSystemNumbers cut = parse(upTo(text, text.size() / 2));
    const auto inventedOf = [](const MaybeNumber& part, const MaybeNumber& all) {
        return part.known && part.value > 0 && (!all.known || all.value != part.value);
    };
    if (inventedOf(cut.asked, whole.asked) || inventedOf(cut.askedWrites, whole.askedWrites) || inventedOf(cut.fetched, whole.fetched) ||
        inventedOf(cut.sent, whole.sent))
        std::abort();
}

}  // namespace flowgauge::sample
