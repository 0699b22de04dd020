// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace flowgauge::load {

/// The way back to the window's thread, for threads that may outlive the window. Calls wait here, under a lock of our own, and Qt's event
/// is only the bell: the thread sanitizer sees that they are handed over, which it cannot see inside of Qt.
class Gate {
public:
    explicit Gate(QObject* target) : m_target(target) {}
    void tell(std::function<void()> call);  ///< rings the target once for each call; nothing happens once it is closed
    void answer();  ///< on the target's thread, at each ring: runs the call that waits longest, which may end the gate
    void close();

private:
    std::mutex m_mutex;
    QObject* m_target;
    std::deque<std::function<void()>> m_calls;
};

/// The one door from the window to a run. Everything that touches a file happens on other threads; all signals and answers
/// arrive on the thread that owns this object.
class RunService : public QObject {
    Q_OBJECT
public:
    /// Facts take a quarter of a microsecond an event: a run beyond `largeRun`, for which one would wait longer than ten seconds, is shown
    /// without, until they are asked for.
    enum class Analyse { UnlessLarge, Always };
    static constexpr std::int64_t largeRun = 40'000'000;

    explicit RunService(QObject* parent = nullptr);
    ~RunService() override;

    /// Opens a run (storing its spools first where that is needed); what was open stays until `opened`. One at a time: a
    /// second call cancels the first.
    void open(const QString& path, Analyse analyse = Analyse::UnlessLarge);
    void cancel();  ///< of opening; nothing is signalled
    void close();
    [[nodiscard]] const RunPtr& run() const { return m_run; }
    [[nodiscard]] bool isOpening() const { return m_opening != nullptr; }

    /// Runs work(store, cancel) beside the window and hands its result to done on the window's thread, unless `receiver` has
    /// gone, another run was opened, or the returned token was set. Errors go to `readFailed`. The store is another
    /// connection than the timeline's: long scans do not hold up panning.
    template <typename Work, typename Done>
    Cancel ask(QObject* receiver, Work work, Done done)
    {
        return post(m_answers.get(), receiver, std::move(work), std::move(done));
    }
    /// The same on the connection that serves the timeline: short work only.
    template <typename Work, typename Done>
    Cancel askQuick(QObject* receiver, Work work, Done done)
    {
        return post(m_quick.get(), receiver, std::move(work), std::move(done));
    }

signals:
    void progress(double share, const QString& what);  ///< 0..1; below 0: it is not known how long
    void opened(flowgauge::load::RunPtr run);          ///< tracks can be shown; the analysis follows
    void postponed(flowgauge::load::RunPtr run);       ///< the run is shown; it will be analysed only when that is asked for
    void analysed(flowgauge::load::RunPtr run);        ///< the same run with its analysis
    void failed(const QString& why);                   ///< it could not be opened, or not analysed: one line
    void readFailed(const QString& why);               ///< an open run could not be read: removed, rewritten, damaged
    void waiting(int seconds);                         ///< the disk does not answer, for so long already; 0: it has

protected:
    void customEvent(QEvent* event) override;  ///< the gate's ring

private:
    struct Opening;
    void take(RunPtr run);
    void look();  ///< whether the timeline's reads still come back
    void finishOpening();

    template <typename Work, typename Done>
    Cancel post(DataThread* thread, QObject* receiver, Work work, Done done);

    std::shared_ptr<Gate> m_gate;
    RunPtr m_run;
    std::unique_ptr<DataThread> m_quick, m_answers;
    std::shared_ptr<Opening> m_opening;
    std::thread m_openingThread;
    QTimer m_watch;
    bool m_waits = false;
};

template <typename Work, typename Done>
Cancel RunService::post(DataThread* thread, QObject* receiver, Work work, Done done)
{
    auto cancel = std::make_shared<std::atomic<bool>>(thread == nullptr);
    if (thread == nullptr) return cancel;
    const QPointer<QObject> guard(receiver);
    auto perform = [gate = m_gate, guard, cancel, work = std::move(work), done = std::move(done)](store::RunStore& store) {
        auto result = std::make_shared<decltype(work(store, cancel))>(work(store, cancel));
        if (*cancel) return;
        gate->tell([guard, cancel, done, result] {
            if (*cancel) return;
            *cancel = true;
            if (guard) done(std::move(*result));
        });
    };
    auto failure = [this, gate = m_gate, cancel](const std::string& why) {
        if (*cancel) return;
        gate->tell([this, cancel, why] {
            *cancel = true;
            emit readFailed(QString::fromStdString(why));
        });
    };
    thread->post({std::move(perform), std::move(failure), cancel});
    return cancel;
}

}  // namespace flowgauge::load
