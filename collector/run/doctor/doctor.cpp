// SPDX-License-Identifier: MIT
#include "collector/run/doctor/doctor.h"

namespace flowgauge::run::doctor {

std::string nameOf(State state) { return state == State::Ok ? "ok" : state == State::Degraded ? "degraded" : "absent"; }

std::vector<Row> examine(const Place& place)
{
    return {checkLibrary(place),    checkCLibrary(place),   checkClock(place), checkSpoolDisk(place), checkMpi(place),  checkNfs(place),
            checkInfiniBand(place), checkInterfaces(place), checkCuda(place),  checkCupti(place),     checkNccl(place), checkKernel(place)};
}

}  // namespace flowgauge::run::doctor
