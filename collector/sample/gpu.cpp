// SPDX-License-Identifier: MIT
#include "collector/sample/gpu.h"

#include "collector/record/clock.h"

#include <atomic>
#include <cstring>
#include <span>
#include <utility>

namespace flowgauge::sample {
namespace {

constexpr NvmlStatus success = 0;
constexpr Nanos second = 1'000'000'000;
std::atomic<bool> permitted{false};

/// Any driver of NVIDIA's: nvidia0 may not be among the nodes that a container was given.
bool hasNode(const SysRoot& root)
{
    for (unsigned number = 0; number < 32; ++number) {
        Path node("dev/nvidia");
        const std::array<char, 2> digits{static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
        node.add(number < 10 ? std::string_view(&digits[1], 1) : std::string_view(digits.data(), 2));
        if (root.exists(node.view())) return true;
    }
    return root.exists("dev/dxg");
}

/// Of one lane each way, 10^6 bit/s of data: 2.5 and 5 GT/s carry 8 bits in 10, 8 to 32 GT/s 128 in 130, 64 GT/s 236 bytes of packets in a
/// flit of 256 (PCI Express Base Specification). 0: not known.
std::uint64_t pcieLaneMbps(unsigned generation)
{
    constexpr std::array<std::uint64_t, 7> ofGeneration{0, 2'000, 4'000, 7'877, 15'754, 31'508, 59'000};
    return generation < ofGeneration.size() ? ofGeneration[generation] : 0;
}

/// A value of whichever type the driver chose.
std::uint64_t valueOf(const NvmlField& field)
{
    constexpr std::int32_t isDouble = 0, isUnsigned = 1, isInt = 5, isShort = 6;
    if (field.type == isDouble) {
        double value;
        std::memcpy(&value, &field.value, sizeof value);
        return value > 0 ? static_cast<std::uint64_t>(value) : 0;
    }
    if (field.type == isUnsigned || field.type == isInt) return field.value & 0xFFFFFFFF;
    return field.type == isShort ? field.value & 0xFFFF : field.value;
}

}  // namespace

void permitNvml() { permitted.store(true, std::memory_order_relaxed); }

Availability GpuSampler::open(const Pass& pass)
{
    if (!hasNode(pass.root)) return {false, "no GPU device node (/dev/nvidia*)"};
    if (!permitted.load(std::memory_order_relaxed)) return {false, "NVML is only used by `flowgauge run`, on its own host"};
    if (!openNvml(m_nvml)) return {false, "libnvidia-ml.so.1 cannot be loaded"};
    if (m_nvml.init() != success) return {false, "nvmlInit refused: driver not loaded, or of another version than the library"};
    m_open = true;
    unsigned count = 0;
    if (m_nvml.count(&count) != success || count == 0) return close(), Availability{false, "NVML shows no GPU"};
    for (unsigned index = 0; index < count && m_count < mostDevices; ++index)
        if (!addDevice(pass, index)) continue;
    if (m_count == 0) return close(), Availability{false, "NVML refuses every GPU (cgroup, or lost)"};
    return {true, "NVML, each GPU about once a second"};
}

bool GpuSampler::addDevice(const Pass& pass, unsigned index)
{
    Device device{};
    std::array<char, 96> uuid{}, name{};
    if (m_nvml.byIndex(index, &device.handle) != success) return false;
    if (m_nvml.uuid(device.handle, uuid.data(), uuid.size() - 1) != success) return false;
    device.source = pass.sources.find(CounterFamily::Gpu, uuid.data());
    if (device.source == nullptr) return false;
    if (device.source->use == Use::Undecided) pass.sink.accept(*device.source, uuid.data());
    NvmlGpmSupport support;
    device.hasGpm = m_nvml.gpmSupport != nullptr && m_nvml.gpmAllocate != nullptr && m_nvml.gpmSample != nullptr &&
                    m_nvml.gpmMetrics != nullptr && m_nvml.gpmSupport(device.handle, &support) == success && support.isSupported != 0 &&
                    m_nvml.gpmAllocate(&device.gpm[0]) == success && m_nvml.gpmAllocate(&device.gpm[1]) == success;
    if (m_nvml.name != nullptr) m_nvml.name(device.handle, name.data(), name.size() - 1);
    Path text(name.data());
    text.add(device.hasGpm ? ", with the counters of its SMs" : ", without counters of its SMs (GPM: Hopper and later)");
    pass.sink.note(uuid.data(), "measured", text.view());
    m_devices[m_count++] = device;
    return true;
}

void GpuSampler::sample(const Pass& pass)
{
    for (unsigned step = 0; step < m_count; ++step) {
        Device& device = m_devices[(m_next + step) % m_count];
        if (pass.sink.nowNs() < device.dueNs) continue;
        device.dueNs = pass.sink.nowNs() + second - second / 20;
        m_next = (m_next + step + 1) % m_count;
        return sampleOne(pass, device);
    }
}

// Each question may be refused by itself (vGPU, MIG, an old board, a lost GPU): what is refused is not stored, and so not measured.
void GpuSampler::sampleOne(const Pass& pass, Device& device)
{
    const Ticks at = now();
    const auto put = [&](Counter counter, std::uint64_t value) { pass.sink.put(at, *device.source, counter, value); };
    NvmlUtilization busy{};
    if (m_nvml.utilization != nullptr && m_nvml.utilization(device.handle, &busy) == success)
        put(Counter::GpuBusy, busy.gpu), put(Counter::GpuMemoryBusy, busy.memory);
    NvmlMemory memory{};
    if (m_nvml.memory != nullptr && m_nvml.memory(device.handle, &memory) == success) put(Counter::GpuMemoryUsed, memory.used);
    unsigned number = 0;
    if (m_nvml.power != nullptr && m_nvml.power(device.handle, &number) == success) put(Counter::GpuPower, number);
    if (m_nvml.temperature != nullptr && m_nvml.temperature(device.handle, nvmlSensorGpu, &number) == success)
        put(Counter::GpuTemperature, number);
    if (m_nvml.clock != nullptr && m_nvml.clock(device.handle, nvmlClockSm, &number) == success) put(Counter::GpuSmClock, number);
    if (m_nvml.clock != nullptr && m_nvml.clock(device.handle, nvmlClockMemory, &number) == success) put(Counter::GpuMemoryClock, number);
    unsigned long long wide = 0;
    if (m_nvml.energy != nullptr && m_nvml.energy(device.handle, &wide) == success) put(Counter::GpuEnergy, wide);
    if (m_nvml.throttle != nullptr && m_nvml.throttle(device.handle, &wide) == success) put(Counter::GpuThrottle, wide);
    sampleFields(pass, device, at);
    sampleRates(pass, device, at);
    if (device.hasGpm) sampleGpm(pass, device);
}

/// nvmlDeviceGetPcieThroughput would measure for 20 ms inside the call; these are counters.
void GpuSampler::sampleFields(const Pass& pass, Device& device, Ticks at)
{
    if (m_nvml.fields == nullptr) return;
    struct Wanted {
        std::uint32_t id, scope;
        Counter counter;
    };
    constexpr std::array<Wanted, 4> wanted{{{nvmlFieldPcieTx, 0, Counter::GpuPcieTx},
                                            {nvmlFieldPcieRx, 0, Counter::GpuPcieRx},
                                            {nvmlFieldNvlinkTx, ~0U, Counter::GpuNvlinkTx},
                                            {nvmlFieldNvlinkRx, ~0U, Counter::GpuNvlinkRx}}};
    std::array<NvmlField, wanted.size()> fields{};
    for (std::size_t i = 0; i < wanted.size(); ++i) fields[i].id = wanted[i].id, fields[i].scope = wanted[i].scope;
    if (m_nvml.fields(device.handle, static_cast<int>(fields.size()), fields.data()) != success) return;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (fields[i].status == success) pass.sink.put(at, *device.source, wanted[i].counter, valueOf(fields[i]));
}

/// What the links can move, for what they do move to be held against.
void GpuSampler::sampleRates(const Pass& pass, Device& device, Ticks at)
{
    unsigned generation = 0, lanes = 0;
    if (m_nvml.pcieGeneration != nullptr && m_nvml.pcieWidth != nullptr && m_nvml.pcieGeneration(device.handle, &generation) == success &&
        m_nvml.pcieWidth(device.handle, &lanes) == success && pcieLaneMbps(generation) > 0)
        pass.sink.put(at, *device.source, Counter::GpuPcieRate, std::uint64_t{lanes} * pcieLaneMbps(generation));
    if (m_nvml.fields == nullptr) return;
    std::array<NvmlField, 2> fields{};
    fields[0].id = nvmlFieldNvlinkSpeed;
    fields[1].id = nvmlFieldNvlinkCount;
    if (m_nvml.fields(device.handle, static_cast<int>(fields.size()), fields.data()) != success) return;
    if (fields[0].status == success && fields[1].status == success && valueOf(fields[0]) > 0)
        pass.sink.put(at, *device.source, Counter::GpuNvlinkRate, valueOf(fields[0]) * valueOf(fields[1]) * 8);
}

/// Averages over the time since the last sample, in permille.
void GpuSampler::sampleGpm(const Pass& pass, Device& device)
{
    if (m_nvml.gpmSample(device.handle, device.gpm[1]) != success) {
        device.hasFirst = false;
        return;
    }
    if (device.hasFirst) {
        m_metrics = {};
        m_metrics.version = 1;
        m_metrics.first = device.gpm[0];
        m_metrics.second = device.gpm[1];
        constexpr std::array<unsigned, 3> ids{nvmlGpmSmActive, nvmlGpmTensorActive, nvmlGpmDramActive};
        constexpr std::array<Counter, 3> counters{Counter::GpuSmActive, Counter::GpuTensorActive, Counter::GpuDramActive};
        for (const unsigned id : ids) m_metrics.metrics[m_metrics.count++].id = id;
        const Ticks at = now();
        if (m_nvml.gpmMetrics(&m_metrics) == success)
            for (std::size_t i = 0; i < ids.size(); ++i)
                if (m_metrics.metrics[i].status == success && m_metrics.metrics[i].value >= 0)
                    pass.sink.put(at, *device.source, counters[i], static_cast<std::uint64_t>(m_metrics.metrics[i].value * 10));
    }
    const NvmlGpmSample newer = device.gpm[1];
    device.gpm[1] = device.gpm[0];
    device.gpm[0] = newer;
    device.hasFirst = true;
}

void GpuSampler::close()
{
    if (m_nvml.gpmFree != nullptr)
        for (Device& device : std::span(m_devices).first(m_count))
            for (NvmlGpmSample& sample : device.gpm)
                if (sample != nullptr) m_nvml.gpmFree(std::exchange(sample, nullptr));
    if (m_open && m_nvml.shutdown != nullptr) m_nvml.shutdown();
    m_open = false;
    m_count = 0;
}

}  // namespace flowgauge::sample
