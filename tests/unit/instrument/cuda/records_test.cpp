// SPDX-License-Identifier: MIT
// The layouts of CUPTI's records against the real header and the real walker, which needs no driver; and what the stand-in emits against
// both.
#include "instrument/cuda/records.h"
#include "instrument/cuda/pool.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <memory>
#include <vector>
#ifdef FLOWGAUGE_CUPTI_HEADER
#include <cupti.h>
#endif

namespace flowgauge::cuda {
namespace {

template <typename Function>
Function find(void* library, const char* name)
{
    return reinterpret_cast<Function>(dlsym(library, name));
}

void* realCupti() { return dlopen(FLOWGAUGE_REAL_CUPTI, RTLD_NOW | RTLD_LOCAL); }

#ifdef FLOWGAUGE_CUPTI_HEADER
#define EXPECT_FIELD(record, name, type, member)                                         \
    EXPECT_EQ(field::record::name.offset, offsetof(type, member)) << #type "::" #member; \
    EXPECT_EQ(field::record::name.width, sizeof(type::member)) << #type "::" #member

TEST(Records, LieWhereTheRealHeaderPutsThem)
{
    using Api = CUpti_ActivityAPI;
    using Sync = CUpti_ActivitySynchronization2;
    EXPECT_FIELD(Kernel, start, CUpti_ActivityKernel10, start);
    EXPECT_FIELD(Kernel, end, CUpti_ActivityKernel10, end);
    EXPECT_FIELD(Kernel, device, CUpti_ActivityKernel10, deviceId);
    EXPECT_FIELD(Kernel, context, CUpti_ActivityKernel10, contextId);
    EXPECT_FIELD(Kernel, stream, CUpti_ActivityKernel10, streamId);
    EXPECT_FIELD(Kernel, correlation, CUpti_ActivityKernel10, correlationId);
    EXPECT_FIELD(Kernel, name, CUpti_ActivityKernel10, name);
    EXPECT_FIELD(Memcpy, direction, CUpti_ActivityMemcpy6, copyKind);
    EXPECT_FIELD(Memcpy, bytes, CUpti_ActivityMemcpy6, bytes);
    EXPECT_FIELD(Memcpy, start, CUpti_ActivityMemcpy6, start);
    EXPECT_FIELD(Memcpy, end, CUpti_ActivityMemcpy6, end);
    EXPECT_FIELD(Memcpy, device, CUpti_ActivityMemcpy6, deviceId);
    EXPECT_FIELD(Memcpy, stream, CUpti_ActivityMemcpy6, streamId);
    EXPECT_FIELD(Memcpy, correlation, CUpti_ActivityMemcpy6, correlationId);
    EXPECT_FIELD(MemcpyPeer, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
    EXPECT_FIELD(MemcpyPeer, stream, CUpti_ActivityMemcpyPtoP4, streamId);
    EXPECT_FIELD(MemcpyPeer, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
    EXPECT_FIELD(MemcpyPeer, start, CUpti_ActivityMemcpyPtoP4, start);
    EXPECT_FIELD(MemcpyPeer, device, CUpti_ActivityMemcpyPtoP4, deviceId);
    EXPECT_FIELD(Memset, value, CUpti_ActivityMemset4, value);
    EXPECT_FIELD(Memset, bytes, CUpti_ActivityMemset4, bytes);
    EXPECT_FIELD(Memset, start, CUpti_ActivityMemset4, start);
    EXPECT_FIELD(Memset, stream, CUpti_ActivityMemset4, streamId);
    EXPECT_FIELD(Memset, correlation, CUpti_ActivityMemset4, correlationId);
    EXPECT_FIELD(Api, id, Api, cbid);
    EXPECT_FIELD(Api, start, Api, start);
    EXPECT_FIELD(Api, thread, Api, threadId);
    EXPECT_FIELD(Api, correlation, Api, correlationId);
    EXPECT_FIELD(Api, result, Api, returnValue);
    EXPECT_FIELD(Synchronization, type, Sync, type);
    EXPECT_FIELD(Synchronization, start, Sync, start);
    EXPECT_FIELD(Synchronization, correlation, Sync, correlationId);
    EXPECT_FIELD(Synchronization, context, Sync, contextId);
    EXPECT_FIELD(Synchronization, stream, Sync, streamId);
    EXPECT_FIELD(Overhead, type, CUpti_ActivityOverhead3, overheadKind);
    EXPECT_FIELD(Overhead, start, CUpti_ActivityOverhead3, start);
    EXPECT_FIELD(GraphTrace, correlation, CUpti_ActivityGraphTrace2, correlationId);
    EXPECT_FIELD(GraphTrace, start, CUpti_ActivityGraphTrace2, start);
    EXPECT_FIELD(GraphTrace, device, CUpti_ActivityGraphTrace2, deviceId);
    EXPECT_FIELD(GraphTrace, graph, CUpti_ActivityGraphTrace2, graphId);
    EXPECT_FIELD(GraphTrace, stream, CUpti_ActivityGraphTrace2, streamId);
}
#else
TEST(Records, LieWhereTheRealHeaderPutsThem) { GTEST_SKIP() << "no cupti.h of CUDA 13 on this machine"; }
#endif

TEST(Records, TheRealWalkerTellsItsStridesWithoutADriver)
{
    void* const library = realCupti();
    if (library == nullptr) GTEST_SKIP() << "no libcupti.so.13 on this machine";
    const Strides strides = probeStrides(find<NextRecord>(library, "cuptiActivityGetNextRecord"));
    EXPECT_EQ(strides.of(Activity::ConcurrentKernel), 216U);
    EXPECT_EQ(strides.of(Activity::Memcpy), 96U);
    EXPECT_EQ(strides.of(Activity::MemcpyPeer), 96U);
    EXPECT_EQ(strides.of(Activity::Memset), 88U);
    EXPECT_EQ(strides.of(Activity::Runtime), 40U);
    EXPECT_EQ(strides.of(Activity::Overhead), 56U);
    EXPECT_EQ(strides.of(Activity::Synchronization), 56U);
    EXPECT_EQ(strides.of(Activity::GraphTrace), 56U);
}

TEST(Records, OfALibraryShorterThanUnderstoodAreSkipped)
{
    const NextRecord shrunk = [](std::uint8_t* buffer, std::size_t, std::uint8_t** record) {
        *record = *record == nullptr ? buffer : *record + 144;
        return Status{statusSuccess};
    };
    EXPECT_EQ(probeStrides(shrunk).of(Activity::ConcurrentKernel), 0U);
    EXPECT_EQ(probeStrides(shrunk).of(Activity::Memcpy), 144U);
}

TEST(Records, FieldsBehindTheEndReadAsZero)
{
    const std::vector<std::uint8_t> bytes(168, 0xA5);
    EXPECT_EQ(Record(bytes.data(), 96).read(field::Kernel::name), 0U);
    EXPECT_NE(Record(bytes.data(), 168).read(field::Kernel::name), 0U);
}

TEST(Records, OfTheStandInAreWalkedAlikeByTheRealLibrary)
{
    void* const library = realCupti();
    if (library == nullptr) GTEST_SKIP() << "no libcupti.so.13 on this machine";
    unsetenv("CUDA_INJECTION64_PATH");
    void* const driver = dlopen(FLOWGAUGE_STAND_INS "/driver/libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    void* const standIn = dlopen(FLOWGAUGE_STAND_INS "/cupti-13.0/libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(driver != nullptr && standIn != nullptr) << dlerror();

    alignas(8) static std::array<std::uint8_t, 65536> buffer;
    static std::size_t valid;
    const Request request = [](std::uint8_t** into, std::size_t* bytes, std::size_t* most) {
        *into = buffer.data(), *bytes = buffer.size(), *most = 0;
    };
    const Complete complete = [](void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t bytes) { valid = bytes; };
    find<Status (*)(Request, Complete)>(standIn, "cuptiActivityRegisterCallbacks")(request, complete);
    for (const std::uint32_t kind : {1U, 2U, 10U, 22U, 51U, 4U, 38U})
        EXPECT_EQ(find<Status (*)(std::uint32_t)>(standIn, "cuptiActivityEnable")(kind), 0);
    ASSERT_EQ(find<int (*)(unsigned)>(driver, "cuInit")(0), 0);
    void* function = nullptr;
    find<int (*)(void**, void*, const char*)>(driver, "cuModuleGetFunction")(&function, nullptr, "some_kernel");
    using Launch = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
    for (int i = 0; i < 50; ++i) {
        find<Launch>(driver, "cuLaunchKernel")(function, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr);
        find<int (*)(std::uint64_t, const void*, std::size_t, void*)>(driver, "cuMemcpyHtoDAsync_v2")(0, nullptr, 64, nullptr);
        find<int (*)(std::uint64_t, unsigned char, std::size_t, void*)>(driver, "cuMemsetD8Async")(0, 1, 64, nullptr);
        find<int (*)(void*, void*)>(driver, "cuGraphLaunch")(nullptr, nullptr);
        find<int (*)(void*)>(driver, "cuStreamSynchronize")(nullptr);
    }
    find<Status (*)(std::uint32_t)>(standIn, "cuptiActivityFlushAll")(0);

    std::vector<const std::uint8_t*> standInsOwn, real;
    EXPECT_TRUE(walkRecords(find<NextRecord>(standIn, "cuptiActivityGetNextRecord"), buffer.data(), valid,
                            [&](const std::uint8_t* at) { standInsOwn.push_back(at); }));
    EXPECT_TRUE(walkRecords(find<NextRecord>(library, "cuptiActivityGetNextRecord"), buffer.data(), valid,
                            [&](const std::uint8_t* at) { real.push_back(at); }));
    EXPECT_EQ(real.size(), 50U * 9);  // a record of each, a driver call for the first four
    EXPECT_EQ(standInsOwn, real);
}

TEST(Pool, LendsAllThenTheOneThatIsThrownAwayAndTakesBack)
{
    auto pool = std::make_unique<BufferPool>();
    ASSERT_TRUE(pool->create());
    std::vector<std::uint8_t*> lent;
    for (std::uint32_t i = 0; i < BufferPool::mostBuffers; ++i) lent.push_back(pool->lend());
    EXPECT_EQ(pool->whose(lent.front()), BufferPool::Whose::Pool);
    EXPECT_EQ(pool->lent(), BufferPool::mostBuffers);
    EXPECT_EQ(pool->whose(pool->lend()), BufferPool::Whose::Discarded);
    std::uint8_t foreign = 0;
    EXPECT_EQ(pool->whose(&foreign), BufferPool::Whose::Foreign);
    EXPECT_EQ(pool->whose(lent.front() + 8), BufferPool::Whose::Foreign);

    lent[3][0] = 1;
    pool->completed(lent[3], BufferPool::bufferBytes * 2);  // more than there is: cut
    const BufferPool::Full full = pool->takeFull();
    EXPECT_EQ(full.buffer, lent[3]);
    EXPECT_EQ(full.validBytes, BufferPool::bufferBytes);
    EXPECT_EQ(pool->takeFull().buffer, nullptr);
    pool->giveBack(full);
    EXPECT_EQ(pool->lend(), lent[3]);
    EXPECT_EQ(lent[3][0], 0);
}

}  // namespace
}  // namespace flowgauge::cuda
