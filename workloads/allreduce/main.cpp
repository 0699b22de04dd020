// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <mpi.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include "workloads/allreduce/bench.h"

using namespace flowgauge::workloads::allreduce;

namespace {

/// One rank, one member: what the grouped scheme is held against.
Line measureMpi(const Options& options, std::uint64_t bytes)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<float> from(bytes / sizeof(float)), into(from.size());
    std::vector<double> seconds;
    Line line{bytes, 0, 0, 0, 0, ""};
    for (int round = 0; round < options.iterations; ++round) {
        fillValues(from, static_cast<std::size_t>(rank), static_cast<std::uint32_t>(round));
        const auto begin = std::chrono::steady_clock::now();
        if (options.inPlace)
            MPI_Allreduce(MPI_IN_PLACE, from.data(), static_cast<int>(from.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(from.data(), into.data(), static_cast<int>(from.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        const std::vector<float>& sums = options.inPlace ? from : into;
        for (std::size_t i = 0; i < sums.size() && line.wrong.empty(); ++i)
            if (sums[i] != expectedSum(i, static_cast<std::size_t>(ranks), static_cast<std::uint32_t>(round)))
                line.wrong = fmt::format("element {}: {}", i, sums[i]);
    }
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
    line.seconds = seconds[seconds.size() / 2];
    return line;
}

void print(const Line& line, std::size_t members, bool stages)
{
    fmt::print("{:>12} {:>11.1f} {:>9.3f} {:>9.3f}", line.bytes, line.seconds * 1e6, algorithmBandwidth(line) / 1e9,
               busBandwidth(line, members) / 1e9);
    if (stages) fmt::print(" {:>9.2f} {:>9.2f} {:>9.2f}", line.reduce * 1e3, line.exchange * 1e3, line.gather * 1e3);
    fmt::print("   {}\n", line.wrong.empty() ? "ok" : line.wrong);
    std::fflush(stdout);
}

void writeBooks(const Options& options, int rank, const std::string& books)
{
    std::string path = options.ledger;
    if (const auto at = path.find("%r"); at != std::string::npos) path.replace(at, 2, std::to_string(rank));
    if (!path.empty()) std::ofstream(path) << books << '\n';
}

void describe(CLI::App& app, Options& options)
{
    app.add_option("--algo", options.algorithm,
                   "mpi: MPI_Allreduce, one member a rank; grouped: the link-efficient scheme; nccl: NCCL's, on GPUs")
        ->check(CLI::IsMember({"mpi", "grouped", "nccl"}))
        ->capture_default_str();
    app.add_option("--backend", options.backend, "cpu: members are threads; cuda: the GPUs of this node (grouped and nccl)")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--members", options.groupSize, "Members a rank, grouped only: threads that stand for the GPUs of a node")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--min", options.leastBytes, "Smallest size, bytes of one member's buffer")
        ->transform(CLI::AsSizeValue(false))
        ->capture_default_str();
    app.add_option("--max", options.mostBytes, "Largest size")->transform(CLI::AsSizeValue(false))->capture_default_str();
    app.add_option("--chunk", options.chunkBytes, "Bytes that go through the three stages together")
        ->transform(CLI::AsSizeValue(false))
        ->capture_default_str();
    app.add_option("--iterations", options.iterations, "Operations a size")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_flag("--in-place", options.inPlace, "The sum replaces the values");
    app.add_flag("!--no-overlap", options.overlap, "Finish each chunk before the next begins");
    app.add_option("--deadline-ms", options.deadlineMs, "How long a member waits for another before all give up")->capture_default_str();
    app.add_option("--ledger", options.ledger, "Write shape, operations and bytes by link to this file; %r is the rank");
}

/// Only nvcc builds what runs on GPUs: a program of its own beside this one, which takes its place with the same words.
int runOnGpus(char** words)
{
    const auto program = std::filesystem::read_symlink("/proc/self/exe").replace_filename("allreduce_cuda");
    execv(program.c_str(), words);
    fmt::print(stderr, "allreduce: GPUs need {}, which is built where nvcc is found (target allreduce_cuda): {}\n", program.string(),
               std::strerror(errno));
    return 2;
}

int runAll(const Options& options)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool grouped = options.algorithm == "grouped";
    const std::size_t members = static_cast<std::size_t>(ranks) * (grouped ? options.groupSize : 1);
    if (rank == 0)
        fmt::print("{} allreduce of {} members ({} nodes), float32 sum\n{:>12} {:>11} {:>9} {:>9}{}\n", options.algorithm, members, ranks,
                   "bytes", "median us", "alg GB/s", "bus GB/s", grouped ? " reduce ms  exch. ms gather ms" : "");
    const auto link = mpiLink();
    GroupedBench bench(options, *link);
    std::uint64_t operations = 0;
    bool right = true;
    for (const std::uint64_t bytes : sizesOf(options)) {
        MPI_Barrier(MPI_COMM_WORLD);
        const Line line = grouped ? bench.measure(bytes) : measureMpi(options, bytes);
        operations += static_cast<std::uint64_t>(options.iterations);
        if (rank == 0) print(line, members, grouped);
        right = right && line.wrong.empty();
        if (right) continue;
        fmt::print(stderr, "allreduce: rank {}: {}\n", rank, line.wrong);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    writeBooks(options, rank, booksOf(options, static_cast<std::size_t>(ranks), operations, bench.links()));
    return 0;
}

}  // namespace

int main(int count, char** words)
{
    Options options;
    CLI::App app{"Allreduce benchmark. Run it alone, or under mpirun: each rank is a node."};
    describe(app, options);
    CLI11_PARSE(app, count, words);
    if (options.backend == "cuda" || options.algorithm == "nccl") return runOnGpus(words);
    int provided = 0;
    MPI_Init_thread(&count, &words, MPI_THREAD_SERIALIZED, &provided);
    const int status = runAll(options);
    MPI_Finalize();
    return status;
}
