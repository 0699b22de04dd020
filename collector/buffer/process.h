// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/futex.h"
#include "collector/buffer/recorder.h"
#include "collector/buffer/rings_file.h"
#include "collector/buffer/text.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace flowgauge::buffer {

/// Slots of a thread's first ring (256 KiB), and of the one it moves to when the first keeps running high (2 MiB: the largest
/// power of two that stays in a usual second-level cache; larger rings make each store dearer).
inline constexpr std::uint32_t firstSlots = 4096;
inline constexpr std::uint32_t largeSlots = 32768;
inline constexpr std::uint32_t fewestSlots = 256;

enum class Stage : std::uint32_t { Idle, Ready, Failed };

/// All that the recorder knows about its process. Static, without a constructor, never destroyed: hooks run before the first
/// and after the last static object.
struct Process {
    // Settings, written by enable() while the process has one thread.
    PathText folder;
    Text<64> runId;
    KindMask kinds{};
    std::uint64_t maxSpoolBytes = 0;
    std::uint32_t ringSlots = firstSlots;
    bool adaptive = true;
    std::atomic<bool> wasEnabled{false};  ///< the guard page's copy that a child of fork still has

    std::atomic<std::int32_t> pid{0};  ///< who may start and take rings; a child of vfork finds another number
    std::atomic<Stage> stage{Stage::Idle};
    BoundedLock starting;
    RingsFile rings;
    PathText spoolPath;
    std::atomic<NameKey> lastName{0};
    std::atomic<void (*)()> onFiles{nullptr};
    std::atomic<std::uint64_t> otherCpuNs{0};  ///< of our threads but the drain

    // Losses and sums from before the process page existed.
    std::array<std::atomic<std::uint64_t>, 16> lost{};
    std::atomic<std::uint64_t> codeOpens{0}, codeReads{0}, codeBytes{0}, codeTicks{0};
};
extern constinit Process process;

/// Makes the process's files and starts the drain, once. True when the process records (now, or already).
[[nodiscard]] bool startProcess();

/// Moves what was counted before there was a page onto it.
void settleEarlyCounts();

/// Stops recording: the guard's flags go down.
void closeGuard();

}  // namespace flowgauge::buffer
