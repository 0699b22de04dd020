// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/thread_state.h"
#include "collector/record/drop_reason.h"
#include "collector/record/event.h"
#include "collector/record/settings.h"

#include <cstdint>
#include <string_view>

/// The only door that hooks and samplers may knock on. Everything here is safe from any thread at any moment, keeps errno,
/// never throws, and waits for nobody.
namespace flowgauge::buffer {

/// What the recorder needs to know before the first event; `life` (or the launcher, for its own samplers) fills it.
struct Options {
    const char* spoolFolder;  ///< this host's folder of this run; made when missing
    const char* runId;
    KindMask kinds;
    std::uint64_t maxSpoolBytes;  ///< 0: no limit
    std::uint64_t ringBytes;      ///< 0: adaptive
};

/// Lets record() start working at its first event. Makes no file and starts no thread by itself. The texts are copied.
/// Chooses the clock as well: a hook takes its first time stamp before it has an event to record.
void enable(const Options& options);

/// From now on nothing is recorded; calls pass through. Used when the process ends.
void disable();

/// True between enable and disable. False in processes that are not part of a run: hooks then skip all work.
[[nodiscard]] inline bool enabled() { return detail::guard.enabled.load(std::memory_order_relaxed); }

/// True when events of that kind are to be recorded.
[[nodiscard]] inline bool wants(Kind kind) { return detail::guard.wanted[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed); }

/// Hands over one event; the recorder fills event.thread. The process's first event makes the files and starts the drain
/// thread, a thread's first one takes a ring. A full ring loses the event and counts it. Kinds that are not wanted are ignored.
/// Only those first events ever wait, at most 0.2 s each, when another thread is making the same files at that moment.
/// A call from a signal handler that interrupted one on the same thread is lost and counted.
inline void record(const Event& event)
{
    if (!wants(event.kind)) return;
    detail::ThreadState& me = detail::threadState;
    if (me.busy) return detail::loseReentered(me);
    const detail::Busy busy(me);
    if (me.writer.atLimit() && !detail::roomAtLimit(me)) [[unlikely]]
        return;
    me.writer.put(event, me.thread);
}

/// As record(), for an event that another thread of this process is known to have caused (by its kernel thread id).
inline void recordFor(std::uint32_t thread, const Event& event)
{
    if (!wants(event.kind)) return;
    detail::ThreadState& me = detail::threadState;
    if (me.busy) return detail::loseReentered(me);
    const detail::Busy busy(me);
    if (me.writer.atLimit() && !detail::roomAtLimit(me)) [[unlikely]]
        return;
    me.writer.put(event, thread);
}

/// Only for threads of ours, which have time: waits until this thread's ring has room for `slots` more, at most timeoutMs.
void awaitRoom(std::uint32_t slots, std::uint32_t timeoutMs);

/// Adds processor time that a thread of ours spent, other than the drain's, to what the run says of its own cost.
void addOwnCpu(std::uint64_t ns);

/// Gives a text a key and records it. Returns 0 when it could not (the loss is counted): use the 0, it reads "name lost".
/// Texts over 4,096 bytes are cut.
[[nodiscard]] NameKey name(NameClass nameClass, std::string_view text);

/// A line of the run's ledger: what was looked for, what became of it ("measured", "absent", "degraded"), and why. Starts the
/// process's recording like any event.
void ledger(std::string_view what, std::string_view state, std::string_view reason);

/// Counts something that was lost before it could become an event.
void lose(DropReason reason, std::uint64_t count = 1);

/// Adds to the sums of program code and system files. Costs no event and starts nothing; kept until the process records.
struct CodeSums {
    std::uint64_t opens, reads, bytes, ticks;
};
void addCode(const CodeSums& sums);

/// Where this process's spool is being written, "" while it records nothing. Set once; read it on the drain thread (onStart).
[[nodiscard]] const char* spoolPath();

/// Callbacks run on the drain thread, which has a table of file descriptors of its own: what they use they must open there
/// themselves, and the program never sees it. Set them before the process's first event.
/// Called on the drain thread about every `periodMs` once the process records (per-process samplers). One callback.
void onBeat(void (*callback)(), std::uint32_t periodMs);

/// Called once on the thread that records the process's first event, when the files are made and before that event is recorded: for
/// what a recording is worth nothing without. It may be killed at any later moment. Use few system calls, and close what you open.
void onFiles(void (*callback)());

/// Called on the drain thread once, right after the process's first event made the files.
void onStart(void (*callback)());

/// In a child after fork: lets go of the parent's rings, files and drain thread. The child starts its own at its first event.
/// Callable only while the child has one thread.
void forgetAfterFork();

/// Says goodbye (the process ends normally) and stops recording. Cheap: what is in the rings is already safe.
void finish();

/// As finish(), then has the drain thread empty the rings and run `task`, and waits for that, at most timeoutMs: a task that hangs
/// (a file server that does not answer) holds the end of the program no longer. False when it was not done, or nothing was recorded.
bool finishWith(void (*task)(), std::uint32_t timeoutMs);

/// Writes what the rings hold to the spool file now and waits for it, at most timeoutMs. For the launcher and for tests.
bool flush(std::uint32_t timeoutMs);

}  // namespace flowgauge::buffer
