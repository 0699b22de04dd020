// SPDX-License-Identifier: MIT
// Work on a real GPU whose amount is known: prints as JSON what it launched, copied and filled, the time by its own events and clock.
//
//   known_work STEPS KERNELS MICROSECONDS [graph [devices]] [fork] [_exit]
//
// devices: every second kernel of the graph runs on the second GPU.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        const cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                      \
            std::fprintf(stderr, "known_work: %s: %s\n", #call, cudaGetErrorString(error));              \
            std::exit(3);                                                                                \
        }                                                                                                \
    } while (false)

__global__ void spin(long long cycles, float* out)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {}
    if (threadIdx.x == 0) out[blockIdx.x] += 1;
}

template <typename Value>
__global__ void scale(Value* values, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= 2;
}

constexpr int count = 1 << 20;

/// So many kernels one after the other, on so many devices by turns.
cudaGraphExec_t graphOf(int kernels, int devices, cudaStream_t first, float* memory)
{
    cudaStream_t streams[2] = {first, nullptr};
    float* buffers[2] = {memory, nullptr};
    cudaEvent_t done[2];
    for (int device = 0; device < devices; ++device) {
        CHECK(cudaSetDevice(device));
        if (device > 0) CHECK(cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking));
        if (device > 0) CHECK(cudaMalloc(&buffers[device], count * sizeof(float)));
        CHECK(cudaEventCreateWithFlags(&done[device], cudaEventDisableTiming));
    }
    CHECK(cudaSetDevice(0));
    cudaGraph_t captured;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kernels; ++i) {
        const int device = i % devices;
        CHECK(cudaSetDevice(device));
        if (devices > 1 && i > 0) CHECK(cudaStreamWaitEvent(streams[device], done[(i - 1) % devices], 0));
        scale<<<count / 256, 256, 0, streams[device]>>>(buffers[device], count);
        CHECK(cudaEventRecord(done[device], streams[device]));
    }
    CHECK(cudaSetDevice(0));
    if (devices > 1) CHECK(cudaStreamWaitEvent(first, done[(kernels - 1) % devices], 0));  // what forked must join before the end
    CHECK(cudaStreamEndCapture(first, &captured));
    cudaGraphExec_t graph;
    CHECK(cudaGraphInstantiate(&graph, captured, 0));
    return graph;
}

int main(int argc, char** argv)
{
    if (argc < 4) return std::fprintf(stderr, "known_work: STEPS KERNELS MICROSECONDS expected\n"), 2;
    const int steps = std::atoi(argv[1]), kernels = std::atoi(argv[2]);
    const long long cycles = std::atoll(argv[3]) * 1500;  // about, at 1.5 GHz
    const auto has = [&](const char* word) {
        for (int i = 4; i < argc; ++i)
            if (std::strcmp(argv[i], word) == 0) return true;
        return false;
    };
    float *host = nullptr, *device = nullptr;
    CHECK(cudaMallocHost(&host, count * sizeof(float)));
    CHECK(cudaMalloc(&device, count * sizeof(float)));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    cudaGraphExec_t const graph = has("graph") ? graphOf(kernels, has("devices") ? 2 : 1, streams[0], device) : nullptr;
    scale<<<1, 32, 0, streams[0]>>>(device, 1);  // the first launch loads the module
    CHECK(cudaDeviceSynchronize());
    double eventMs = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; ++step) {
        cudaStream_t const stream = streams[graph != nullptr ? 0 : step % 2];
        CHECK(cudaMemcpyAsync(device, host, count * sizeof(float), cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemsetAsync(device, 0, 4096, stream));
        CHECK(cudaEventRecord(from, stream));
        if (graph != nullptr)
            CHECK(cudaGraphLaunch(graph, stream));
        else
            for (int i = 0; i < kernels; ++i) spin<<<4, 64, 0, stream>>>(cycles, device);
        CHECK(cudaEventRecord(to, stream));
        CHECK(cudaMemcpyAsync(host, device, 4096, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, from, to));
        eventMs += ms;
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (has("fork")) {
        if (fork() == 0) std::exit(0);
        int status = 0;
        wait(&status);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            return std::fprintf(stderr, "known_work: the forked worker did not end well\n"), 4;
    }
    std::printf("{\"kernels\": %d, \"copies\": %d, \"copy_bytes\": %lld, \"fills\": %d, \"event_ms\": %.3f, \"wall_s\": %.6f}\n",
                steps * kernels + 1,
                2 * steps, static_cast<long long>(steps) * (count * 4LL + 4096), steps, eventMs, wall);
    std::fflush(stdout);
    if (has("_exit")) _exit(0);
    return 0;
}
