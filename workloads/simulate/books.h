// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/simulate/job.h"

#include <string>
#include <vector>

namespace flowgauge::simulate {

/// What is true of a played job, counted beside it: the table that an analysis of the recording is held against.
class Books final : public Observer {
public:
    explicit Books(const Parameters& parameters) : m_parameters(parameters), m_awaited(static_cast<std::size_t>(parameters.ranks())) {}
    void step(const StepNumber& number, std::span<const RankStep> ranks) override;
    void border(const Border& border) override;
    void end(Nanos at) override { m_end = at; }

    struct Epoch {
        int number = 0;
        Interval when;
        double asked = 0, fetched = 0, accuracy = 0;
        bool evaluated = false;
    };
    /// Of all steps of all ranks, ns; the five parts make up wall.
    struct Parts {
        double wall = 0, compute = 0, exposedCommunication = 0, inputStall = 0, otherIdle = 0;
    };
    [[nodiscard]] Nanos end() const { return m_end; }
    [[nodiscard]] const Parts& parts() const { return m_parts; }
    [[nodiscard]] const std::vector<Epoch>& epochs() const { return m_epochs; }
    [[nodiscard]] double pauses() const { return m_pauses; }  ///< ns, of all borders
    /// ns that the mean other rank waits, exposed, for the one rank for which most is waited; 0 with one rank
    [[nodiscard]] double awaitedMost() const;

private:
    const Parameters& m_parameters;
    Parts m_parts;
    std::vector<double> m_awaited;
    std::vector<Epoch> m_epochs;
    Epoch m_epoch;
    double m_pauses = 0;
    Nanos m_end = 0;
};

/// The truth table as JSON: epochs, parts, throughput, and for each fault the findings that would name it and what the run would
/// gain without it (the same job played without that one fault).
[[nodiscard]] std::string truthOf(const Parameters& parameters, const Books& books);

}  // namespace flowgauge::simulate
