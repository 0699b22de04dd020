// SPDX-License-Identifier: MIT
#include "workloads/allreduce/cuda/gpu_links.h"
#include "workloads/allreduce/cuda/device.h"

#include <dlfcn.h>
#include <array>
#include <optional>

namespace flowgauge::workloads::allreduce {
namespace {

/// NVML, opened when it is asked for: a machine with CUDA has it, a build need not.
class Nvml {
public:
    Nvml()
    {
        if (!find("nvmlInit_v2", m_init) || !find("nvmlShutdown", m_shutdown) || !find("nvmlDeviceGetHandleByPciBusId_v2", m_byBus) ||
            !find("nvmlDeviceGetP2PStatus", m_status))
            return;
        m_usable = m_init() == 0;
    }
    ~Nvml()
    {
        if (m_usable) m_shutdown();
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Devices as CUDA numbers them. Nothing when NVML does not answer.
    [[nodiscard]] std::optional<bool> nvLink(int one, int other) const
    {
        void *left = nullptr, *right = nullptr;
        int status = -1;
        if (!m_usable || !device(one, left) || !device(other, right) || m_status(left, right, overNvLink, &status) != 0)
            return std::nullopt;
        return status == 0;
    }

private:
    static constexpr int overNvLink = 2;  // NVML_P2P_CAPS_INDEX_NVLINK; the answer 0 is NVML_P2P_STATUS_OK

    template <typename Function>
    bool find(const char* name, Function& into)
    {
        into = m_library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(m_library, name));
        return into != nullptr;
    }
    /// The bus is what both number alike: CUDA_VISIBLE_DEVICES renumbers one only.
    bool device(int number, void*& handle) const
    {
        std::array<char, 32> bus{};
        check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), number), "cudaDeviceGetPCIBusId");
        return m_byBus(bus.data(), &handle) == 0;
    }

    void* m_library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    int (*m_init)() = nullptr;
    int (*m_shutdown)() = nullptr;
    int (*m_byBus)(const char*, void**) = nullptr;
    int (*m_status)(void*, void*, int, int*) = nullptr;
    bool m_usable = false;
};

bool has(cudaDeviceP2PAttr attribute, int one, int other)
{
    int there = 0, back = 0;
    check(cudaDeviceGetP2PAttribute(&there, attribute, one, other), "cudaDeviceGetP2PAttribute");
    check(cudaDeviceGetP2PAttribute(&back, attribute, other, one), "cudaDeviceGetP2PAttribute");
    return there != 0 && back != 0;
}

template <typename Joined>
DeviceLinks linksWhere(const Joined& joined)
{
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    DeviceLinks links(static_cast<std::size_t>(devices));
    for (int one = 0; one < devices; ++one)
        for (int other = one + 1; other < devices; ++other)
            if (has(cudaDevP2PAttrAccessSupported, one, other) && joined(one, other))
                links.link(static_cast<std::size_t>(one), static_cast<std::size_t>(other));
    return links;
}

}  // namespace

DeviceLinks peerAccess()
{
    return linksWhere([](int, int) { return true; });
}

DeviceLinks nvLinks()
{
    const Nvml nvml;
    return linksWhere(
        [&](int one, int other) { return nvml.nvLink(one, other).value_or(has(cudaDevP2PAttrNativeAtomicSupported, one, other)); });
}

}  // namespace flowgauge::workloads::allreduce
