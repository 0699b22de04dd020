// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace flowgauge::mpi {

/// What a rank does when the clocks of the job's hosts are compared.
enum class ClockRole : std::uint8_t {
    None,
    Reference,  ///< rank 0: answers
    Asking,     ///< one rank of every other host
};

/// From what launchers tell in the environment (Open MPI, the PMI of MPICH, Slurm) and from FLOWGAUGE_CLOCKS, without a message: in a job
/// of one host, or of an unknown launcher, nobody takes part.
[[nodiscard]] ClockRole clockRole();

}  // namespace flowgauge::mpi
