// SPDX-License-Identifier: MIT
// import_bench [MEGABYTES] [FOLDER]: makes a PyTorch trace of that size (2000), imports it, and prints speed and the most memory that
// was resident. Ends with 1 where that is 500 MB or more.
#include "collector/foreign/import.h"

#include <sys/resource.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace fs = std::filesystem;

/// What stands in a real trace for one launch: an operator, its call, its kernel and the arrow between them (about 1.6 kB).
void writeLaunch(std::FILE* file, std::int64_t n)
{
    const double at = 1'700'000'000'000'000.0 + static_cast<double>(n) * 9;
    const char* const names[] = {
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>>(int)",
        "ampere_sgemm_128x64_tn", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 32, true, 1>(float, float)"};
    const char* const name = names[n % 97 == 0 ? 2 : static_cast<std::size_t>(n % 4 == 2 ? 1 : n % 4)];
    std::fprintf(file,
                 R"(  {
    "ph": "X", "cat": "cpu_op", "name": "aten::add_", "pid": 1102, "tid": 1102,
    "ts": %.3f, "dur": 6.125,
    "args": {
      "External id": %lld,"Record function id": 0, "Concrete Inputs": ["", "", "1"], "Input type": ["float", "float", "Scalar"], "Input Dims": [[64, 256, 56, 56], [64, 256, 56, 56], []], "Ev Idx": %lld
    }
  },
)",
                 at, static_cast<long long>(n), static_cast<long long>(n));
    std::fprintf(file,
                 R"(  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1102, "tid": 1102,
    "ts": %.3f, "dur": 3.250,
    "args": {
      "External id": %lld, "cbid": 211, "correlation": %lld
    }
  },
  {
    "ph": "s", "id": %lld, "pid": 1102, "tid": 1102, "ts": %.3f,
    "cat": "ac2g", "name": "ac2g"
  },
)",
                 at + 2, static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(n), at + 2);
    std::fprintf(file,
                 R"(  {
    "ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7,
    "ts": %.3f, "dur": 7.500,
    "args": {
      "External id": %lld,
      "queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": %lld,
      "registers per thread": 30,
      "shared memory": 0,
      "blocks per SM": 12.3,
      "warps per SM": 98.4,
      "grid": [1312, 1, 1],
      "block": [256, 1, 1],
      "est. achieved occupancy %%": 100
    }
  },
  {
    "ph": "f", "id": %lld, "pid": 0, "tid": 7, "ts": %.3f,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  },
)",
                 name, at + 12, static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(n), at + 12);
}

void generate(const fs::path& path, std::int64_t bytes)
{
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) std::exit(2);
    std::fputs(
        "{\n  \"schemaVersion\": 1,\n  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0, \"world_size\": 1},\n  \"traceEvents\": "
        "[\n",
        file);
    for (std::int64_t n = 1; std::ftell(file) < bytes; ++n) writeLaunch(file, n);
    std::fputs(
        "  {\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1102, \"tid\": 0, \"ts\": 1700000000000000, \"args\": {\"name\": "
        "\"python\"}}\n]}\n",
        file);
    std::fclose(file);
}

double processorSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

}  // namespace

int main(int count, char** arguments)
{
    const std::int64_t megabytes = count > 1 ? std::atoll(arguments[1]) : 2000;
    const fs::path folder =
        fs::path(count > 2 ? arguments[2] : fs::temp_directory_path().string()) / ("import-bench-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    generate(folder / "trace.json", megabytes * 1'000'000);
    const double before = processorSeconds();
    const auto begin = std::chrono::steady_clock::now();
    const auto imported = flowgauge::foreign::importFiles({folder / "trace.json"}, folder / "run.db", {}, {});
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double processor = processorSeconds() - before;
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const double residentMb = static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
    const double mb = static_cast<double>(imported.front().bytes) / 1e6;
    std::printf(
        "import_bench: %.0f MB of JSON, %lld kernels: %.0f MB/s by the clock, %.0f MB/s of processor time; "
        "at most %.0f MB resident; the run has %.1f MB\n",
        mb, static_cast<long long>(imported.front().kernels), mb / wall, mb / processor, residentMb,
        static_cast<double>(fs::file_size(folder / "run.db")) / 1e6);
    fs::remove_all(folder);
    return residentMb < 500 ? 0 : 1;
}
