// SPDX-License-Identifier: MIT
// The grouped allreduce on the GPUs of one node: reduction and gather by kernels that read their peers' memory. Each stage of a chunk is
// a launch of its own for each member (nothing waits inside a kernel), so any number of members can share one GPU.
#include "workloads/allreduce/bench.h"
#include "workloads/allreduce/cuda/devices.cuh"

#include <algorithm>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>

using namespace flowgauge::workloads::allreduce;

namespace {

constexpr int mostMembers = 16, threadsOfBlock = 256, blocksOfMember = 64;

struct Peers {
    const float* at[mostMembers];
};

/// One slice, added in the order of members whatever their number: the same bits each time.
__global__ void reduceSlice(Peers from, int members, std::size_t begin, std::size_t size, float* sums)
{
    for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < size;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = from.at[0][begin + i];
        for (int member = 1; member < members; ++member) sum += from.at[member][begin + i];
        sums[begin + i] = sum;
    }
}

__global__ void copySlice(const float* sums, std::size_t begin, std::size_t size, float* into)
{
    for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < size;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        into[begin + i] = sums[begin + i];
}

void reduceChunk(CudaMembers& members, const Shape& shape, std::size_t elements, std::size_t chunk)
{
    Peers from{};
    for (std::size_t i = 0; i < shape.groupSize; ++i) from.at[i] = members.all()[i].from;
    for (std::size_t local = 0; local < shape.groupSize; ++local) {
        CudaMember& member = members.all()[local];
        const Range slice = shape.slice(elements, chunk, local);
        check(cudaSetDevice(member.device), "cudaSetDevice");
        if (slice.size() > 0)
            reduceSlice<<<blocksOfMember, threadsOfBlock, 0, member.reduce>>>(from, static_cast<int>(shape.groupSize), slice.begin,
                                                                              slice.size(), member.sums);
        check(cudaGetLastError(), "reduceSlice");
        check(cudaEventRecord(member.reduced[chunk], member.reduce), "cudaEventRecord");
    }
}

void gatherChunk(CudaMembers& members, const Shape& shape, std::size_t elements, std::size_t chunk)
{
    for (std::size_t local = 0; local < shape.groupSize; ++local) {
        CudaMember& member = members.all()[local];
        check(cudaSetDevice(member.device), "cudaSetDevice");
        for (std::size_t step = 0; step < shape.groupSize; ++step) {
            const std::size_t owner = (local + 1 + step) % shape.groupSize;
            const Range slice = shape.slice(elements, chunk, owner);
            check(cudaStreamWaitEvent(member.gather, members.all()[owner].reduced[chunk], 0), "cudaStreamWaitEvent");
            if (slice.size() > 0)
                copySlice<<<blocksOfMember, threadsOfBlock, 0, member.gather>>>(members.all()[owner].sums, slice.begin, slice.size(),
                                                                                member.into);
            check(cudaGetLastError(), "copySlice");
        }
    }
}

double sumGrouped(CudaMembers& members, const Shape& shape, std::size_t elements)
{
    members.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t chunk = 0; chunk < shape.chunks(elements); ++chunk) {
        reduceChunk(members, shape, elements, chunk);
        gatherChunk(members, shape, elements, chunk);
    }
    members.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Line measure(const Options& options, std::uint64_t bytes)
{
    const Shape shape{1, options.groupSize, std::max<std::size_t>(options.chunkBytes / sizeof(float), options.groupSize)};
    const std::size_t elements = bytes / sizeof(float);
    CudaMembers members(options.groupSize, elements, shape.chunks(elements));
    std::vector<double> seconds;
    std::vector<float> first;
    Line line{bytes, 0, 0, 0, 0, ""};
    for (int round = 0; round < options.iterations && line.wrong.empty(); ++round) {
        for (std::size_t member = 0; member < options.groupSize; ++member) {
            std::vector<float> values(elements);
            fillValues(values, member, 0);
            members.fill(member, values);
        }
        seconds.push_back(options.algorithm == "nccl" ? sumByNccl(members, elements) : sumGrouped(members, shape, elements));
        for (std::size_t member = 0; member < options.groupSize; ++member) {
            const std::vector<float> sums = members.sums(member, elements);
            for (std::size_t i = 0; i < elements && line.wrong.empty(); ++i)
                if (sums[i] != expectedSum(i, options.groupSize, 0))
                    line.wrong = "member " + std::to_string(member) + ", element " + std::to_string(i);
        }
    }
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
    line.seconds = seconds[seconds.size() / 2];
    return line;
}

int runAll(const Options& options)
{
    std::printf("%s allreduce of %zu members on GPUs, float32 sum\n%12s %11s %9s %9s\n", options.algorithm.c_str(), options.groupSize,
                "bytes", "median us", "alg GB/s", "bus GB/s");
    LinkTable links;
    std::uint64_t operations = 0;
    for (const std::uint64_t bytes : sizesOf(options)) {
        const Line line = measure(options, bytes);
        const Shape shape{1, options.groupSize, std::max<std::size_t>(options.chunkBytes / sizeof(float), options.groupSize)};
        for (const auto& [link, moved] : linkTable(shape, bytes / sizeof(float)))
            links[link] += moved * static_cast<std::uint64_t>(options.iterations);
        operations += static_cast<std::uint64_t>(options.iterations);
        std::printf("%12llu %11.1f %9.3f %9.3f   %s\n", static_cast<unsigned long long>(bytes), line.seconds * 1e6,
                    algorithmBandwidth(line) / 1e9, busBandwidth(line, options.groupSize) / 1e9,
                    line.wrong.empty() ? "ok" : line.wrong.c_str());
        if (!line.wrong.empty()) return 1;
    }
    if (!options.ledger.empty()) std::ofstream(options.ledger) << booksOf(options, 1, operations, links) << '\n';
    return 0;
}

}  // namespace

int main(int count, char** words)
{
    Options options;
    CLI::App app{"Allreduce benchmark on the GPUs of one node."};
    app.add_option("--algo", options.algorithm, "grouped or nccl")->check(CLI::IsMember({"grouped", "nccl"}))->capture_default_str();
    app.add_option("--backend", options.backend, "cuda, as in the program that starts this one")->check(CLI::IsMember({"cuda"}));
    app.add_option("--members", options.groupSize, "Members; grouped: several may share a GPU")
        ->check(CLI::Range(1, mostMembers))
        ->capture_default_str();
    app.add_option("--min", options.leastBytes, "Smallest size")->transform(CLI::AsSizeValue(false))->capture_default_str();
    app.add_option("--max", options.mostBytes, "Largest size")->transform(CLI::AsSizeValue(false))->capture_default_str();
    app.add_option("--chunk", options.chunkBytes, "Bytes that go through the stages together")
        ->transform(CLI::AsSizeValue(false))
        ->capture_default_str();
    app.add_option("--iterations", options.iterations, "Operations a size")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--ledger", options.ledger, "Write shape, operations and bytes by link to this file");
    CLI11_PARSE(app, count, words);
    try {
        return runAll(options);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "allreduce_cuda: %s\n", problem.what());
        return 1;
    }
}
