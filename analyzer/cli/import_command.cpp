// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/report/units.h"
#include "collector/foreign/import.h"
#include "collector/record/error.h"
#include "collector/run/progress_bar.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

namespace flowgauge::cli {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
    std::vector<std::string> files;
    std::string output;
    foreign::ImportOptions options;
};

void describe(const foreign::ImportedFile& file)
{
    const auto some = [](std::int64_t number, const char* what) {
        return number > 0 ? ", " + report::count(number) + " " + what : std::string();
    };
    std::cout << file.file.filename().string() << ": " << file.format;
    for (std::size_t i = 0; i < file.ranks.size(); ++i)
        std::cout << (i == 0 ? (file.ranks.size() == 1 ? ", rank " : ", ranks ") : ", ") << file.ranks[i];
    std::cout << some(file.kernels, "kernels") << some(file.copies, "copies and fills") << some(file.collectives, "collectives")
              << some(file.calls, "calls") << some(file.ranges, "ranges") << some(file.steps, "steps") << '\n';
}

std::vector<foreign::ImportedFile> importAll(const ImportArguments& arguments)
{
    run::ProgressBar bar("importing");
    const std::vector<fs::path> files(arguments.files.begin(), arguments.files.end());
    auto imported = foreign::importFiles(files, fs::path(arguments.output) / "run.db", arguments.options, [&bar](double share) {
        bar.show(share);
        return true;
    });
    bar.clear();
    return imported;
}

void speed(const std::vector<foreign::ImportedFile>& imported, std::chrono::duration<double> took)
{
    std::uint64_t bytes = 0;
    for (const foreign::ImportedFile& file : imported) bytes += file.bytes;
    if (bytes > 0)
        std::cout << report::bytes(static_cast<double>(bytes)) << " of JSON, "
                  << report::bytesPerSecond(static_cast<double>(bytes) / took.count()) << '\n';
}

int import(const ImportArguments& arguments)
{
    std::error_code ignored;
    const bool made = fs::create_directories(arguments.output, ignored);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<foreign::ImportedFile> imported;
    try {
        imported = importAll(arguments);
    } catch (...) {
        if (made) fs::remove(arguments.output, ignored);  // only where it is empty
        throw;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (const foreign::ImportedFile& file : imported) {
        for (const std::string& warning : file.warnings) std::fprintf(stderr, "flowgauge: %s\n", warning.c_str());
        describe(file);
    }
    speed(imported, took);
    open::OpenedRun opened = open::openRun(arguments.output);
    if (!opened.store.tracks().empty()) keepAnswers(opened.database, analyse(opened));
    return exitOk;
}

}  // namespace

Action describeImport(CLI::App& command)
{
    const auto arguments = std::make_shared<ImportArguments>();
    command
        .add_option("FILE", arguments->files, "PyTorch profiler traces (.json, .json.gz), one a rank, or SQLite exports of Nsight Systems")
        ->required();
    command.add_option("-o", arguments->output, "the run's directory that is made")->required();
    command.add_option("--ranks", arguments->options.ranks, "which rank each file is, where the files do not say it: 0,1,2")
        ->delimiter(',');
    command.add_flag("--host-frames", arguments->options.hostFrames,
                     "PyTorch: take operators and Python frames along; they are most of a trace");
    return [arguments] { return import(*arguments); };
}

}  // namespace flowgauge::cli
