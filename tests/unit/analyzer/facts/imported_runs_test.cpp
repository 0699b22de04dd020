// SPDX-License-Identifier: MIT
// Real recordings of other tools, imported, against values that were computed independently of this program (by HTA at its HEAD
// where its rounding to microseconds does no harm, else by an interval computation over the same files).
#include "analyzer/facts/kernel_class.h"
#include "analyzer/facts/run.h"
#include "collector/foreign/import.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <unordered_map>

namespace flowgauge::facts {
namespace {

namespace fs = std::filesystem;

/// One row of the table, in the digits in which it is written; "n/a" where there is no communication.
struct Golden {
    std::string file;
    bool beforeLastStep;  ///< only what was launched before the last ProfilerStep began
    std::int64_t events;
    std::string span, compute, exposedCommunication, exposedCopy, idle, communication, overlap;
};

/// One piece of GPU work of an imported run, ns.
struct Work {
    Interval when;
    Nanos launched;
    enum { Compute, Communication, Copy } what;
};

class ImportedRuns : public testing::Test {
protected:
    void SetUp() override
    {
        const char* root = std::getenv("FLOWGAUGE_FIXTURES");
        if (root == nullptr) GTEST_SKIP() << "FLOWGAUGE_FIXTURES names no folder with recordings of other tools";
        m_root = root;
        m_folder = fs::temp_directory_path() / ("flowgauge-imported-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override
    {
        if (!m_folder.empty()) fs::remove_all(m_folder);
    }
    store::RunStore import(const std::string& file)
    {
        const fs::path database = m_folder / (fs::path(file).filename().string() + ".db");
        if (!fs::exists(database)) m_imported = foreign::importFiles({m_root / file}, database, {}, {});
        return store::RunStore::openForReading(database);
    }

    fs::path m_root, m_folder;
    std::vector<foreign::ImportedFile> m_imported;
};

std::string digits(double value, int places)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", places, value);
    return text;
}
/// As many places as the table has; trailing ones that it leaves out are zeros.
std::string like(const std::string& golden, double value)
{
    const std::size_t point = golden.find('.');
    return digits(value, point == std::string::npos ? 0 : static_cast<int>(golden.size() - point - 1));
}

/// What GPUs did, each with its launch, from the run alone.
std::vector<Work> workOf(store::RunStore& store)
{
    std::unordered_map<std::uint64_t, Nanos> launches;
    store.scan({{Kind::GpuApi}, {}, {}}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const auto& event : events)
            if (event.link != 0) launches.try_emplace(event.link, event.begin);
        return true;
    });
    std::vector<Work> work;
    store.scan(
        {{Kind::Kernel, Kind::GpuCopy, Kind::GpuFill}, {}, {}}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
            for (const auto& event : events) {
                const auto launch = launches.find(event.link);
                const bool communicates = event.kind == Kind::Kernel && classOf(store.nameText(event.arg[0])) == KernelClass::Communication;
                work.push_back({{event.begin, event.end},
                                launch == launches.end() ? 0 : launch->second,
                                event.kind != Kind::Kernel ? Work::Copy
                                : communicates             ? Work::Communication
                                                           : Work::Compute});
            }
            return true;
        });
    return work;
}

/// Of a rank, with only some of its work.
RankFacts rankOf(const std::vector<Work>& all)
{
    std::vector<Interval> sets[3];
    RankFacts rank;
    for (const Work& work : all) {
        sets[work.what].push_back(work.when);
        rank.gpu.extent.begin = &work == all.data() ? work.when.begin : std::min(rank.gpu.extent.begin, work.when.begin);
        rank.gpu.extent.end = std::max(rank.gpu.extent.end, work.when.end);
    }
    rank.compute = IntervalSet::of(sets[Work::Compute]);
    rank.communication = IntervalSet::of(sets[Work::Communication]);
    rank.copy = IntervalSet::of(sets[Work::Copy]);
    return rank;
}

std::vector<Work> beforeLastStep(std::vector<Work> work, const std::vector<Step>& steps)
{
    std::erase_if(work, [&](const Work& piece) { return piece.launched >= steps.back().when.begin; });
    return work;
}

