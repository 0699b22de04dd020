// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "instrument/mpi/library.h"

namespace flowgauge::mpi {

/// How many of our wrappers this thread is inside. Only the outermost looks: a Fortran binding may call the C one, and a library may
/// call itself through its public names.
extern constinit thread_local unsigned depth;

/// The library, when this call is to be looked at; nullptr when it is to pass through: nested, not profiled, no library found, or
/// after MPI_Finalize. Notes a library that was initialised before we saw it.
[[nodiscard]] const Library* watch(const void* caller);

/// The library is initialised: takes the world and records it, once. `level` as MPI_Init_thread provided it.
void recordInit(const Library& library, Span span, int level, std::uint16_t flags);

/// Nothing is looked at any more.
void stopWatching();

/// Begins anew; for tests.
void watchAnew();

}  // namespace flowgauge::mpi
