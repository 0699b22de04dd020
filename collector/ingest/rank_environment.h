// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::ingest {

/// Who a process is in its job.
struct RankFacts {
    std::optional<std::int64_t> rank, localRank, worldSize;
    std::string source;  ///< "mpi", "env:PMI_RANK", ...; "" when nothing tells
};

/// One launcher's variables for it.
struct RankVariables {
    std::string_view rank, localRank, worldSize;  ///< "" where the launcher has none
};

/// The launchers we know, the most specific first: mpirun below srun sets both, and mpirun's is the rank of the program.
/// Sources: Open MPI manual (OMPI_COMM_WORLD_*), MPICH Hydra and Intel MPI (PMI_*, MPI_LOCALRANKID), MVAPICH2 (MV2_COMM_WORLD_*),
/// PMIx standard (PMIX_RANK), Cray PALS (PALS_*), Slurm srun(1), torchrun (RANK, LOCAL_RANK, WORLD_SIZE), JSM (JSM_NAMESPACE_*).
inline constexpr RankVariables rankVariables[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_SIZE"},
    {"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"},
    {"PALS_RANKID", "PALS_LOCAL_RANKID", ""},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_SIZE"},
    {"PMIX_RANK", "", ""},
    {"RANK", "LOCAL_RANK", "WORLD_SIZE"},
    {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"},
};

/// The first row whose rank variable holds a number. `environment`: "key=value" texts.
[[nodiscard]] RankFacts rankOf(const std::vector<std::string>& environment);

/// Value of a key in such a list, or nothing.
[[nodiscard]] std::optional<std::string_view> valueOf(const std::vector<std::string>& environment, std::string_view key);

}  // namespace flowgauge::ingest
