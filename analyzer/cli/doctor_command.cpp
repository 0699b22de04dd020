// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "analyzer/report/lines.h"
#include "collector/run/doctor/doctor.h"
#include "collector/run/run_place.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace flowgauge::cli {
namespace {

constexpr int textColumns = 100;

/// One check: a sign that reads without colour too, the name, and the detail wrapped beside it.
void print(const run::doctor::Row& row)
{
    constexpr int margin = 31;
    bool first = true;
    for (const std::string& line : report::wrapped(row.detail, textColumns - margin)) {
        const std::string head = "  " + report::padded(run::doctor::nameOf(row.state), 9) + " " + report::padded(row.what, 18) + " ";
        std::cout << (first ? head : std::string(margin, ' ')) << line << '\n';
        first = false;
    }
}

int examine(const std::string& spool)
{
    const run::doctor::Place place{"/", installedPrefix() / "lib" / "libflowgauge.so", run::spoolRootOf(spool)};
    std::cout << "What can be measured on this machine\n\n";
    for (const run::doctor::Row& row : run::doctor::examine(place)) print(row);
    return exitOk;
}

}  // namespace

Action describeDoctor(CLI::App& command)
{
    const auto spool = std::make_shared<std::string>();
    command.add_option("--spool", *spool, "the disk to examine for spools; default as for `flowgauge run`");
    return [spool] { return examine(*spool); };
}

}  // namespace flowgauge::cli
