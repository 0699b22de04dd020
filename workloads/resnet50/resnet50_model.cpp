// SPDX-License-Identifier: MIT
#include "workloads/resnet50/resnet50_model.h"
#include <torch/torch.h>
#include <cstdio>
#include "workloads/failure.h"
#include "workloads/train/resnet50_shape.h"

// The one file that includes torch: it takes most of the build's time.

namespace flowgauge::workloads {

static torch::nn::Conv2d convolution(int from, int to, int edge, int stride)
{
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, edge).stride(stride).padding(edge / 2).bias(false));
}

/// 1x1, 3x3, 1x1 with a way around. The stride stands in the 3x3: that is what "v1.5" means.
struct BottleneckImpl : torch::nn::Module {
    BottleneckImpl(int from, int width, int stride)
        : conv1(register_module("conv1", convolution(from, width, 1, 1))),
          bn1(register_module("bn1", torch::nn::BatchNorm2d(width))),
          conv2(register_module("conv2", convolution(width, width, 3, stride))),
          bn2(register_module("bn2", torch::nn::BatchNorm2d(width))),
          conv3(register_module("conv3", convolution(width, width * resnet50Expansion, 1, 1))),
          bn3(register_module("bn3", torch::nn::BatchNorm2d(width * resnet50Expansion)))
    {
        const int to = width * resnet50Expansion;
        if (stride != 1 || from != to) around = torch::nn::Sequential(convolution(from, to, 1, stride), torch::nn::BatchNorm2d(to));
        if (!around.is_empty()) register_module("downsample", around);
    }

    torch::Tensor forward(const torch::Tensor& x)
    {
        auto y = torch::relu(bn1(conv1(x)));
        y = torch::relu(bn2(conv2(y)));
        y = bn3(conv3(y));
        return torch::relu(y + (around.is_empty() ? x : around->forward(x)));
    }

    torch::nn::Conv2d conv1;
    torch::nn::BatchNorm2d bn1;
    torch::nn::Conv2d conv2;
    torch::nn::BatchNorm2d bn2;
    torch::nn::Conv2d conv3;
    torch::nn::BatchNorm2d bn3;
    torch::nn::Sequential around{nullptr};
};
TORCH_MODULE(Bottleneck);

/// The network, its modules named as torchvision names them.
struct Network : torch::nn::Module {
    Network()
        : conv1(register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 64, 7).stride(2).padding(3).bias(false)))),
          bn1(register_module("bn1", torch::nn::BatchNorm2d(64)))
    {
        int from = 64;
        for (std::size_t i = 0; i < 4; ++i) {
            torch::nn::Sequential blocks;
            for (int block = 0; block < resnet50Blocks[i]; ++block) {
                blocks->push_back(Bottleneck(from, resnet50Widths[i], block == 0 && i > 0 ? 2 : 1));
                from = resnet50Widths[i] * resnet50Expansion;
            }
            layers.push_back(register_module("layer" + std::to_string(i + 1), blocks));
        }
        fc = register_module("fc", torch::nn::Linear(from, resnet50Classes));
    }

    torch::Tensor forward(const torch::Tensor& pictures)
    {
        auto x = torch::relu(bn1(conv1(pictures)));
        x = torch::max_pool2d(x, 3, 2, 1);
        for (auto& layer : layers) x = layer->forward(x);
        return fc(torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    }

    torch::nn::Conv2d conv1;
    torch::nn::BatchNorm2d bn1;
    std::vector<torch::nn::Sequential> layers;
    torch::nn::Linear fc{nullptr};
};

/// He's initialisation for convolutions; the last norm of each block starts at 0, so that a block starts as the way around it
/// (Goyal et al. 2017). Every other value is torch's own.
static void initialise(Network& network)
{
    const torch::NoGradGuard frozen;
    for (auto& item : network.named_parameters()) {
        const bool convolutionWeight = item.value().dim() == 4;
        if (convolutionWeight) torch::nn::init::kaiming_normal_(item.value(), 0, torch::kFanOut, torch::kReLU);
        if (item.key().find("bn3.weight") != std::string::npos) item.value().zero_();
        if (item.key() == "fc.weight") torch::nn::init::normal_(item.value(), 0, 0.01);
    }
}

static torch::Device deviceOf(const Resnet50Plan& plan)
{
    const bool found = torch::cuda::is_available();
    if (plan.device == "cuda" && !found) throw Failure("--device cuda", "this libtorch finds no CUDA device");
    if (plan.device == "cpu" || !found) return torch::Device(torch::kCPU);
    return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(plan.rank % static_cast<int>(torch::cuda::device_count())));
}

