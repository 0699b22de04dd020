// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

/// The machine's counters, read in time. One elected process of a host reads what belongs to the host, on one thread of
/// its own; every process reads what belongs to itself. Keeps errno, never throws, waits for nobody.
namespace flowgauge::sample {

/// What the samplers need to know; `life` and `flowgauge run` fill it.
struct Options {
    const char* spoolFolder;  ///< this host's folder of this run: the election's lock file lies in it. It must exist
    std::uint32_t periodMs;   ///< of the host's counters; 0 switches all samplers off
    const char* root;         ///< "" for the machine itself; tests give a captured tree that holds proc/ and sys/
};

/// Enters the election of this host's sampler. Who wins starts the sampler thread at once; who loses tries again about
/// every second from beatSelf, so that a dead winner is replaced. The texts are copied. Call it from buffer::onStart, or
/// after buffer::enable in the launcher. Does nothing when counters are not to be recorded, or when it ran before.
void startElected(const Options& options);

/// Reads this process's own counters (I/O, faults, processor time, resident set), and stands for election again when the
/// host has no sampler. For buffer::onBeat: one thread at a time, at most a few system calls. Does nothing before startElected.
void beatSelf();

/// Tells of a regular file that the program has opened for reading, by its absolute path: the host's sampler then looks how much of such
/// files lies in memory. From any thread and signal handler, as often as files are opened: a hash, and now and then a copy.
void offerDataFile(std::string_view path, std::uint64_t device, std::uint64_t inode);

/// Reads this process's own counters once more, at its end, from the thread that ends it; beatSelf does nothing afterwards. It
/// opens the files anew: those of the beat belong to another thread's descriptor table. In a child of vfork, whose memory is its
/// parent's, it does nothing.
void lastBeat();

/// True while this process is the one that samples its host, from its first reading on.
[[nodiscard]] bool elected();

/// Waits until this process's candidacy of startElected() is decided, whoever won, at most that long. Where it won, the first
/// reading of every counter is behind it.
void awaitElection(std::uint32_t timeoutMs);

/// Ends the sampler thread, if it is here, after a last reading of every counter, and gives the election up. Waits for that, at
/// most so long.
void stop(std::uint32_t timeoutMs = 200);

/// In a child after fork: there is no sampler thread here and nothing was won. startElected may be called again.
void forgetAfterFork();

}  // namespace flowgauge::sample
