// SPDX-License-Identifier: MIT
#include "workloads/train/buckets.h"

namespace flowgauge::workloads {

std::vector<std::uint64_t> BucketPlan::bytes() const
{
    std::vector<std::uint64_t> all;
    for (const std::uint64_t count : elements) all.push_back(count * sizeof(float));
    return all;
}

BucketPlan planBuckets(const std::vector<TensorInfo>& tensors, const BucketLimits& limits)
{
    BucketPlan plan;
    plan.places.resize(tensors.size());
    bool full = true;
    for (std::size_t i = tensors.size(); i-- > 0;) {
        if (full) {
            plan.elements.push_back(0);
            plan.tensorCount.push_back(0);
        }
        std::uint64_t& filled = plan.elements.back();
        plan.places[i] = {plan.elements.size() - 1, filled};
        filled += tensors[i].elements;
        ++plan.tensorCount.back();
        full = filled * sizeof(float) >= (plan.elements.size() == 1 ? limits.firstBytes : limits.capBytes);
    }
    return plan;
}

}  // namespace flowgauge::workloads
