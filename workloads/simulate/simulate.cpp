// SPDX-License-Identifier: MIT
// flowgauge-simulate PARAMS.json -o RUN: writes the recording of a job that nobody ran, and truth.json beside it.
#include "collector/record/error.h"
#include "collector/store/draft.h"
#include "workloads/simulate/books.h"
#include "workloads/simulate/faults.h"
#include "workloads/simulate/run_writer.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace flowgauge::simulate {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string parameters, output;
    bool force = false, quiet = false;
};

/// An earlier simulation may be replaced when asked; a recording of a real job never.
void makeFolder(const Arguments& arguments)
{
    const fs::path run = arguments.output;
    if (fs::exists(run) && !(fs::is_directory(run) && fs::is_empty(run))) {
        const bool ours = fs::exists(run / "truth.json") && fs::exists(run / "run.db");
        if (!ours) throw Error(run.string(), "exists, and is no simulation that could be replaced");
        if (!arguments.force) throw Error(run.string(), "holds a simulation already; --force replaces it");
        fs::remove(run / "run.db");
        fs::remove(run / "truth.json");
    }
    fs::create_directories(run);
}

void writeDatabase(const Parameters& whole, Books& books, const fs::path& file)
{
    store::RunStore store = store::RunStore::create(file, simulatedZeroUnixNs);
    {
        store::Transaction transaction(store.database());
        RunWriter writer(whole, store);
        const std::array<Observer*, 2> observers{&books, &writer};
        play(whole, observers);
        store.flush();
        transaction.commit();
    }
    store.finalize();
}

void write(const Parameters& parameters, const fs::path& run)
{
    const Parameters whole = withFaults(parameters);
    Books books(whole);
    const store::Draft draft(run / "run.db");
    writeDatabase(whole, books, draft.file());
    draft.keep();
    std::ofstream truth(run / "truth.json");
    truth << truthOf(parameters, books) << std::flush;
    if (!truth) throw Error((run / "truth.json").string(), "cannot be written");
}

int run(const Arguments& arguments)
{
    const Parameters parameters = readParameters(arguments.parameters);
    makeFolder(arguments);
    write(parameters, arguments.output);
    if (!arguments.quiet)
        std::cout << arguments.output << ": " << parameters.title << ", simulated: " << parameters.ranks() << " ranks, "
                  << parameters.training.epochs << " epochs of " << parameters.steps() << " steps; the truth is in "
                  << (fs::path(arguments.output) / "truth.json").string() << '\n';
    return 0;
}

std::string helpOfFaults()
{
    std::string text = "Faults for \"faults\": [{\"kind\": ..., \"amount\": ..., \"rank\": ...}]\n";
    for (const FaultRow& row : faultRows()) text.append("  ").append(row.kind).append(": amount = ").append(row.amount).append("\n");
    return text;
}

}  // namespace
}  // namespace flowgauge::simulate

int main(int count, char** words)
{
    using namespace flowgauge::simulate;
    CLI::App app("Writes the recording of a job that nobody ran, with its truth table beside it (truth.json).", "flowgauge-simulate");
    Arguments arguments;
    app.add_option("PARAMS", arguments.parameters, "parameter file (JSON, comments allowed); samples/studies holds some")->required();
    app.add_option("-o", arguments.output, "the run's directory to make")->required();
    app.add_flag("--force", arguments.force, "replace an earlier simulation");
    app.add_flag("-q", arguments.quiet, "print nothing");
    app.footer(helpOfFaults());
    CLI11_PARSE(app, count, words);
    try {
        return run(arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flowgauge-simulate: %s\n", error.what());
        return 2;
    }
}
