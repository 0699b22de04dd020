// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace flowgauge::run {

/// <run>/output.log and its index (format: ingest/output_log.h). Any thread may append. A full disk ends the keeping, not the job.
class OutputLog {
public:
    explicit OutputLog(const std::filesystem::path& run);
    OutputLog(const OutputLog&) = delete;
    OutputLog& operator=(const OutputLog&) = delete;
    ~OutputLog();
    /// realtimeNs 0: the moment is not known.
    void append(std::uint32_t stream, const char* bytes, std::size_t count, std::int64_t realtimeNs);

private:
    std::mutex m_mutex;
    int m_log, m_index;
    std::uint64_t m_offset = 0;
};

/// Stands between the job and where its stdout and stderr go, and keeps a copy. A terminal gets a pseudo-terminal in between
/// (same size, isatty stays true), a pipe a pipe (one for both streams where they were one), a regular file is left alone and
/// read back at the end, everything else is left alone.
///
///   prepare() before the fork · connectChild() in the child · start() in the parent after the fork · finish() at the end
class OutputKeeper {
public:
    explicit OutputKeeper(OutputLog& log) : m_log(log) {}
    OutputKeeper(const OutputKeeper&) = delete;
    OutputKeeper& operator=(const OutputKeeper&) = delete;
    ~OutputKeeper();

    void prepare();
    void connectChild() const;  ///< only async-signal-safe calls
    void start();
    /// The terminal has a new size.
    void resize() const;
    /// Waits until the job's streams are at their end, at most that long; then reads back what went to regular files. What a
    /// process left behind may still print goes on to its place through a small process of its own, and is not kept.
    void finish(std::uint32_t patienceMs);

private:
    enum class Means : std::uint8_t { LeftAlone, Pipe, Terminal, ReadBack };
    struct Stream {
        Means means = Means::LeftAlone;
        int target = -1;           ///< 1 or 2: where it went before
        std::uint32_t number = 0;  ///< in the index: 1, 2, 3 both
        int readEnd = -1, writeEnd = -1;
        std::int64_t startOffset = 0;
        std::atomic<bool> ended{false};
        std::thread thread;
    };
    void prepareStream(int target, bool both);
    void relay(Stream& stream) const;
    static void passOnAlone(const Stream& stream);
    void readBack(const Stream& stream);

    OutputLog& m_log;
    std::vector<std::unique_ptr<Stream>> m_streams;
    int m_stop = -1;  ///< an eventfd: relays take what is there and return
};

}  // namespace flowgauge::run