void expectRow(const Golden& golden, const RankFacts& rank)
{
    const TimeParts parts = PartSets(rank).within(rank.gpu.extent);
    const auto micros = [](Nanos ns) { return static_cast<double>(ns) / 1e3; };
    EXPECT_EQ(like(golden.span, micros(parts.wall)), golden.span);
    EXPECT_EQ(like(golden.compute, micros(parts.compute)), golden.compute);
    EXPECT_EQ(like(golden.exposedCommunication, micros(parts.exposedCommunication)), golden.exposedCommunication);
    EXPECT_EQ(like(golden.exposedCopy, micros(parts.exposedCopy)), golden.exposedCopy);
    EXPECT_EQ(like(golden.idle, micros(parts.otherIdle)), golden.idle);
    EXPECT_EQ(like(golden.communication, micros(rank.communication.total())), golden.communication);
    const Measured<double> overlap = overlapOf(rank.communication, rank.compute);
    EXPECT_EQ(overlap.known() ? like(golden.overlap, overlap.value() * 100) : "n/a", golden.overlap);
    EXPECT_EQ(parts.compute + parts.exposedCommunication + parts.exposedCopy + parts.inputStall + parts.otherIdle, parts.wall);
}

/// Traces whose times are whole microseconds: the table's digits are exact.
const std::vector<Golden> exactRows{
    {"traces/trace_diff_control_control.json.gz", false, 9450, "464594", "281336", "87921", "19330", "76007", "163535", "46.2372"},
    {"traces/trace_diff_control_control.json.gz", true, 7875, "383404", "234760", "70197", "16328", "62119", "132510", "47.0251"},
    {"traces/timeline_analysis_sampled_rank-0.json.gz", false, 1204, "1222847", "210320", "336983", "353", "675191", "396199", "14.9460"},
    {"traces/timeline_analysis_sampled_rank-0.json.gz", true, 602, "600058", "106252", "172259", "169", "321378", "195327", "11.8099"},
    {"traces/trace_filter_sampled_rank-1.json.gz", false, 1154, "1231186", "271973", "303523", "4554", "651136", "379053", "19.9260"},
    {"traces/trace_filter_sampled_rank-1.json.gz", true, 577, "600674", "135548", "134336", "2119", "328671", "168027", "20.0509"},
    {"traces/df_index_resolver_df_index_resolver.json.gz", true, 17832, "1396669", "496485", "238274", "18298", "643612", "238274",
     "0.0000"},
    {"traces/critical_path_alexnet_benchmark_result_2869224_1695835535_trace.json.gz", false, 98, "12920244", "10630", "0", "55511",
     "12854103", "0", "n/a"},
    // AMD; TraceLens's compute of this trace is 110.881.
    {"traces/amd_trace_mi250_minitoy_train_ROCm6_2_kineto.json.gz", false, 16, "8911.887", "110.881", "0.000", "38.161", "8762.845", "0",
     "n/a"},
    // Exact ns of two traces for which the table was computed in doubles of microseconds (below).
    {"traces/nccl_parser_config_nccl_data.json.gz", false, 3774, "660551.005", "115655.847", "39559.468", "2284.699", "503050.991",
     "46876.493", "15.6092"},
    {"traces/nccl_parser_config_nccl_data.json.gz", true, 2516, "435587.561", "76935.828", "20703.371", "1528.648", "336419.714",
     "24289.050", "14.7625"},
    {"traces/ns_resolution_trace_rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", true, 4876, "384634.463", "374738.006", "0.000", "3443.756",
     "6452.701", "0", "n/a"},
};

TEST_F(ImportedRuns, AgreeWithTheTableToTheLastDigit)
{
    for (const Golden& golden : exactRows) {
        SCOPED_TRACE(golden.file + (golden.beforeLastStep ? ", before the last step" : ", whole"));
        store::RunStore store = import(golden.file);
        const RunFacts run = factsOf(store, "imported");
        ASSERT_EQ(run.ranks.size(), 1U);
        if (!golden.beforeLastStep) {
            EXPECT_EQ(static_cast<std::int64_t>(workOf(store).size()), golden.events);
            expectRow(golden, run.ranks.front());
            continue;
        }
        ASSERT_FALSE(run.ranks.front().steps.empty());
        const std::vector<Work> work = beforeLastStep(workOf(store), run.ranks.front().steps);
        EXPECT_EQ(static_cast<std::int64_t>(work.size()), golden.events);
        expectRow(golden, rankOf(work));
    }
}

// ---- The same in the arithmetic of the table: microseconds in doubles, which near today's Unix time are quarters (and near 4e12, 1/1024)
// ----

using Pieces = std::vector<std::pair<double, double>>;

