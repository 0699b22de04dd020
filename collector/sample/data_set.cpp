// SPDX-License-Identifier: MIT
#include "collector/sample/data_set.h"

#include "collector/buffer/futex.h"
#include "collector/buffer/own_thread.h"
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"

#include <sys/prctl.h>
#include <new>

namespace flowgauge::sample {
namespace {

constexpr std::string_view what = "data set in memory";
constexpr Nanos shortestRest = 1'000'000'000;
/// Of processor time: a look takes 2 ms of a second at most.
constexpr Nanos restForOne = 500;
constexpr Nanos hangsAfter = 5'000'000'000;
constexpr Nanos lendingNs = 1'000'000;

/// What the thread has found, for whoever asks.
struct Found {
    std::uint64_t rounds = 0;
    Ticks at = 0, besideAt = 0;
    DataRound round;
    DataSetReading reading, beside;  ///< beside: no file, where there was none that nobody had opened
};

/// The thread that looks. Of those in a process there is one; it may outlive the sampler that started it when a file server keeps it.
class LookThread {
public:
    constexpr LookThread() = default;
    void start(std::string_view folder)
    {
        std::uint32_t expected = absent;
        if (!m_life.compare_exchange_strong(expected, alive, std::memory_order_acq_rel)) return;
        m_folder = Path(folder);
        m_found = {};
        m_stop.store(0, std::memory_order_relaxed);
        if (!buffer::startOwnThread(&LookThread::main, this)) m_life.store(absent, std::memory_order_release);
    }
    void stop()
    {
        m_stop.store(1, std::memory_order_release);
        buffer::wakeAll(m_stop);
    }
    [[nodiscard]] bool running() const { return m_life.load(std::memory_order_acquire) == alive; }
    /// False when the thread is just writing it.
    bool take(Found& into)
    {
        if (!m_lock.enter(lendingNs)) return false;
        into = m_found;
        m_lock.leave();
        return true;
    }
    /// True while a look takes longer than any that comes to an end should.
    [[nodiscard]] bool hangs(Nanos nowNs) const
    {
        const Nanos since = m_busySince.load(std::memory_order_relaxed);
        return since != 0 && nowNs - since > hangsAfter;
    }
    void forgetAfterFork()
    {
        m_life.store(absent, std::memory_order_relaxed);
        m_busySince.store(0, std::memory_order_relaxed);
        m_lock.forget();
    }

private:
    static constexpr std::uint32_t absent = 0, alive = 1;
    static void* main(void* self);
    void look();
    void lookOnce(DataLook& look);
    void publish(const Found& found);

    Path m_folder;
    Found m_found;
    buffer::BoundedLock m_lock;
    std::atomic<std::uint32_t> m_life{absent};
    buffer::FutexWord m_stop{0};
    std::atomic<Nanos> m_busySince{0};
};
constinit LookThread thread;

void* LookThread::main(void* self)
{
    auto* const me = static_cast<LookThread*>(self);
    raw::call(SYS_prctl, PR_SET_NAME, "flowgauge-d", 0, 0, 0);
    me->look();
    me->m_life.store(absent, std::memory_order_release);
    return nullptr;
}

void LookThread::look()
{
    const SysRoot root;
    DataLook look(root, m_stop);
    if (!look.create()) return;
    while (m_stop.load(std::memory_order_acquire) == 0) {
        const Nanos begin = buffer::threadCpuNs();
        m_busySince.store(buffer::monotonicNs(), std::memory_order_relaxed);
        if (look.readTable(m_folder.view())) lookOnce(look);
        m_busySince.store(0, std::memory_order_relaxed);
        const Nanos cost = buffer::threadCpuNs() - begin;
        buffer::addOwnCpu(static_cast<std::uint64_t>(cost));
        buffer::waitWhile(m_stop, 0, cost * restForOne > shortestRest ? cost * restForOne : shortestRest);
    }
}

/// At first at what nobody has read, before it is read.
void LookThread::lookOnce(DataLook& look)
{
    Found found = m_found;
    if (found.rounds == 0) {
        double files = 0;
        found.besideAt = now();
        const DataRound beside = look.roundBeside(files);
        found.beside = beside.reading(files);
    }
    found.at = now();
    found.round = look.round();
    if (m_stop.load(std::memory_order_acquire) != 0) return;  // cut short
    found.reading = found.round.reading(look.filesInAll());
    ++found.rounds;
    publish(found);
}

void LookThread::publish(const Found& found)
{
    if (!m_lock.enter(lendingNs)) return;
    m_found = found;
    m_lock.leave();
}

/// The ledger's words for how it was found out.
std::string_view methodOf(const DataRound& round)
{
    const bool pages = round.used(LookMethod::Cachestat), maps = round.used(LookMethod::Mincore);
    return pages && maps ? "cachestat(2), and mincore(2) where that says nothing" : pages ? "cachestat(2)" : "mincore(2)";
}

}  // namespace

void DataSetSampler::sample(const Pass& pass)
{
    if (m_folder.size() == 0) return;
    if (!m_started) return begin();
    tellOfHanging(pass);
    Found found;
    if (!thread.take(found) || found.rounds == m_taken) return;
    tell(pass, found.round);
    if (m_taken == 0 && found.beside.lookedFiles > 0) put(pass, "data set, unopened", found.besideAt, found.beside);
    if (found.reading.lookedFiles > 0) put(pass, "data set", found.at, found.reading);
    m_taken = found.rounds;
}

/// Not while the thread of an earlier sampler of this process still hangs: what it finds is that one's.
void DataSetSampler::begin()
{
    const int table = thread.running() ? -1 : openDataFiles(m_folder.view(), O_RDONLY);
    if (table < 0) return;
    raw::close(table);
    m_started = true;
    thread.start(m_folder.view());
}

void DataSetSampler::close()
{
    if (m_started) thread.stop();
}

void DataSetSampler::put(const Pass& pass, std::string_view place, Ticks at, const DataSetReading& reading)
{
    Source* const source = pass.sources.find(CounterFamily::Memory, place);
    if (source == nullptr) return;
    if (source->use == Use::Undecided) pass.sink.accept(*source, place);
    pass.sink.put(at, *source, Counter::DataSetFiles, reading.files);
    pass.sink.put(at, *source, Counter::DataSetLookedFiles, reading.lookedFiles);
    pass.sink.put(at, *source, Counter::DataSetLookedBytes, reading.lookedBytes);
    pass.sink.put(at, *source, Counter::DataSetResidentBytes, reading.residentBytes);
    pass.sink.put(at, *source, Counter::DataSetVariance, reading.variance);
}

void DataSetSampler::tell(const Pass& pass, const DataRound& round)
{
    const bool any = round.used(LookMethod::Cachestat) || round.used(LookMethod::Mincore);
    if (any && !m_measured) pass.sink.note(what, "measured", methodOf(round));
    m_measured = m_measured || any;
    if (round.why().empty() || m_toldMissing) return;
    pass.sink.note(what, any ? "degraded" : "absent", round.why());
    m_toldMissing = true;
}

void DataSetSampler::tellOfHanging(const Pass& pass)
{
    if (m_toldHanging || !thread.hangs(buffer::monotonicNs())) return;
    pass.sink.note(what, "degraded", "a file system did not answer for 5 s; until it does its files are not looked at");
    m_toldHanging = true;
}

void forgetDataSetAfterFork() { thread.forgetAfterFork(); }

}  // namespace flowgauge::sample