class Resnet50Model final : public Model {
public:
    explicit Resnet50Model(const Resnet50Plan& plan) : m_plan(plan), m_device(deviceOf(plan))
    {
        torch::manual_seed(plan.seed);
        initialise(m_network);
        m_network.to(m_device);
        for (const auto& item : m_network.named_parameters()) {
            m_names.push_back({item.key(), static_cast<std::uint64_t>(item.value().numel())});
            m_parameters.push_back(item.value());
            m_velocity.push_back(torch::zeros_like(item.value()));
        }
        checkShape();
        for (std::size_t i = 0; i < m_parameters.size(); ++i)
            m_parameters[i].register_hook([this, i](const torch::Tensor& gradient) { gradientMade(i, gradient); });
    }

    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_names; }

    BatchScore forward(const Batch& batch) override
    {
        m_network.train();
        const auto labels = labelsOf(batch);
        const auto scores = m_network.forward(picturesOf(batch));
        m_loss = torch::nn::functional::cross_entropy(scores, labels);
        return {m_loss.item<double>(), static_cast<int>(scores.argmax(1).eq(labels).sum().item<std::int64_t>())};
    }

    void backward(GradientReducer& gradients) override
    {
        m_gradients = &gradients;
        (m_loss / m_plan.size).backward();
        m_loss = torch::Tensor();
    }

    void update(GradientReducer& gradients, double learningRate) override
    {
        const torch::NoGradGuard frozen;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            torch::Tensor& weight = m_parameters[i];
            auto gradient = torch::from_blob(gradients.gradient(i), weight.sizes(), torch::kFloat32).to(m_device);
            const bool decays = weight.dim() > 1;  // neither norms nor biases
            if (decays) gradient = gradient.add(weight, m_plan.weightDecay);
            m_velocity[i].mul_(m_plan.momentum).add_(gradient);
            weight.add_(m_velocity[i], -learningRate);
            weight.mutable_grad() = torch::Tensor();  // the next backward makes a new one instead of adding to it
        }
    }

    BatchScore evaluate(const Batch& batch) override
    {
        const torch::NoGradGuard frozen;
        m_network.eval();
        const auto labels = labelsOf(batch);
        const auto scores = m_network.forward(picturesOf(batch));
        const auto loss = torch::nn::functional::cross_entropy(scores, labels);
        return {loss.item<double>(), static_cast<int>(scores.argmax(1).eq(labels).sum().item<std::int64_t>())};
    }

    [[nodiscard]] std::vector<float> state() const override
    {
        std::vector<float> all;
        for (const auto& tensor : stateTensors()) {
            const auto flat = tensor.to(torch::kCPU, torch::kFloat32).contiguous();
            all.insert(all.end(), flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
        }
        return all;
    }

    void setState(const std::vector<float>& state) override
    {
        const torch::NoGradGuard frozen;
        std::size_t at = 0;
        for (auto& tensor : stateTensors()) {
            const auto count = static_cast<std::size_t>(tensor.numel());
            if (at + count > state.size()) throw Failure("ResNet-50 state", "too short: ", state.size(), " numbers");
            tensor.copy_(torch::from_blob(const_cast<float*>(state.data() + at), tensor.sizes(), torch::kFloat32));
            at += count;
        }
    }

    [[nodiscard]] bool learns() const override { return true; }

private:
    /// The arithmetic list, by which buckets are planned and tests reckon, and the network must be one.
    void checkShape() const
    {
        const auto expected = resnet50Tensors();
        if (m_names.size() != expected.size()) throw Failure("ResNet-50", "expected ", expected.size(), " tensors, found ", m_names.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (m_names[i].name != expected[i].name || m_names[i].elements != expected[i].elements)
                throw Failure("ResNet-50", "expected ", expected[i].name, " of ", expected[i].elements, ", found ", m_names[i].name, " of ",
                              m_names[i].elements);
    }

    /// Called by autograd with the whole gradient of a parameter, before torch keeps it: a parameter is used once in forward.
    void gradientMade(std::size_t i, const torch::Tensor& gradient)
    {
        torch::from_blob(m_gradients->gradient(i), gradient.sizes(), torch::kFloat32).copy_(gradient);
        m_gradients->ready(i);
    }

    [[nodiscard]] torch::Tensor picturesOf(const Batch& batch) const
    {
        return torch::from_blob(const_cast<float*>(batch.pixels.data()), {batch.samples, 3, batch.edgePx, batch.edgePx}, torch::kFloat32)
            .to(m_device);
    }
    [[nodiscard]] torch::Tensor labelsOf(const Batch& batch) const
    {
        return torch::from_blob(const_cast<std::int64_t*>(batch.labels.data()), {batch.samples}, torch::kInt64).to(m_device);
    }
    [[nodiscard]] std::vector<torch::Tensor> stateTensors() const
    {
        std::vector<torch::Tensor> all = m_network.parameters();
        for (const auto& buffer : m_network.buffers())
            if (buffer.is_floating_point()) all.push_back(buffer);  // not the counters of batches seen
        return all;
    }

    Resnet50Plan m_plan;
    torch::Device m_device;
    Network m_network;
    std::vector<TensorInfo> m_names;
    std::vector<torch::Tensor> m_parameters, m_velocity;
    torch::Tensor m_loss;
    GradientReducer* m_gradients = nullptr;
};

std::unique_ptr<Model> makeResnet50(const Resnet50Plan& plan)
{
    torch::set_num_threads(1);
    if (plan.rank == 0 && deviceOf(plan).is_cuda()) std::fprintf(stderr, "resnet50: gradients are staged in host memory\n");
    return std::make_unique<Resnet50Model>(plan);
}

}  // namespace flowgauge::workloads
