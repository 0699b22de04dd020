// SPDX-License-Identifier: MIT
#include <nccl.h>

#include "workloads/allreduce/cuda/device.h"
#include "workloads/allreduce/gpus.h"
#include "workloads/failure.h"

namespace flowgauge::workloads::allreduce {
namespace {

void check(ncclResult_t result, const char* call)
{
    if (result != ncclSuccess) throw Failure(call, ncclGetErrorString(result));
}

class NcclMethod final : public Method {
public:
    NcclMethod(Place place, std::span<const std::size_t> devices, bool inPlace, const std::function<void(std::span<char>)>& fromFirst)
        : m_members(devices.size()), m_inPlace(inPlace)
    {
        ncclUniqueId job{};
        if (place.rank == 0) check(ncclGetUniqueId(&job), "ncclGetUniqueId");
        fromFirst(job.internal);
        check(ncclGroupStart(), "ncclGroupStart");
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            Member& member = m_members[i];
            member.buffers.device = devices[i];
            onDevice(devices[i]);
            member.stream = newStream();
            check(ncclCommInitRank(&member.communicator, static_cast<int>(place.ranks * devices.size()), job,
                                   static_cast<int>(place.rank * devices.size() + i)),
                  "ncclCommInitRank");
        }
        check(ncclGroupEnd(), "ncclCommInitRank");
    }
    ~NcclMethod() override
    {
        for (const Member& member : m_members) ncclCommDestroy(member.communicator);
    }
    NcclMethod(const NcclMethod&) = delete;
    NcclMethod& operator=(const NcclMethod&) = delete;

    [[nodiscard]] std::size_t members() const override { return m_members.size(); }
    void resize(std::size_t elements) override
    {
        for (Member& member : m_members) member.buffers.resize(elements, m_inPlace);
    }
    void fill(std::size_t member, std::span<const float> values) override { m_members[member].buffers.fill(values); }
    [[nodiscard]] std::vector<float> sums(std::size_t member) const override { return m_members[member].buffers.sums(); }
    [[nodiscard]] std::string run() override
    {
        check(ncclGroupStart(), "ncclGroupStart");
        for (const Member& member : m_members)
            check(ncclAllReduce(member.buffers.from.get(), member.buffers.into(), member.buffers.elements, ncclFloat32, ncclSum,
                                member.communicator, member.stream.get()),
                  "ncclAllReduce");
        check(ncclGroupEnd(), "ncclAllReduce");
        for (const Member& member : m_members) finish(member.stream);
        return "";
    }

private:
    struct Member {
        DeviceMember buffers;
        Stream stream;
        ncclComm_t communicator = nullptr;
    };
    std::vector<Member> m_members;
    bool m_inPlace;
};

}  // namespace

std::unique_ptr<Method> ncclMethod(Place place, std::span<const std::size_t> devices, bool inPlace,
                                   const std::function<void(std::span<char>)>& fromFirst)
{
    return std::make_unique<NcclMethod>(place, devices, inPlace, fromFirst);
}

}  // namespace flowgauge::workloads::allreduce
