// SPDX-License-Identifier: MIT
#include "gui/load/run_service.h"

#include "analyzer/open/keep_answers.h"
#include "analyzer/open/open_run.h"
#include "analyzer/report/finding_rows.h"
#include "analyzer/report/units.h"

#include <QCoreApplication>
#include <QEvent>

namespace flowgauge::load {

void Gate::tell(std::function<void()> call)
{
    const std::lock_guard lock(m_mutex);
    if (m_target == nullptr) return;
    m_calls.push_back(std::move(call));
    QCoreApplication::postEvent(m_target, new QEvent(QEvent::User));  // Qt deletes it
}

void Gate::answer()
{
    std::function<void()> call;
    {
        const std::lock_guard lock(m_mutex);
        if (m_calls.empty()) return;
        call = std::move(m_calls.front());
        m_calls.pop_front();
    }
    call();
}

void Gate::close()
{
    std::deque<std::function<void()>> dropped;  // what they hold goes without the lock
    const std::lock_guard lock(m_mutex);
    m_target = nullptr;
    m_calls.swap(dropped);
}

/// One attempt to open a run. Shared by the window's thread and the one that opens, which may outlive the service.
struct RunService::Opening {
    RunService* owner;  ///< only behind the gate
    std::shared_ptr<Gate> gate;
    std::string path;
    Analyse analyse = Analyse::UnlessLarge;
    std::atomic<bool> cancelled = false, done = false;
    std::mutex mutex;
    store::RunStore* store = nullptr;  ///< to interrupt; under the mutex

    void interrupt()
    {
        const std::lock_guard lock(mutex);
        if (store != nullptr) store->database().interrupt();
    }
    void offer(store::RunStore* opened)
    {
        const std::lock_guard lock(mutex);
        store = opened;
    }
    static void tell(const std::shared_ptr<Opening>& self, std::function<void(RunService&)> call)
    {
        self->gate->tell([self, call = std::move(call)] {
            if (!self->cancelled) call(*self->owner);
        });
    }
    static void run(const std::shared_ptr<Opening>& self);
    static void follow(const std::shared_ptr<Opening>& self);
    static void read(const std::shared_ptr<Opening>& self, open::OpenedRun& opened);
};

void RunService::Opening::run(const std::shared_ptr<Opening>& self)
{
    try {
        follow(self);
    } catch (const std::exception& error) {
        tell(self, [why = QString::fromUtf8(error.what())](RunService& service) {
            service.finishOpening();
            emit service.failed(why);
        });
    }
    self->done = true;
}

void RunService::Opening::follow(const std::shared_ptr<Opening>& self)
{
    tell(self, [](RunService& service) { emit service.progress(-1, RunService::tr("opening")); });
    open::OpenedRun opened = open::openRun(self->path, [&self](double share) {
        tell(self, [share](RunService& service) { emit service.progress(share, RunService::tr("storing what was recorded")); });
        return !self->cancelled.load();
    });
    struct Offer {
        Opening& opening;
        Offer(Opening& to, store::RunStore& store) : opening(to) { opening.offer(&store); }
        Offer(const Offer&) = delete;
        Offer& operator=(const Offer&) = delete;
        ~Offer() { opening.offer(nullptr); }
    } const offer(*self, opened.store);
    if (!self->cancelled) read(self, opened);
}

/// Of a run that no command has looked into yet (simulated, or recorded without the launcher), so that SQL finds the epochs that the
/// views show. All others stay as they are: a writer would hold up who reads.
static void keepMissingAnswers(store::RunStore& store, const RunSnapshot& run)
{
    if (run.running || run.analysis->facts.epochs.empty() || facts::hasSummary(store.database())) return;
    open::keepAnswers(run.database, run.analysis->facts, report::findingRowsOf(run.analysis->report));
}

void RunService::Opening::read(const std::shared_ptr<Opening>& self, open::OpenedRun& opened)
{
    auto run = std::make_shared<RunSnapshot>(snapshotOf(opened.store));
    run->path = self->path;
    run->database = opened.database;
    run->name = opened.name;
    run->warnings = opened.warnings;
    run->postponed = self->analyse == Analyse::UnlessLarge && run->events() > largeRun;
    if (run->postponed)
        run->pending = "A run of " + report::count(run->events()) +
                       " events: looking for causes takes a while and about a gigabyte of memory. F6 does it.";
    tell(self, [run](RunService& service) { service.take(run); });
    if (run->postponed)
        return tell(self, [run](RunService& service) {
            service.finishOpening();
            emit service.postponed(run);
        });
    tell(self, [](RunService& service) { emit service.progress(-1, RunService::tr("looking for causes")); });
    auto whole = std::make_shared<RunSnapshot>(*run);
    whole->analysis = analysisOf(opened.store, run->name);
    keepMissingAnswers(opened.store, *whole);
    tell(self, [whole](RunService& service) {
        service.finishOpening();
        service.m_run = whole;
        emit service.analysed(whole);
    });
}

RunService::RunService(QObject* parent) : QObject(parent), m_gate(std::make_shared<Gate>(this))
{
    using namespace std::chrono_literals;
    m_watch.setInterval(500ms);
    connect(&m_watch, &QTimer::timeout, this, &RunService::look);
}

RunService::~RunService()
{
    m_gate->close();
    cancel();
}

void RunService::customEvent(QEvent*) { m_gate->answer(); }

void RunService::open(const QString& path, Analyse analyse)
{
    cancel();
    m_opening = std::make_shared<Opening>();
    m_opening->owner = this;
    m_opening->gate = m_gate;
    m_opening->path = path.toStdString();
    m_opening->analyse = analyse;
    m_openingThread = std::thread([opening = m_opening] { Opening::run(opening); });
}

void RunService::cancel()
{
    if (!m_opening) return;
    const std::shared_ptr<Opening> opening = std::move(m_opening);
    opening->cancelled = true;
    joinOrLeave(m_openingThread, opening->done, [&opening] { opening->interrupt(); });
}

/// On the window's thread, while the opening one says its last words.
void RunService::finishOpening()
{
    const std::shared_ptr<Opening> opening = std::move(m_opening);
    joinOrLeave(m_openingThread, opening->done, [] {});
}

void RunService::look()
{
    using namespace std::chrono_literals;
    const auto busy = m_quick ? m_quick->busyFor() : 0ns;
    const bool waits = busy >= 2s;  // its jobs take milliseconds
    if (waits || m_waits) emit waiting(waits ? static_cast<int>(busy / 1s) : 0);
    m_waits = waits;
}

void RunService::close()
{
    cancel();
    m_watch.stop();
    m_quick.reset();
    m_answers.reset();
    m_run.reset();
}

void RunService::take(RunPtr run)
{
    m_quick = std::make_unique<DataThread>(run->database);
    m_answers = std::make_unique<DataThread>(run->database);
    m_run = std::move(run);
    m_watch.start();
    emit opened(m_run);
}

}  // namespace flowgauge::load
