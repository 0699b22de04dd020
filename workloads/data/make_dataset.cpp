// SPDX-License-Identifier: MIT
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include "workloads/data/record_writer.h"

using flowgauge::workloads::DatasetPlan;

static void showProgress(std::uint64_t done, std::uint64_t all)
{
    static std::uint64_t shownPercent = ~0ULL;
    const std::uint64_t percent = 100 * done / all;
    if (percent == shownPercent || isatty(STDERR_FILENO) == 0) return;
    shownPercent = percent;
    std::fprintf(stderr, "\r%3llu %%  %llu of %llu records%s", static_cast<unsigned long long>(percent),
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(all), done == all ? "\n" : "");
}

static void addOptions(CLI::App& app, DatasetPlan& plan)
{
    app.add_option("FOLDER", plan.folder, "Folder to write to; made when absent, refused when not empty")->required();
    app.add_option("--samples", plan.samples, "Training records")->capture_default_str()->check(CLI::Range(1, 10'000'000));
    app.add_option("--validation", plan.validation, "Validation records")->capture_default_str()->check(CLI::Range(0, 10'000'000));
    app.add_option("--shards", plan.shards, "Training files; the validation set is one file")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    app.add_option("--classes", plan.classes, "Classes, each a colour and a stripe pattern")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--mean-bytes", plan.meanBytes, "Mean length of a JPEG; short ones are filled up with JPEG comments (ImageNet: 110000)")
        ->capture_default_str()
        ->check(CLI::Range(1000, 16'000'000));
    app.add_option("--pixels", plan.edgePx, "Edge of a picture")->capture_default_str()->check(CLI::Range(8, 4096));
    app.add_option("--quality", plan.quality, "JPEG quality")->capture_default_str()->check(CLI::Range(1, 100));
    app.add_flag("--files", plan.asFiles, "Write single files, DIR/train/class-000/000000.jpg ..., instead of shards");
    app.add_option("--seed", plan.seed, "Same seed, same set")->capture_default_str();
}

int main(int argc, char** argv)
{
    CLI::App app("Writes a set of record shards: DIR/train-00000.rec ..., train.idx, val-00000.rec, val.idx, dataset.json.",
                 "make_dataset");
    DatasetPlan plan;
    addOptions(app, plan);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;  // 0: help was asked for
    }
    try {
        flowgauge::workloads::writeDataset(plan, showProgress);
        std::printf("%s: %u training and %u validation records in %u classes\n", plan.folder.c_str(), plan.samples, plan.validation,
                    plan.classes);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_dataset: %s\n", error.what());
        return 2;
    }
}
