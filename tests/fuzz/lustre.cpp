// SPDX-License-Identifier: MIT
#include "tests/fuzz/demand_sums.h"

using namespace flowgauge::sample;

/// llite.*.stats of a client of Lustre and osc.*.stats of its targets.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    demandSums(text, parseLustreClient, true);
    demandSums(text, parseLustreTarget, false);
    return 0;
}
