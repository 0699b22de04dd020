// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <bit>
#include "workloads/failure.h"
#include "workloads/train/communicator.h"

// NCCL and the CUDA driver are loaded when they are asked for: a build needs neither, and the profiler sees the program as it sees
// frameworks that load them. The few declarations are those of nccl.h and cuda.h, unchanged since NCCL 2.4 and CUDA 4.

namespace flowgauge::workloads {
namespace {

/// A vendor's library, opened for as long as the process lives.
class VendorLibrary {
public:
    explicit VendorLibrary(const char* file) : m_file(file), m_handle(dlopen(file, RTLD_NOW | RTLD_GLOBAL))
    {
        if (m_handle == nullptr) throw Failure("--comm nccl", "needs a GPU, its driver and NCCL: ", dlerror());
    }
    template <typename Function>
    void find(const char* name, Function*& into) const
    {
        into = reinterpret_cast<Function*>(dlsym(m_handle, name));
        if (into == nullptr) throw Failure(m_file, "lacks ", name);
    }

private:
    const char* m_file;
    void* m_handle;
};

struct CudaDriver {
    int (*init)(unsigned);
    int (*deviceCount)(int*);
    int (*device)(int*, int);
    int (*retainContext)(void**, int);  ///< the one context that libtorch uses too
    int (*setContext)(void*);
    int (*allocate)(std::uintptr_t*, std::size_t);
    int (*release)(std::uintptr_t);
    int (*toDevice)(std::uintptr_t, const void*, std::size_t);
    int (*toHost)(void*, std::uintptr_t, std::size_t);
    int (*finishStream)(void*);

    CudaDriver()
    {
        const VendorLibrary library("libcuda.so.1");
        library.find("cuInit", init);
        library.find("cuDeviceGetCount", deviceCount);
        library.find("cuDeviceGet", device);
        library.find("cuDevicePrimaryCtxRetain", retainContext);
        library.find("cuCtxSetCurrent", setContext);
        library.find("cuMemAlloc_v2", allocate);
        library.find("cuMemFree_v2", release);
        library.find("cuMemcpyHtoD_v2", toDevice);
        library.find("cuMemcpyDtoH_v2", toHost);
        library.find("cuStreamSynchronize", finishStream);
    }
};

using UniqueId = std::array<char, 128>;
struct UniqueIdByValue {
    UniqueId bytes;
};
constexpr int float32 = 7, sumOperation = 0;

struct Nccl {
    int (*uniqueId)(UniqueIdByValue*);
    int (*makeCommunicator)(void**, int, UniqueIdByValue, int);
    int (*allReduce)(const void*, void*, std::size_t, int, int, void*, void*);
    int (*destroy)(void*);

    Nccl()
    {
        const VendorLibrary library("libnccl.so.2");
        library.find("ncclGetUniqueId", uniqueId);
        library.find("ncclCommInitRank", makeCommunicator);
        library.find("ncclAllReduce", allReduce);
        library.find("ncclCommDestroy", destroy);
    }
};

void check(int result, const char* call)
{
    if (result != 0) throw Failure(call, "failed with code ", result);
}

}  // namespace

/// Gradients go to this rank's GPU, are summed there by NCCL, and come back.
class NcclCommunicator final : public GradientCommunicator {
public:
    NcclCommunicator(Communicator& below, Ledger& ledger) : GradientCommunicator(below), m_ledger(ledger)
    {
        openDevice();
        UniqueIdByValue id{};
        if (rank() == 0) check(m_nccl.uniqueId(&id), "ncclGetUniqueId");
        auto words = std::bit_cast<std::array<float, sizeof id / sizeof(float)>>(id);  // only moved, never reckoned with
        broadcast(words);
        check(m_nccl.makeCommunicator(&m_communicator, size(), std::bit_cast<UniqueIdByValue>(words), rank()), "ncclCommInitRank");
    }
    ~NcclCommunicator() override
    {
        m_nccl.destroy(m_communicator);
        if (m_room > 0) m_driver.release(m_buffer);
    }
    NcclCommunicator(const NcclCommunicator&) = delete;
    NcclCommunicator& operator=(const NcclCommunicator&) = delete;

    using GradientCommunicator::sum;
    void sum(std::span<float> values) override
    {
        m_ledger.collective("nccl", values.size_bytes());
        check(m_driver.setContext(m_context), "cuCtxSetCurrent");  // buckets may be summed by a thread of their own
        makeRoom(values.size_bytes());
        check(m_driver.toDevice(m_buffer, values.data(), values.size_bytes()), "cuMemcpyHtoD");
        auto* const buffer = reinterpret_cast<void*>(m_buffer);
        check(m_nccl.allReduce(buffer, buffer, values.size(), float32, sumOperation, m_communicator, nullptr), "ncclAllReduce");
        check(m_driver.finishStream(nullptr), "cuStreamSynchronize");
        check(m_driver.toHost(values.data(), m_buffer, values.size_bytes()), "cuMemcpyDtoH");
    }

private:
    /// The device that the model takes for this rank.
    void openDevice()
    {
        int count = 0;
        int device = 0;
        check(m_driver.init(0), "cuInit");
        check(m_driver.deviceCount(&count), "cuDeviceGetCount");
        if (count == 0) throw Failure("--comm nccl", "the driver finds no GPU");
        check(m_driver.device(&device, rank() % count), "cuDeviceGet");
        check(m_driver.retainContext(&m_context, device), "cuDevicePrimaryCtxRetain");
        check(m_driver.setContext(m_context), "cuCtxSetCurrent");
    }
    void makeRoom(std::size_t bytes)
    {
        if (bytes <= m_room) return;
        if (m_room > 0) check(m_driver.release(m_buffer), "cuMemFree");
        m_room = 0;
        check(m_driver.allocate(&m_buffer, bytes), "cuMemAlloc");
        m_room = bytes;
    }

    Ledger& m_ledger;
    CudaDriver m_driver;
    Nccl m_nccl;
    void* m_context = nullptr;
    void* m_communicator = nullptr;
    std::uintptr_t m_buffer = 0;
    std::size_t m_room = 0;
};

std::unique_ptr<Communicator> summingByNccl(Communicator& below, Ledger& ledger)
{
    return std::make_unique<NcclCommunicator>(below, ledger);
}

}  // namespace flowgauge::workloads
