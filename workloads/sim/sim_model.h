// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/train/model.h"

namespace flowgauge::workloads {

/// How heavy the stand-in is.
struct SimPlan {
    double scale = 0.01;    ///< of ResNet-50's tensors
    double computeMs = 20;  ///< CPU time of forward and backward together, a step
    int rank = 0, size = 1;
};

/// Stands in for ResNet-50 where no libtorch is: its 161 tensors, scaled; its work as burnt CPU time, spread over backward as the real
/// one's; gradients whose sum over the ranks is known, so that a wrong reduction is found. It recognises nothing.
class SimModel final : public Model {
public:
    explicit SimModel(const SimPlan& plan);
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    BatchScore forward(const Batch& batch) override;
    void backward(GradientReducer& gradients) override;
    /// Throws Failure when a sum is not what the ranks put in.
    void update(GradientReducer& gradients, double learningRate) override;
    BatchScore evaluate(const Batch& batch) override;
    [[nodiscard]] std::vector<float> state() const override { return m_state; }
    void setState(const std::vector<float>& state) override { m_state = state; }
    [[nodiscard]] bool learns() const override { return false; }
    [[nodiscard]] double scale() const override { return m_plan.scale; }

private:
    SimPlan m_plan;
    std::vector<TensorInfo> m_tensors;
    std::vector<double> m_workShares;
    std::vector<float> m_state;
    float m_gradient;  ///< the same for every number of this rank; over the ranks they sum to 1
};

}  // namespace flowgauge::workloads
