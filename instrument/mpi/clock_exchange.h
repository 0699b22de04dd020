// SPDX-License-Identifier: MIT
#pragma once

/// How far the clocks of the job's hosts are apart, measured while nothing else happens: in MPI_Init and in MPI_Finalize, never between.
/// One rank per host asks rank 0 some dozens of times for its time and records the answer that came fastest (Kind::ClockExchange); the
/// truth lies within its round trip. Bounded in time: a reference that does not answer costs 0.2 s once.
namespace flowgauge::mpi::clocks {

/// Before MPI_Init. On rank 0 starts the thread that answers; a thread of ours with descriptors of its own.
void offer();

/// Behind MPI_Init and before MPI_Finalize. Asks, where this rank is one that does.
void compare();

/// Behind MPI_Finalize. Nothing is answered any more.
void withdraw();

}  // namespace flowgauge::mpi::clocks
