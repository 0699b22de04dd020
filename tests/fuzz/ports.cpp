// SPDX-License-Identifier: MIT
#include "collector/sample/port_files.h"
#include "collector/sample/text.h"

#include <cstdlib>

using namespace flowgauge::sample;

/// Single values and short strings of /sys.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const int state = parsePortState(text); state < -1 || state > 99) std::abort();
    // Nothing that a kernel will print in our time: the rates of a port, not of a country.
    if (parseDataRate(text, false) > 1'000'000'000'000 || parseDataRate(text, true) > 1'000'000'000'000) std::abort();
    std::uint64_t value = 0;
    if (parseValueFile(text, value)) {
        std::array<char, 20> digits;
        std::string_view plain = text;
        while (!plain.empty() && plain.back() == '\n') plain.remove_suffix(1);
        while (plain.size() > 1 && plain.front() == '0') plain.remove_prefix(1);
        if (plain != decimal(value, digits)) std::abort();
    }
    static_cast<void>(dataUnit(text, text));
    return 0;
}
