// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <mpi.h>
#include <unistd.h>
#include <cerrno>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include "workloads/allreduce/bench.h"
#include "workloads/allreduce/gpus.h"

using namespace flowgauge::workloads::allreduce;

namespace {

/// One rank, one member: what the grouped scheme is held against.
class MpiMethod final : public Method {
public:
    explicit MpiMethod(bool inPlace) : m_inPlace(inPlace) {}
    [[nodiscard]] std::size_t members() const override { return 1; }
    void resize(std::size_t elements) override
    {
        m_from.resize(elements);
        m_into.resize(elements);
    }
    void fill(std::size_t, std::span<const float> values) override { (m_inPlace ? m_into : m_from).assign(values.begin(), values.end()); }
    [[nodiscard]] std::string run() override
    {
        const void* from = m_inPlace ? MPI_IN_PLACE : m_from.data();
        MPI_Allreduce(from, m_into.data(), static_cast<int>(m_into.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return "";
    }
    [[nodiscard]] std::vector<float> sums(std::size_t) const override { return m_into; }

private:
    bool m_inPlace;
    std::vector<float> m_from, m_into;
};

Place worldPlace()
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return {static_cast<std::size_t>(rank), static_cast<std::size_t>(ranks)};
}

/// The ranks of a host share its devices.
std::size_t rankOnHost()
{
    MPI_Comm host = MPI_COMM_NULL;
    int rank = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_free(&host);
    return static_cast<std::size_t>(rank);
}

/// Hosts may be built differently; a ring needs groups of one size.
std::size_t agreed(std::size_t groupSize, std::size_t ranks)
{
    std::vector<unsigned long long> all(ranks);
    const unsigned long long mine = groupSize;
    MPI_Allgather(&mine, 1, MPI_UNSIGNED_LONG_LONG, all.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD);
    return std::accumulate(all.begin(), all.end(), 0ULL, [](auto left, auto right) { return std::gcd(left, right); });
}

Grouping groupingFor(const Options& options, const Backend& backend, std::size_t ranks)
{
    const std::size_t first = rankOnHost() * options.members;
    if (options.groupSize > 0) return groupingOf(backend.reachable(), options.members, first, options.groupSize);
    Grouping grouping = groupingOf(backend.links(), options.members, first);
    grouping.groupSize = agreed(grouping.groupSize, ranks);
    return grouping;
}

void broadcastFromFirst(std::span<char> bytes) { MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, MPI_COMM_WORLD); }

struct Contestant {
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Method> method;
    Shape shape;
};

Contestant contestant(const Options& options, Place place)
{
    if (options.algorithm == "mpi") return {nullptr, std::make_unique<MpiMethod>(options.inPlace), {place.ranks, 1, 1}};
    std::unique_ptr<Backend> backend = options.backend == "cuda" ? gpuBackend() : hostBackend();
    const Grouping grouping = groupingFor(options, *backend, place.ranks);
    if (options.algorithm == "nccl")
        return {std::move(backend),
                ncclMethod(place, grouping.deviceOf, options.inPlace, broadcastFromFirst),
                {place.ranks, options.members, 1}};
    const GroupedSettings settings{
        options.chunkBytes / sizeof(float), options.inPlace, {std::chrono::milliseconds(options.deadlineMs), options.overlap, 0, {}}};
    auto method = std::make_unique<GroupedMethod>(*backend, grouping, ringOverMpi(options.members / grouping.groupSize), settings);
    const Shape shape = method->shape();
    return {std::move(backend), std::move(method), shape};
}

void printHead(const Options& options, const Shape& shape, std::size_t nodes)
{
    const bool grouped = options.algorithm == "grouped";
    fmt::print("{} allreduce of {} members ({} nodes{}), float32 sum\n{:>12} {:>11} {:>9} {:>9}{}\n", options.algorithm, shape.members(),
               nodes, grouped ? fmt::format(", groups of {}", shape.groupSize) : "", "bytes", "median us", "alg GB/s", "bus GB/s",
               grouped ? " reduce ms  exch. ms gather ms" : "");
}

void print(const Line& line, std::size_t members, bool stages)
{
    fmt::print("{:>12} {:>11.1f} {:>9.3f} {:>9.3f}", line.bytes, line.seconds * 1e6, algorithmBandwidth(line) / 1e9,
               busBandwidth(line, members) / 1e9);
    if (stages) fmt::print(" {:>9.2f} {:>9.2f} {:>9.2f}", line.reduce * 1e3, line.exchange * 1e3, line.gather * 1e3);
    fmt::print("   {}\n", line.wrong.empty() ? "ok" : line.wrong);
    std::fflush(stdout);
}

void writeBooks(const Options& options, std::size_t rank, const std::string& books)
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
    app.add_option("--backend", options.backend, "cpu: members are threads; cuda: GPUs (grouped and nccl)")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--members", options.members, "Members a rank, on its devices in turn; several may share a GPU (grouped only)")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--group", options.groupSize, "Members that read each other's memory; 0: those with links of their own (NVLink)")
        ->check(CLI::Range(0, 64))
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

/// A program of its own beside this one is built with CUDA; it takes this one's place with the same words.
int becomeGpuProgram(char** words)
{
    const auto program = std::filesystem::read_symlink("/proc/self/exe").replace_filename("allreduce_cuda");
    execv(program.c_str(), words);
    fmt::print(stderr, "allreduce: GPUs need {}, which is built where nvcc is found (target allreduce_cuda): {}\n", program.string(),
               std::strerror(errno));
    return 2;
}

void runAll(const Options& options)
{
    const Place place = worldPlace();
    const Contestant who = contestant(options, place);
    const bool grouped = options.algorithm == "grouped";
    if (place.rank == 0) printHead(options, who.shape, place.ranks);
    for (const std::uint64_t bytes : sizesOf(options)) {
        MPI_Barrier(MPI_COMM_WORLD);
        const Line line = measure(*who.method, place, bytes, options.iterations);
        if (place.rank == 0) print(line, who.shape.members(), grouped);
        if (!line.wrong.empty()) throw std::runtime_error("rank " + std::to_string(place.rank) + ": " + line.wrong);
    }
    writeBooks(options, place.rank, booksOf(options, who.shape, place.ranks));
}

}  // namespace

int main(int count, char** words)
{
    Options options;
    CLI::App app{"Allreduce benchmark. Run it alone, or under mpirun: each rank is a node."};
    describe(app, options);
    CLI11_PARSE(app, count, words);
    if (options.algorithm == "nccl") options.backend = "cuda";
    if (options.backend == "cuda" && !builtForGpus()) return becomeGpuProgram(words);
    int provided = 0, status = 0;
    MPI_Init_thread(&count, &words, MPI_THREAD_SERIALIZED, &provided);
    try {
        runAll(options);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "allreduce: {}\n", problem.what());
        if (worldPlace().ranks > 1) MPI_Abort(MPI_COMM_WORLD, 1);  // or the others wait for this one
        status = 1;
    }
    MPI_Finalize();
    return status;
}
