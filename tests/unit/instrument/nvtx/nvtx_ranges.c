// SPDX-License-Identifier: MIT
/* Every way to say something by NVTX, with the real header. Built as a program, and with NVTX_LIBRARY as a shared object that has an
 * NVTX of its own, since NVTX 3 lives in headers. What it says is what nvtx_test.py expects. */
#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#ifdef NVTX_LIBRARY
void speak(int times)
{
    nvtxDomainHandle_t const domain = nvtxDomainCreateA("library");
    nvtxEventAttributes_t event = {0};
    event.version = NVTX_VERSION, event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED, event.message.registered = nvtxDomainRegisterStringA(domain, "registered name");
    for (int i = 0; i < times; ++i) {
        nvtxDomainRangePushEx(domain, &event);
        nvtxDomainRangePop(domain);
    }
}
#else
static nvtxEventAttributes_t saying(const char* text)
{
    nvtxEventAttributes_t event = {0};
    event.version = NVTX_VERSION, event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII, event.message.ascii = text;
    return event;
}

static void training(void)
{
    for (int epoch = 0; epoch < 2; ++epoch) {
        char name[32];
        snprintf(name, sizeof name, "Epoch %d", epoch);
        nvtxRangePushA(name);
        for (int step = 0; step < 3; ++step) {
            snprintf(name, sizeof name, "ProfilerStep#%d", epoch * 3 + step);
            nvtxRangePushA(name);
            nvtxRangePushA("forward"), nvtxRangePop();
            nvtxRangePushA("Backward"), nvtxRangePop();
            nvtxRangePushA("Optimizer.step#SGD.step"), nvtxRangePop();
            nvtxRangePop();
        }
        nvtxRangePop();
    }
    for (int lap = 0; lap < 4; ++lap) nvtxRangePushA("my lap"), nvtxRangePop();
}

static void everything(void)
{
    for (int i = 0; i < 100; ++i) {
        char name[64];
        snprintf(name, sizeof name, "aten::add, seq = %d, op_id = %d", i, i * 7);
        nvtxRangePushA(name), nvtxRangePop();
    }
    nvtxEventAttributes_t event = saying("with a number");
    event.category = 5, event.payloadType = NVTX_PAYLOAD_TYPE_INT64, event.payload.llValue = -42;
    nvtxRangePushEx(&event), nvtxRangePop();
    event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE, event.payload.dValue = 2.75;
    nvtxMarkEx(&event);
    nvtxMarkA("an instant"), nvtxMarkA("forward");
    nvtxRangePushW(L"wide \u00e9"), nvtxRangePop();
    nvtxRangePushA(NULL), nvtxRangePop();
    nvtxRangeId_t const one = nvtxRangeStartA("overlapping 1"), two = nvtxRangeStartA("overlapping 2");
    nvtxRangeEnd(one), nvtxRangeEnd(two), nvtxRangeEnd(two); /* the second time it is nobody's */
    nvtxRangePop();                                          /* nor is this one */
}

/* As NCCL 2.25 and later, and as 2.16 to 2.24, describe an allreduce. */
static void collectives(void)
{
    nvtxDomainHandle_t const nccl = nvtxDomainCreateA("NCCL");
    struct {
        uint64_t comm;
        size_t bytes;
        int op;
    } newer = {0x1234, 4096, 0};
    struct {
        size_t bytes;
        int op;
    } older = {1024, 0};
    struct {
        uint64_t schema;
        size_t bytes;
        const void* data;
    } payload[2] = {{(1u << 24) + 5, sizeof newer, &newer}, {(1u << 24) + 5, sizeof older, &older}};
    for (int i = 0; i < 2; ++i) {
        nvtxEventAttributes_t event = saying("ncclAllReduce");
        event.payloadType = (int32_t)0xDFBD0009, event.reserved0 = 1, event.payload.ullValue = (uint64_t)(uintptr_t)&payload[i];
        nvtxDomainRangePushEx(nccl, &event);
        nvtxDomainRangePop(nccl);
    }
}

static void* other_thread(void* library)
{
    void (*const speak)(int) = (void (*)(int))dlsym(library, "speak");
    nvtxRangePushA("thread");
    for (int i = 0; i < 50; ++i) speak(10);
    nvtxRangePushA("never ended");
    return NULL;
}

int main(int count, char** words)
{
    training();
    everything();
    collectives();
    pthread_t threads[3];
    for (int i = 0; i < 3 && i + 1 < count; ++i) {
        void* const library = dlopen(words[i + 1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return 3;
        pthread_create(&threads[i], NULL, other_thread, library);
    }
    for (int i = 0; i < 3 && i + 1 < count; ++i) pthread_join(threads[i], NULL);
    nvtxRangePushA("around a fork");
    if (fork() == 0) {
        nvtxRangePushA("in the child"), nvtxRangePop();
        _exit(0);
    }
    wait(NULL);
    nvtxRangePop();
    return 0;
}
#endif
