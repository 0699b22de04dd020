// SPDX-License-Identifier: MIT
#include "instrument/hook/next.h"

namespace flowgauge::hook::detail {
constinit thread_local unsigned resolving = 0;
}
