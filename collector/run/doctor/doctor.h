// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// `flowgauge doctor`: what can be measured on this machine, what not, and why. Asks the machine; changes nothing on it.
namespace flowgauge::run::doctor {

enum class State { Ok, Degraded, Absent };

/// One line of the answer.
struct Row {
    std::string what;  ///< "clock", "spool disk", "MPI", ...
    State state;
    std::string detail;  ///< what was found, and what follows from it
};

/// Where to look: a test gives a tree of its own that holds proc/, sys/, usr/lib/ ...
struct Place {
    std::filesystem::path root = "/";
    std::filesystem::path library;    ///< libflowgauge.so
    std::filesystem::path spoolRoot;  ///< as run_place.h finds it
};

/// All checks, in the order in which they are printed.
[[nodiscard]] std::vector<Row> examine(const Place& place);

[[nodiscard]] Row checkLibrary(const Place& place);
[[nodiscard]] Row checkCLibrary(const Place& place);
[[nodiscard]] Row checkClock(const Place& place);
[[nodiscard]] Row checkSpoolDisk(const Place& place);
[[nodiscard]] Row checkMpi(const Place& place);
/// A row for each line of samplers.def, named as the run's ledger names it.
[[nodiscard]] std::vector<Row> checkSamplers(const Place& place);
[[nodiscard]] Row checkFabricPorts(const Place& place);
[[nodiscard]] Row checkConnections(const Place& place);
[[nodiscard]] Row checkCuda(const Place& place);
[[nodiscard]] Row checkCupti(const Place& place);
[[nodiscard]] Row checkNccl(const Place& place);
[[nodiscard]] Row checkKernel(const Place& place);

/// What there is of a kind, as "eth0, eth1"; "" for nothing.
[[nodiscard]] std::string interfaceNames(const Place& place);  ///< with hardware behind them, where any has
[[nodiscard]] std::string infinibandNames(const Place& place);
[[nodiscard]] std::string nfsMounts(const Place& place);

/// "ok", "degraded", "absent".
[[nodiscard]] std::string nameOf(State state);

}  // namespace flowgauge::run::doctor
