// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/facts/log/read_log.h"
#include "collector/ingest/output_log.h"
#include "collector/ingest/run_lock.h"
#include "collector/record/error.h"
#include "collector/store/ingest_rows.h"

#include <CLI/CLI.hpp>

#include <sys/stat.h>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>

namespace flowgauge::cli {
namespace {

namespace fs = std::filesystem;

struct LogImportArguments {
    std::string log, run;
    std::int64_t batch = 0;
};

constexpr std::size_t longestLine = std::size_t{64} << 10;

std::vector<facts::PrintedLine> linesOf(const std::string& path)
{
    std::ifstream file;
    if (path != "-") file.open(path, std::ios::binary);
    std::istream& in = path == "-" ? std::cin : file;
    if (path != "-" && (!file || fs::is_directory(path))) throw Error(path, "cannot be read; expected what a training program printed");
    std::vector<facts::PrintedLine> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.size() > longestLine) line.resize(longestLine);
        lines.push_back({-1, std::move(line)});
    }
    return lines;
}

/// Unix ns at which a log without any time in it was last written to: the best that is known of when its job ran.
Nanos writtenAt(const std::string& path)
{
    struct stat status {};
    const bool known = path != "-" && ::stat(path.c_str(), &status) == 0;
    return (known ? Nanos{status.st_mtim.tv_sec} : Nanos{std::time(nullptr)}) * 1'000'000'000;
}

/// The store of the run, made where there is none.
store::RunStore storeOf(const fs::path& folder, Nanos firstUnixNs)
{
    const fs::path database = folder / "run.db";
    if (fs::exists(database)) return store::RunStore::openForWriting(database);
    store::RunStore made = store::RunStore::create(database, firstUnixNs);
    made.settle();
    return made;
}

/// Puts the lines into output_line, in place of those of an earlier import of the same log.
void put(const std::vector<facts::PrintedLine>& lines, Nanos toRunTime, std::int64_t batch, store::RunStore& store)
{
    store::Transaction transaction(store.database());
    if (batch > 0) store.putMeta("log_batch", batch);
    store.database().execute("DELETE FROM output_line WHERE stream = 'log'");
    store::IngestRows rows(store.database());
    for (const facts::PrintedLine& line : lines)
        rows.putOutputLine(line.at < 0 ? std::nullopt : std::optional(line.at + toRunTime), "log", ingest::readable(line.text));
    if (store.processes().empty())
        store.putLedger({0, 0, "ranks", "absent", "imported from a log: no process was recorded, so nothing but the log is known", 0});
    transaction.commit();
    store.finalize();
}

void describe(const facts::LogFacts& log, const std::string& run)
{
    std::cout << run << ": ";
    for (std::size_t i = 0; i < log.formats.size(); ++i) std::cout << (i == 0 ? "" : ", ") << log.formats[i];
    std::cout << "; " << log.epochs.size() << (log.epochs.size() == 1 ? " epoch" : " epochs") << ", " << log.evaluations.size()
              << (log.evaluations.size() == 1 ? " evaluation" : " evaluations") << ", " << log.rates.size() << " rate lines\n";
    if (log.tellsStepsAlone())
        std::cout << "Its lines tell how long steps take, not how many samples they have: --batch SAMPLES tells it.\n";
}

int import(const LogImportArguments& arguments)
{
    std::vector<facts::PrintedLine> lines = linesOf(arguments.log);
    const Nanos first = facts::timeLines(lines);
    const Nanos zero = first > 0 ? first : writtenAt(arguments.log);
    facts::LogFacts log = facts::readLog(lines, first, {});
    if (arguments.batch > 0) log.takeBatch(arguments.batch);
    if (log.empty())
        throw Error(arguments.log,
                    "no line of it is understood; known are the logs of MLPerf, MXNet, tf_cnn_benchmarks, Horovod, DLLogger, "
                    "the PyTorch examples, timm, Keras and Lightning");
    fs::create_directories(arguments.run);
    {
        const ingest::RunLock lock(arguments.run);
        store::RunStore store = storeOf(arguments.run, zero);
        put(lines, first > 0 ? first - store.meta("t_zero").value_or(0) : 0, arguments.batch, store);
    }
    open::OpenedRun opened = openWithProgress(arguments.run);
    keepAnswers(opened.database, analyse(opened));
    describe(log, arguments.run);
    return exitOk;
}

}  // namespace

Action describeImportLog(CLI::App& command)
{
    const auto arguments = std::make_shared<LogImportArguments>();
    command.add_option("LOG", arguments->log, "what a training program printed; - reads standard input")->required();
    command.add_option("-o", arguments->run, "the run that it becomes, or to which it is added")->required();
    command.add_option("--batch", arguments->batch, "samples of one step, all ranks together, for a log that tells steps alone")
        ->check(CLI::PositiveNumber);
    command.footer(
        "Understood: MLPerf v0.5 and later, MXNet, tf_cnn_benchmarks, Horovod, DLLogger, PyTorch examples, timm, Keras, Lightning.");
    return [arguments] { return import(*arguments); };
}

}  // namespace flowgauge::cli
