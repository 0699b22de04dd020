// SPDX-License-Identifier: MIT
#include "tests/fuzz/demand_sums.h"

using namespace flowgauge::sample;

/// metrics/size of a client of CephFS in debugfs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    demandSums({reinterpret_cast<const char*>(data), size}, parseCephSizes, false);
    return 0;
}
