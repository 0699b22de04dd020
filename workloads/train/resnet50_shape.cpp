// SPDX-License-Identifier: MIT
#include "workloads/train/resnet50_shape.h"
#include <array>

namespace flowgauge::workloads {

/// Collects the tensors in the order they are declared.
class ShapeList {
public:
    std::vector<TensorInfo> tensors;

    void convolution(const std::string& name, int from, int to, int edge)
    {
        tensors.push_back({name + ".weight", product(from, to) * product(edge, edge)});
    }
    void norm(const std::string& name, int width)
    {
        tensors.push_back({name + ".weight", product(width, 1)});
        tensors.push_back({name + ".bias", product(width, 1)});
    }
    void block(const std::string& name, int from, int width, bool downsample)
    {
        const int to = width * resnet50Expansion;
        convolution(name + ".conv1", from, width, 1);
        norm(name + ".bn1", width);
        convolution(name + ".conv2", width, width, 3);
        norm(name + ".bn2", width);
        convolution(name + ".conv3", width, to, 1);
        norm(name + ".bn3", to);
        if (!downsample) return;
        convolution(name + ".downsample.0", from, to, 1);
        norm(name + ".downsample.1", to);
    }

private:
    static std::uint64_t product(int a, int b) { return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b); }
};

std::vector<TensorInfo> resnet50Tensors()
{
    ShapeList list;
    list.convolution("conv1", 3, 64, 7);
    list.norm("bn1", 64);
    int from = 64;
    for (std::size_t layer = 0; layer < 4; ++layer)
        for (int block = 0; block < resnet50Blocks[layer]; ++block) {
            list.block("layer" + std::to_string(layer + 1) + "." + std::to_string(block), from, resnet50Widths[layer], block == 0);
            from = resnet50Widths[layer] * resnet50Expansion;
        }
    list.tensors.push_back({"fc.weight", static_cast<std::uint64_t>(from) * resnet50Classes});
    list.tensors.push_back({"fc.bias", resnet50Classes});
    return list.tensors;
}

/// 0 for conv1, 1..4 for a layer's convolution, 5 for what costs next to nothing.
static std::size_t partOf(const std::string& name)
{
    const bool convolution = name.find("conv") != std::string::npos || name.find("downsample.0") != std::string::npos;
    if (!convolution) return 5;
    return name.starts_with("layer") ? static_cast<std::size_t>(name[5] - '0') : 0;
}

std::vector<double> resnet50WorkShares()
{
    constexpr std::array<double, 6> giga{0.118, 0.668, 1.028, 1.464, 0.809, 0};
    constexpr double all = 0.118 + 0.668 + 1.028 + 1.464 + 0.809;
    const auto tensors = resnet50Tensors();
    std::array<double, 6> count{};
    for (const TensorInfo& tensor : tensors) ++count[partOf(tensor.name)];
    std::vector<double> shares;
    for (const TensorInfo& tensor : tensors) {
        const std::size_t part = partOf(tensor.name);
        shares.push_back(giga[part] / all / count[part]);
    }
    return shares;
}

}  // namespace flowgauge::workloads
