// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "analyzer/report/report.h"
#include "collector/record/counter.h"
#include "collector/record/kind.h"
#include "collector/run/launcher.h"
#include "collector/store/schema.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace flowgauge::cli {
namespace {

int listKinds()
{
    std::cout << "Kinds of events (--kinds takes a name or a lane):\n";
    for (const KindRow& row : kindRows) {
        if (row.lane == Lane::Meta) continue;
        std::cout << "  " << row.sqlName << " [" << laneName(row.lane) << "]  " << row.sentence << '\n';
        for (const std::string_view column : row.arguments)
            if (!column.empty()) std::cout << "      " << column.substr(0, column.find(':')) << '\n';
    }
    std::cout << "\nCounters (the value times its scale is in the unit that the sentence names):\n";
    for (const CounterRow& row : counterRows) {
        std::cout << "  " << row.sqlName << " [" << familyName(row.family) << "]  " << row.sentence;
        if (row.scale != 1) std::cout << " Scale " << row.scale << '.';
        std::cout << '\n';
    }
    return exitOk;
}

int collect(const std::string& folder)
{
    const run::Collected collected = run::collect(folder);
    std::cout << collected.copied << " processes collected";
    if (collected.running > 0) std::cout << ", " << collected.running << " still running: collect again when they have ended";
    std::cout << '\n';
    return exitOk;
}

}  // namespace

Action describeKinds(CLI::App&) { return listKinds; }

Action describeCollect(CLI::App& command)
{
    const auto folder = std::make_shared<std::string>();
    command.add_option("RUN", *folder, "the run's directory, on a file system that all hosts see")->required();
    return [folder] { return collect(*folder); };
}

std::string versionLine()
{
    return "flowgauge " FLOWGAUGE_VERSION " (run.db schema " + std::to_string(store::schemaVersion) + ", JSON report schema " +
           std::to_string(report::jsonSchema) + ")";
}

Action describeVersion(CLI::App&)
{
    return [] {
        std::cout << versionLine() << '\n';
        return exitOk;
    };
}

}  // namespace flowgauge::cli