Pieces merged(Pieces pieces)
{
    std::sort(pieces.begin(), pieces.end());
    Pieces result;
    for (const auto& [begin, end] : pieces) {
        if (end <= begin) continue;
        if (!result.empty() && begin <= result.back().second)
            result.back().second = std::max(result.back().second, end);
        else
            result.emplace_back(begin, end);
    }
    return result;
}
double total(const Pieces& pieces)
{
    double sum = 0;
    for (const auto& [begin, end] : pieces) sum += end - begin;
    return sum;
}

TEST_F(ImportedRuns, AgreeWithTheTableInItsOwnArithmeticWhereItLosesNanoseconds)
{
    // file, before the last step, the base that the file's times count from, and the table's digits
    struct Row {
        std::string file;
        bool beforeLastStep;
        std::int64_t baseNs;
        std::array<std::string, 5> digits;  // span, compute, exposed communication, exposed copy, idle
    };
    const std::vector<Row> rows{{"traces/nccl_parser_config_nccl_data.json.gz",
                                 false,
                                 1711964646000000000,
                                 {"660551.006", "115655.843", "39559.466", "2284.770", "503050.928"}},
                                {"traces/nccl_parser_config_nccl_data.json.gz",
                                 true,
                                 1711964646000000000,
                                 {"435587.562", "76935.820", "20703.372", "1528.694", "336419.675"}},
                                {"traces/ns_resolution_trace_rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
                                 true,
                                 0,
                                 {"384634.5", "374756.5", "0", "3433.25", "6444.75"}}};
    for (const Row& row : rows) {
        SCOPED_TRACE(row.file);
        store::RunStore store = import(row.file);
        const Nanos toFile = store.meta("t_zero").value_or(0) - row.baseNs;
        std::vector<Work> work = workOf(store);
        if (row.beforeLastStep) work = beforeLastStep(std::move(work), factsOf(store, "imported").ranks.front().steps);
        Pieces pieces[3], kernels, all;
        for (const Work& piece : work) {
            // A multiple of 1/1000 is correctly rounded by one division, as it is when a decimal text is read.
            const double begin = static_cast<double>(static_cast<long double>(piece.when.begin + toFile) / 1000.0L);
            const double end = begin + static_cast<double>(piece.when.length()) / 1e3;
            pieces[piece.what].emplace_back(begin, end);
            if (piece.what != Work::Copy) kernels.emplace_back(begin, end);
            all.emplace_back(begin, end);
        }
        double first = all.front().first;
        double last = 0;
        for (const auto& [begin, end] : all) {
            first = std::min(first, begin);
            last = std::max(last, end);
        }
        const double compute = total(merged(pieces[Work::Compute]));
        const double communication = total(merged(kernels)) - compute;
        const double copy = total(merged(all)) - total(merged(kernels));
        const double span = last - first;
        const std::array<double, 5> values{span, compute, communication, copy, span - compute - communication - copy};
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(like(row.digits[i], values[i]), row.digits[i]) << i;
    }
}

/// The parts of a window by another way than PartSets: piece by piece between all borders, each piece to the first set that holds it.
TimeParts bySweep(const RankFacts& rank, Interval window)
{
    const std::array<IntervalSet, 4> sets{rank.compute.within(window), rank.communication.within(window), rank.copy.within(window),
                                          rank.waiting.within(window)};
    std::map<Nanos, std::array<int, 4>> borders{{window.begin, {}}, {window.end, {}}};
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (const Interval interval : sets[i].intervals()) {
            ++borders[interval.begin][i];
            --borders[interval.end][i];
        }
    std::array<Nanos, 5> sums{};
    std::array<int, 4> open{};
    for (auto at = borders.begin(); std::next(at) != borders.end(); ++at) {
        for (std::size_t i = 0; i < open.size(); ++i) open[i] += at->second[i];
        const auto first = std::find_if(open.begin(), open.end(), [](int sets_) { return sets_ > 0; }) - open.begin();
        sums[static_cast<std::size_t>(first)] += std::next(at)->first - at->first;
    }
    return {window.length(), sums[0], sums[1], sums[2], sums[3], sums[4]};
}

/// The whole, each step, each epoch, and the whole in sixteen pieces.
std::vector<Interval> windowsOf(const RankFacts& rank)
{
    std::vector<Interval> windows{rank.extent, rank.gpu.extent};
    for (const Step& step : rank.steps) windows.push_back(step.when);
    for (const EpochPart& epoch : rank.epochs) windows.push_back(epoch.when);
    constexpr Nanos pieces = 16;
    for (Nanos i = 0; i < pieces; ++i)
        windows.push_back(
            {rank.extent.begin + rank.extent.length() * i / pieces, rank.extent.begin + rank.extent.length() * (i + 1) / pieces});
    std::erase_if(windows, [](Interval window) { return window.empty(); });
    return windows;
}

