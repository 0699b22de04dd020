// SPDX-License-Identifier: MIT
#include "instrument/mpi/clock_role.h"

#include "collector/record/settings.h"

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace flowgauge::mpi {
namespace {

/// Where a launcher says which rank this is, which one of its host, and how much of the job runs elsewhere.
struct Launcher {
    const char* rank;
    const char* localRank;
    const char* whole;
    const char* here;  ///< as many of the whole as are here; nullptr: one
};

constexpr std::array launchers{
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    Launcher{"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "MPI_LOCALNRANKS"},
    Launcher{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_NODES", nullptr},
};

std::optional<std::uint64_t> numberIn(const char* variable)
{
    std::uint64_t number = 0;
    const char* const text = std::getenv(variable);
    if (text == nullptr || !parseSize(text, number)) return std::nullopt;
    return number;
}

ClockRole roleBy(const Launcher& launcher, bool everyRank)
{
    const auto rank = numberIn(launcher.rank);
    const auto localRank = numberIn(launcher.localRank);
    const auto whole = numberIn(launcher.whole);
    const auto here = launcher.here == nullptr ? std::optional<std::uint64_t>(1) : numberIn(launcher.here);
    if (!rank || !localRank || !whole || !here || *whole < 2) return ClockRole::None;
    if (!everyRank && (*whole <= *here || *localRank != 0)) return ClockRole::None;
    return *rank == 0 ? ClockRole::Reference : ClockRole::Asking;
}

}  // namespace

ClockRole clockRole()
{
    const std::string_view setting(settingOf(Variable::Clocks));
    if (setting == "off") return ClockRole::None;
    for (const Launcher& launcher : launchers)
        if (const ClockRole role = roleBy(launcher, setting == "ranks"); role != ClockRole::None) return role;
    return ClockRole::None;
}

}  // namespace flowgauge::mpi
