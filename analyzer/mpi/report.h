// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/cli/report_command.h"
#include "analyzer/mpi/peers.h"

namespace flowgauge::mpi {

/// `flowgauge report` with the work on the ranks shared among the processes; the root writes the report, and on standard error what each
/// process took. runs: one run, or the directories of its parts, each of which some process must see. Returns the exit status of this
/// process. Throws Error: where the others wait for this one, it must end them.
[[nodiscard]] int report(const Peers& peers, const std::vector<std::string>& runs, const cli::ReportArguments& arguments);

}  // namespace flowgauge::mpi
