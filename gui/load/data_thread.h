// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace flowgauge::load {

/// Set from any thread; work that is told to stop looks at it now and then. Whoever asks for an answer finds it set once the answer is
/// there, or will never be.
using Cancel = std::shared_ptr<std::atomic<bool>>;
[[nodiscard]] inline bool isAwaited(const Cancel& asked) { return asked && !*asked; }

/// A thread with its own connection to a run's database, working through jobs in order. The window's thread never waits for it:
/// where a disk does not answer, the thread is left behind and ends when its read does.
class DataThread {
public:
    /// What is to be done, and what to tell when the database cannot be read (the text of the Error).
    struct Job {
        std::function<void(store::RunStore&)> work;
        std::function<void(const std::string&)> failed;
        Cancel cancel;  ///< set: the job is dropped while it waits
    };
    explicit DataThread(std::filesystem::path database);
    DataThread(const DataThread&) = delete;
    DataThread& operator=(const DataThread&) = delete;
    ~DataThread();  ///< drops what waits, interrupts what runs

    void post(Job job);
    /// How long the job that runs now has been at it; 0 between jobs.
    [[nodiscard]] std::chrono::nanoseconds busyFor() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
    std::thread m_thread;
};

/// Joins a thread once `done` is set, asking `interrupt` until then; leaves it to itself after half a second.
void joinOrLeave(std::thread& thread, const std::atomic<bool>& done, const std::function<void()>& interrupt);

}  // namespace flowgauge::load
