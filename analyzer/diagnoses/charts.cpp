// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/charts.h"

namespace flowgauge::diagnoses {

findings::OverTime chartsOf(facts::OverTime facts)
{
    findings::OverTime charts{facts.when,
                              std::move(facts.asked),
                              std::move(facts.fetched),
                              std::move(facts.disks),
                              std::move(facts.received),
                              std::move(facts.sent),
                              {}};
    for (const facts::StepSlice& slice : facts.steps) {
        const auto mean = [&](Nanos sum) { return slice.steps > 0 ? static_cast<double>(sum) / static_cast<double>(slice.steps) : 0.0; };
        charts.steps.push_back({mean(slice.parts.compute), mean(slice.parts.exposedCommunication), mean(slice.parts.exposedCopy),
                                mean(slice.parts.inputStall), mean(slice.parts.otherIdle)});
    }
    return charts;
}

std::vector<findings::EpochPlace> placesOf(const std::vector<facts::Epoch>& epochs)
{
    std::vector<findings::EpochPlace> places;
    places.reserve(epochs.size());
    for (const facts::Epoch& epoch : epochs) places.push_back({epoch.number, epoch.when});
    return places;
}

}  // namespace flowgauge::diagnoses
