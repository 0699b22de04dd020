// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/nvml.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// Permits NVML in this process. Only the launcher's own process may be: NVML's state is one a process, and our sampling thread has a
/// descriptor table of its own, so that NVML opened by it would be broken for the program's other threads, and the other way round.
void permitNvml();

/// The GPUs of a host, by NVML: one device a pass in turn, each about once a second, so that no pass grows long on a machine with many.
/// Counters have the GPU's UUID for their source, which is also what a process's ledger names its CUDA devices by.
class GpuSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    static constexpr unsigned mostDevices = 32;
    struct Device {
        NvmlDevice handle;
        Source* source;
        Nanos dueNs;
        std::array<NvmlGpmSample, 2> gpm;
        bool hasGpm, hasFirst;
    };
    void sampleOne(const Pass& pass, Device& device);
    void sampleFields(const Pass& pass, Device& device, Ticks at);
    void sampleRates(const Pass& pass, Device& device, Ticks at);
    void sampleGpm(const Pass& pass, Device& device);
    [[nodiscard]] bool addDevice(const Pass& pass, unsigned index);

    Nvml m_nvml{};
    bool m_open = false;
    unsigned m_count = 0, m_next = 0;
    std::array<Device, mostDevices> m_devices{};
    NvmlGpmMetrics m_metrics{};
};

}  // namespace flowgauge::sample
