// SPDX-License-Identifier: MIT
#include "workloads/sim/sim_model.h"
#include <algorithm>
#include <cmath>
#include "workloads/failure.h"
#include "workloads/train/burn.h"
#include "workloads/train/resnet50_shape.h"

namespace flowgauge::workloads {

SimModel::SimModel(const SimPlan& plan) : m_plan(plan), m_tensors(resnet50Tensors()), m_workShares(resnet50WorkShares())
{
    std::uint64_t all = 0;
    for (TensorInfo& tensor : m_tensors) {
        tensor.elements = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(tensor.elements) * plan.scale));
        all += tensor.elements;
    }
    m_state.assign(all, static_cast<float>(plan.rank));
    m_gradient = 2.0F * static_cast<float>(plan.rank + 1) / static_cast<float>(plan.size * (plan.size + 1));
}

BatchScore SimModel::forward(const Batch&)
{
    burnCpu(m_plan.computeMs * 1e-3 / 3);
    return {};
}

void SimModel::backward(GradientReducer& gradients)
{
    const double seconds = m_plan.computeMs * 1e-3 * 2 / 3;
    for (std::size_t i = m_tensors.size(); i-- > 0;) {
        if (m_workShares[i] > 0) burnCpu(seconds * m_workShares[i]);
        std::fill_n(gradients.gradient(i), m_tensors[i].elements, m_gradient);
        gradients.ready(i);
    }
}

void SimModel::update(GradientReducer& gradients, double learningRate)
{
    float* weights = m_state.data();
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const float* sum = gradients.gradient(i);
        for (const std::size_t at : {std::size_t{0}, static_cast<std::size_t>(m_tensors[i].elements - 1)})
            if (std::abs(sum[at] - 1.0F) > 1e-4F) throw Failure(m_tensors[i].name, "expected gradients that sum to 1, found ", sum[at]);
        for (std::size_t k = 0; k < m_tensors[i].elements; ++k) weights[k] -= static_cast<float>(learningRate) * sum[k];
        weights += m_tensors[i].elements;
    }
}

BatchScore SimModel::evaluate(const Batch&)
{
    burnCpu(m_plan.computeMs * 1e-3 / 3);
    return {};
}

}  // namespace flowgauge::workloads
