// SPDX-License-Identifier: MIT
#include "collector/run/doctor/doctor.h"

#include <utility>

namespace flowgauge::run::doctor {

std::string nameOf(State state) { return state == State::Ok ? "ok" : state == State::Degraded ? "degraded" : "absent"; }

std::vector<Row> examine(const Place& place)
{
    std::vector<Row> rows{checkLibrary(place), checkCLibrary(place), checkClock(place), checkSpoolDisk(place), checkMpi(place)};
    for (Row& row : checkSamplers(place)) rows.push_back(std::move(row));
    for (Row (*check)(const Place&) : {checkFabricPorts, checkConnections, checkCuda, checkCupti, checkNccl, checkKernel})
        rows.push_back(check(place));
    return rows;
}

}  // namespace flowgauge::run::doctor
