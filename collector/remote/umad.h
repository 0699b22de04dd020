// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// libibumad as far as we need it, declared by ourselves from its public header (infiniband/umad.h of rdma-core 44) and opened at run time.
/// Not libibmad above it: that prints a line for each port that does not answer, and cannot be interrupted.
namespace flowgauge::remote {

struct Umad {
#define FLOWGAUGE_UMAD(member, result, function, ...) result (*member)(__VA_ARGS__) = nullptr;
#include "collector/remote/umad.def"
#undef FLOWGAUGE_UMAD
};

/// Throws Error, which says what to install, where the library or one of its functions is missing.
[[nodiscard]] Umad openUmad(const char* library = "libibumad.so.3");

}  // namespace flowgauge::remote
