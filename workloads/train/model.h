// SPDX-License-Identifier: MIT
#pragma once
#include <vector>
#include "workloads/data/batch.h"
#include "workloads/train/reducer.h"

namespace flowgauge::workloads {

/// How well a batch was recognised.
struct BatchScore {
    double loss = 0;  ///< mean over the batch
    int correct = 0;
};

/// What is trained. The trainer calls forward, backward, update in this order, from one thread.
class Model {
public:
    virtual ~Model() = default;
    /// The trainable tensors in the order forward uses them.
    [[nodiscard]] virtual const std::vector<TensorInfo>& tensors() const = 0;
    virtual BatchScore forward(const Batch& batch) = 0;
    /// Writes each tensor's gradient, divided by the number of ranks, where the reducer says, and tells it, as early as it can.
    virtual void backward(GradientReducer& gradients) = 0;
    virtual void update(GradientReducer& gradients, double learningRate) = 0;
    virtual BatchScore evaluate(const Batch& batch) = 0;
    /// Everything that must be equal on all ranks and kept in a checkpoint.
    [[nodiscard]] virtual std::vector<float> state() const = 0;
    virtual void setState(const std::vector<float>& state) = 0;
    /// False for a stand-in that recognises nothing; no accuracy is claimed for it.
    [[nodiscard]] virtual bool learns() const = 0;
    /// Of the tensors against the real model's; bucket limits shrink with it, so that the buckets are the same in number.
    [[nodiscard]] virtual double scale() const { return 1; }
};

}  // namespace flowgauge::workloads
