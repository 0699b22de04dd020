// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::workloads {

/// Calls and the bytes they moved.
struct Tally {
    std::uint64_t count = 0, bytes = 0;
};

/// What one epoch took from the data files; times are CLOCK_REALTIME, nanoseconds since 1970.
struct EpochEntry {
    std::uint64_t number = 0, samples = 0, steps = 0;
    Tally reads;
    std::int64_t beginUnixNs = 0, endUnixNs = 0;
    double loss = 0;
    std::optional<double> accuracy;  ///< of the evaluation after it, share of samples
    Tally evaluationReads;
};

/// Facts about the program that are known once and do not count up.
struct LedgerFacts {
    std::string program, readMode, shardRule, library;
    int rank = 0, size = 1;
    std::uint64_t parameters = 0, tensors = 0;
    bool overlap = true;
    std::vector<std::uint64_t> bucketBytes;
};

/// The books a workload keeps itself: every call it asked of the operating system for its data files and of MPI. The tests hold
/// the recording against it and demand equality, so a call that is not entered here must not be made. Any thread may enter.
class Ledger {
public:
    void opened(const std::string& path);
    void openedToWrite(const std::string& path);
    /// One read call (read, pread or fread), whatever it returned.
    void read(const std::string& path, std::uint64_t bytes);
    void wrote(const std::string& path, std::uint64_t bytes);
    void mapped(const std::string& path, std::uint64_t bytes);
    void collective(const std::string& name, std::uint64_t bytes);
    void step() { ++m_steps; }
    void epoch(const EpochEntry& entry) { m_epochs.push_back(entry); }
    [[nodiscard]] Tally reads() const;
    /// Writes the books as JSON. Throws Failure when the file cannot be written.
    void write(const std::filesystem::path& file, const LedgerFacts& facts) const;

private:
    mutable std::mutex m_mutex;
    Tally m_reads, m_writes;
    std::uint64_t m_opens = 0, m_steps = 0;
    std::map<std::string, std::uint64_t> m_files, m_written, m_mapped;
    std::map<std::string, Tally> m_collectives;
    std::vector<EpochEntry> m_epochs;
};

/// FILE with every "%r" replaced by the rank.
[[nodiscard]] std::string ledgerPath(std::string pattern, int rank);

}  // namespace flowgauge::workloads
