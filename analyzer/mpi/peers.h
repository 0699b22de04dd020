// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_part.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace flowgauge::mpi {

/// What one process of the analysis took.
struct Effort {
    std::int64_t ranks = 0;         ///< that it looked at
    double seconds = 0;             ///< until it had handed them in
    std::int64_t peakResident = 0;  ///< bytes
};

/// The processes that mpirun started: the first of them, the root, writes the report. One object in a process, before and after which no
/// MPI is used. What all call, all must call in the same order.
class Peers {
public:
    Peers(int* count, char*** arguments);
    ~Peers();
    Peers(const Peers&) = delete;
    Peers& operator=(const Peers&) = delete;

    [[nodiscard]] std::size_t number() const { return m_number; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool isRoot() const { return m_number == 0; }
    [[nodiscard]] facts::Share share() const { return {m_number, m_size}; }

    /// Of those on the same host, which see the same files.
    [[nodiscard]] bool isFirstOfHost() const { return m_numberOnHost == 0; }

    /// All get the root's text; all of a host that of the first one there.
    [[nodiscard]] std::string fromRoot(std::string text) const;
    [[nodiscard]] std::string fromFirstOfHost(std::string text) const;
    /// All get everybody's text, by number.
    [[nodiscard]] std::vector<std::string> everybodys(const std::string& text) const;
    /// All get what all know together.
    [[nodiscard]] facts::Agreement agree(const facts::Agreement& known) const;
    /// To the root, which calls receive as often for each of the others.
    void send(std::span<const std::byte> bytes) const;
    [[nodiscard]] std::vector<std::byte> receive(std::size_t from) const;
    /// The root gets everybody's, by number; the others nothing.
    [[nodiscard]] std::vector<Effort> gather(const Effort& own) const;
    /// Ends all processes: the others may be waiting for this one.
    [[noreturn]] static void giveUp(int status);

private:
    std::size_t m_number = 0, m_size = 1, m_numberOnHost = 0;
};

}  // namespace flowgauge::mpi