TEST_F(ImportedRuns, KeepTheIdentityOnEveryWindow)
{
    std::size_t files = 0, windows = 0;
    for (const char* folder : {"traces", "nsys"})
        for (const fs::directory_entry& entry : fs::directory_iterator(m_root / folder)) {
            SCOPED_TRACE(entry.path().filename().string());
            store::RunStore store = import(std::string(folder) + "/" + entry.path().filename().string());
            const RunFacts run = factsOf(store, "imported");
            for (const RankFacts& rank : run.ranks) {
                const PartSets sets(rank);
                for (const Interval window : windowsOf(rank)) {
                    const TimeParts parts = sets.within(window);
                    EXPECT_EQ(parts, bySweep(rank, window)) << window.begin << ".." << window.end;
                    EXPECT_GE(std::min({parts.compute, parts.exposedCommunication, parts.exposedCopy, parts.inputStall, parts.otherIdle}),
                              0);
                    EXPECT_EQ(parts.compute + parts.exposedCommunication + parts.exposedCopy + parts.inputStall + parts.otherIdle,
                              window.length());
                    ++windows;
                }
            }
            ++files;
        }
    std::printf("%zu windows of %zu recordings of other tools\n", windows, files);
    EXPECT_EQ(files, 15U);
}

TEST_F(ImportedRuns, OfNsightAgreeWithTheirTableByDevice)
{
    store::RunStore store = import("nsys/mfu_2gpu_before.sqlite");
    const RunFacts run = factsOf(store, "imported");
    ASSERT_EQ(run.ranks.size(), 2U);
    struct Row {
        Nanos span, busy, idle, compute, nccl, copy;
    };
    const std::array<Row, 2> rows{
        {{299848812, 273817787, 26031025, 253690832, 17172652, 2954303}, {298661551, 267275916, 31385635, 256095624, 8229100, 2951192}}};
    for (std::size_t device = 0; device < 2; ++device) {
        SCOPED_TRACE(device);
        const RankFacts& rank = run.ranks[device];
        const TimeParts parts = PartSets(rank).within(rank.gpu.extent);
        const Row& row = rows[device];
        EXPECT_EQ(parts.wall, row.span);
        EXPECT_EQ(parts.wall - parts.otherIdle, row.busy);
        EXPECT_EQ(parts.otherIdle, row.idle);
        EXPECT_EQ(parts.compute, row.compute);
        EXPECT_EQ(rank.communication.total(), row.nccl);
        EXPECT_EQ(parts.exposedCopy, row.copy);
        EXPECT_EQ(rank.gpu.communicationKernels, 33);
        EXPECT_EQ(overlapOf(rank.communication, rank.compute).value(), 0.0);
    }
}

TEST_F(ImportedRuns, OfASmallNsightExportHaveItsGraphsAndNoRanges)
{
    store::RunStore store = import("nsys/nsight-2025.5.2.sqlite");
    EXPECT_EQ(m_imported.at(0).kernels, 5) << "3 kernels and 2 graphs";
    EXPECT_EQ(m_imported.at(0).copies, 1);
    EXPECT_EQ(m_imported.at(0).ranges, 0);
    const RunFacts run = factsOf(store, "imported");
    ASSERT_EQ(run.ranks.size(), 1U);
    EXPECT_EQ(run.ranks.front().gpu.copies.at(1).bytes, 4096);
}

TEST_F(ImportedRuns, OfTracesWithoutGpuOrRankAreTaken)
{
    for (const std::string file : {"cpu_only_rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", "rank_non_gpu_rank_non_gpu.json.gz",
                                   "rank_unavailable_rank_not_found.json.gz",
                                   "distributed_info_unavailable_distributed_info_not_found.json.gz", "call_stack_backward_thread.json"}) {
        SCOPED_TRACE(file);
        store::RunStore store = import("traces/" + file);
        const RunFacts run = factsOf(store, "imported");
        ASSERT_EQ(run.ranks.size(), 1U);
        EXPECT_EQ(run.ranks.front().rank, file.starts_with("cpu_only") ? 34 : 0);
        EXPECT_EQ(run.ranks.front().named, file.starts_with("cpu_only") || file.starts_with("rank_non") || file.starts_with("call"));
        EXPECT_EQ(run.ranks.front().gpu.used, file.starts_with("call"));
        EXPECT_FALSE(run.extent.empty());
    }
}

}  // namespace
}  // namespace flowgauge::facts
