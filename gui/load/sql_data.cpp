// SPDX-License-Identifier: MIT
#include "gui/load/sql_data.h"

#include "collector/record/error.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace flowgauge::load {

namespace {

/// Interrupts the database's running statement once cancel is set, for as long as it lives.
class Watch {
public:
    Watch(store::Database& database, Cancel cancel) : m_thread([this, &database, cancel = std::move(cancel)] { run(database, *cancel); }) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_over = true;
        }
        m_changed.notify_all();
        m_thread.join();
    }

private:
    void run(store::Database& database, const std::atomic<bool>& cancel)
    {
        constexpr std::chrono::milliseconds lookEvery{20};
        std::unique_lock lock(m_mutex);
        while (!m_changed.wait_for(lock, lookEvery, [this] { return m_over; }))
            if (cancel) database.interrupt();
    }
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_over = false;
    std::thread m_thread;  ///< last: it uses the others
};

void readRows(store::Statement& statement, std::size_t mostRows, const Cancel& cancel, SqlAnswer& answer)
{
    for (int i = 0; i < statement.columns(); ++i) answer.columns.push_back(statement.columnName(i));
    while (!*cancel && statement.step()) {
        if (answer.rows.size() == mostRows) {
            answer.cut = true;
            return;
        }
        auto& row = answer.rows.emplace_back();
        for (int i = 0; i < statement.columns(); ++i) row.push_back(statement.isNull(i) ? std::nullopt : std::optional(statement.text(i)));
    }
}

}  // namespace

SqlAnswer answerTo(store::RunStore& store, const std::string& sql, std::size_t mostRows, const Cancel& cancel)
{
    SqlAnswer answer;
    const auto begin = std::chrono::steady_clock::now();
    try {
        const Watch watch(store.database(), cancel);
        store::Statement statement = store.database().prepare(sql);
        if (!statement.onlyReads())
            throw Error(store.database().file().string(), "questions only read, and this statement would write; change a copy of the file");
        readRows(statement, mostRows, cancel, answer);
    } catch (const std::exception& error) {
        answer.error = error.what();
    }
    answer.took = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

}  // namespace flowgauge::load
