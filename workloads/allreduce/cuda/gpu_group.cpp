// SPDX-License-Identifier: MIT
#include "workloads/allreduce/cuda/gpu_group.h"
#include "workloads/allreduce/cuda/kernels.h"

namespace flowgauge::workloads::allreduce {
namespace {

void allowReading(std::size_t reader, std::size_t other)
{
    if (reader == other) return;
    onDevice(reader);
    const cudaError_t allowed = cudaDeviceEnablePeerAccess(static_cast<int>(other), 0);
    if (allowed == cudaErrorPeerAccessAlreadyEnabled)
        static_cast<void>(cudaGetLastError());  // or the next launch would report it
    else
        check(allowed, "cudaDeviceEnablePeerAccess");
}

}  // namespace

GpuGroup::GpuGroup(const Shape& shape, std::span<const std::size_t> devices, bool inPlace) : m_members(devices.size()), m_inPlace(inPlace)
{
    for (std::size_t local = 0; local < devices.size(); ++local) {
        for (const std::size_t other : devices) allowReading(devices[local], other);
        Member& member = m_members[local];
        member.buffers.device = devices[local];
        onDevice(devices[local]);
        for (Stream* stream : {&member.reducing, &member.exchanging, &member.gathering}) *stream = newStream();
        for (DeviceFloats& sums : member.sums) sums = deviceFloats(shape.largestSlice());
        if (shape.groups == 1) continue;
        for (PinnedFloats& staged : member.staged) staged = pinnedFloats(shape.largestSlice());
    }
}

void GpuGroup::resize(std::size_t elements)
{
    for (Member& member : m_members) member.buffers.resize(elements, m_inPlace);
}

void GpuGroup::reduce(const Part& part)
{
    if (part.slice.size() == 0) return;
    const Member& owner = m_members[part.owner];
    Fellows fellows{{}, static_cast<int>(m_members.size())};
    for (std::size_t i = 0; i < m_members.size(); ++i) fellows.at[i] = m_members[i].buffers.from.get() + part.slice.begin;
    float* const sums = owner.sums[part.place].get();
    onDevice(owner.buffers.device);
    check(launchReduce(fellows, part.slice.size(), sums, owner.reducing.get()), "reduceSlice");
    if (const PinnedFloats& staged = owner.staged[part.place]; staged)
        check(cudaMemcpyAsync(staged.get(), sums, part.slice.size() * sizeof(float), cudaMemcpyDeviceToHost, owner.reducing.get()),
              "cudaMemcpyAsync");
    finish(owner.reducing);
}

std::span<float> GpuGroup::sums(const Part& part) { return {m_members[part.owner].staged[part.place].get(), part.slice.size()}; }

void GpuGroup::exchanged(const Part& part)
{
    const Member& owner = m_members[part.owner];
    const std::span<float> staged = sums(part);
    onDevice(owner.buffers.device);
    check(cudaMemcpyAsync(owner.sums[part.place].get(), staged.data(), staged.size_bytes(), cudaMemcpyHostToDevice, owner.exchanging.get()),
          "cudaMemcpyAsync");
    finish(owner.exchanging);
}

void GpuGroup::gather(std::span<const Part> parts, std::size_t reader)
{
    const Member& mine = m_members[reader];
    onDevice(mine.buffers.device);
    for (const Part& part : parts)
        if (part.slice.size() > 0)
            check(launchCopy(m_members[part.owner].sums[part.place].get(), part.slice.size(), mine.buffers.into() + part.slice.begin,
                             mine.gathering.get()),
                  "copySlice");
    finish(mine.gathering);
}

}  // namespace flowgauge::workloads::allreduce
