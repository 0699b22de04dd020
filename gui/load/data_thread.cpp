// SPDX-License-Identifier: MIT
#include "gui/load/data_thread.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

namespace flowgauge::load {

/// Shared with the thread, which may outlive the object by the length of one read.
struct DataThread::State {
    explicit State(std::filesystem::path file) : database(std::move(file)) {}

    std::filesystem::path database;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Job> waiting;
    std::unique_ptr<store::RunStore> store;  ///< of the thread; others only interrupt it, under the mutex
    bool leave = false;
    std::atomic<bool> left = false;
    std::atomic<std::chrono::steady_clock::rep> since = 0;  ///< when the job began that runs now; 0: none does

    bool next(Job& job)
    {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return leave || !waiting.empty(); });
        if (leave) return false;
        job = std::move(waiting.front());
        waiting.pop_front();
        return true;
    }

    void perform(const Job& job)
    {
        if (job.cancel && *job.cancel) return;
        try {
            if (!store) {
                auto opened = std::make_unique<store::RunStore>(store::RunStore::openForReading(database));
                const std::lock_guard lock(mutex);
                store = std::move(opened);
            }
            job.work(*store);
        } catch (const std::exception& error) {  // Error, or memory that a damaged file asked for
            if (job.failed) job.failed(error.what());
        }
    }

    void run()
    {
        for (Job job; next(job); job = {}) {
            since = std::chrono::steady_clock::now().time_since_epoch().count();
            perform(job);
            since = 0;
        }
        {
            const std::lock_guard lock(mutex);
            store.reset();
        }
        left = true;
    }

    void interrupt()
    {
        const std::lock_guard lock(mutex);
        if (store) store->database().interrupt();
    }
};

void joinOrLeave(std::thread& thread, const std::atomic<bool>& done, const std::function<void()>& interrupt)
{
    using namespace std::chrono_literals;
    const auto patience = std::chrono::steady_clock::now() + 500ms;
    // An interrupt reaches only the statement that runs at that moment: ask again until the thread is done.
    while (!done && std::chrono::steady_clock::now() < patience) {
        interrupt();
        std::this_thread::sleep_for(1ms);
    }
    if (done)
        thread.join();
    else
        thread.detach();
}

DataThread::DataThread(std::filesystem::path database)
    : m_state(std::make_shared<State>(std::move(database))), m_thread([state = m_state] { state->run(); })
{
}

DataThread::~DataThread()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->leave = true;
        m_state->waiting.clear();
    }
    m_state->wake.notify_all();
    joinOrLeave(m_thread, m_state->left, [this] { m_state->interrupt(); });
}

std::chrono::nanoseconds DataThread::busyFor() const
{
    const auto since = m_state->since.load();
    if (since == 0) return {};
    return std::chrono::steady_clock::now().time_since_epoch() - std::chrono::steady_clock::duration(since);
}

void DataThread::post(Job job)
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->waiting.push_back(std::move(job));
    }
    m_state->wake.notify_one();
}

}  // namespace flowgauge::load
