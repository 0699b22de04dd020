// SPDX-License-Identifier: MIT
#include "instrument/socket/sockets.h"

#include "collector/record/clock.h"
#include "collector/record/ledger_line.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"
#include "instrument/socket/account.h"
#include "instrument/socket/address.h"
#include "instrument/socket/reading.h"

#include <algorithm>

namespace flowgauge::sockets {

namespace detail {
constinit std::atomic<bool> on{false};
}
constinit Unrecorded unrecorded{};

namespace {

constinit std::atomic<int> processId{0};
constinit std::atomic<bool> methodTold{false};

/// A process that records nothing else is worth recording for a connection that moved so much.
constexpr std::int64_t worthRecording = std::int64_t{1} << 20;

/// Ticks are ns, or those of a processor's clock: 0.4 to 1 s.
constexpr Ticks limitsEvery = Ticks{1} << 30;

/// Every process of a host says the same, so it stands in the ledger once.
void tellMethod(const Reading& reading)
{
    if (methodTold.exchange(true, std::memory_order_relaxed)) return;
    buffer::Text<256> line;
    line.add(hostFactMark).add("TCP connections\t");
    if (reading.resent < 0)
        line.add("degraded\tthis kernel (before 4.19) counts no bytes sent and sent again: those acknowledged stand in");
    else
        line.add("measured\tgetsockopt(TCP_INFO) of the job's own sockets, and a last time when they are closed");
    static_cast<void>(buffer::name(NameClass::Other, {line.text(), line.length()}));
}

/// Who ends a connection has taken it out first; to everybody else a word that has changed says that the number may mean another one.
bool isStale(const Slot& slot, Word word, Moment moment)
{
    return moment == Moment::Beat && slot.word.load(std::memory_order_acquire) != word;
}

/// The key of the socket that the number means now; 0: it was closed meanwhile, and told of. A cookie that has changed is another socket:
/// it was closed where no hook stands.
NameKey identify(int fd, Slot& slot, Word word, std::uint64_t cookie, Moment moment)
{
    const NameKey known = table::keyOf(slot, word);
    if (known != 0 && slot.cookie.load(std::memory_order_relaxed) == cookie) return known;
    ConnectionName name;
    nameConnection(fd, name);
    if (isStale(slot, word, moment)) return 0;
    if (known != 0) table::renew(slot);
    const NameKey key = buffer::name(NameClass::Source, {name.text(), name.length()});
    slot.cookie.store(cookie, std::memory_order_relaxed);
    table::setKey(slot, word, key);
    return key;
}

/// What has not changed on a beat is no news: the next change then lies after this reading.
void recordBytes(Span span, Slot& slot, NameKey key, const Reading& reading, Moment moment)
{
    const std::int64_t sum = 1 + reading.sent + reading.received + reading.resent;
    if (slot.told.exchange(sum, std::memory_order_relaxed) == sum && moment == Moment::Beat) return;
    buffer::record(socketBytes(span, {key, reading.sent, reading.received, reading.resent}, slot.cookie.load(std::memory_order_relaxed)));
    const Ticks before = slot.limitsAt.load(std::memory_order_relaxed);
    if (moment == Moment::Beat && before != 0 && span.end - before < limitsEvery) return;
    slot.limitsAt.store(span.end, std::memory_order_relaxed);
    buffer::record(socketLimits({before == 0 ? span.begin : before, span.end},
                                {reading.rttUs, reading.busyUs, reading.receiverLimitedUs, reading.bufferLimitedUs},
                                slot.cookie.load(std::memory_order_relaxed)));
}

/// Taken out first: another thread may be given the number as soon as the kernel has it back.
void end(int fd, Slot& slot, Word word)
{
    if (recording()) return static_cast<void>(tell(fd, slot, word, Moment::Last));
    Reading reading;
    if ((word & inheritedBit) != 0 || askTcp(fd, reading) != Asked::Connection) return;
    const std::int64_t moved = reading.sent + reading.notSent + reading.received;
    if (moved >= worthRecording) return static_cast<void>(tell(fd, slot, word, Moment::Last));
    unrecorded.connections.fetch_add(1, std::memory_order_relaxed);
    unrecorded.bytes.fetch_add(static_cast<std::uint64_t>(moved), std::memory_order_relaxed);
}

}  // namespace

bool inVforkChild() { return raw::processId() != processId.load(std::memory_order_relaxed); }
void rememberProcess() { processId.store(raw::processId(), std::memory_order_relaxed); }

bool tell(int fd, Slot& slot, Word word, Moment moment)
{
    Reading reading;
    const Asked asked = askTcp(fd, reading);
    if (asked == Asked::NotYet) return true;
    if (asked != Asked::Connection) return false;
    const std::uint64_t cookie = cookieOf(fd);
    // Closed meanwhile by another thread, which has told of it: the number may be another connection already.
    if (isStale(slot, word, moment)) return true;
    const NameKey key = identify(fd, slot, word, cookie, moment);
    if (isStale(slot, word, moment)) return true;
    const Ticks at = now();
    const Ticks before = slot.seenAt.exchange(at, std::memory_order_relaxed);
    if (moment == Moment::Last) reading.sent += reading.notSent;
    recordBytes({before == 0 ? at : std::min(before, at), at}, slot, key, reading, moment);
    tellMethod(reading);
    return true;
}

void tellOfBegin(int fd, Ticks since)
{
    Reading reading;
    if (!recording() || table::slotOf(fd) == nullptr || askTcp(fd, reading) != Asked::Connection) return;
    ConnectionName name;
    nameConnection(fd, name);
    buffer::record(socketBytes({since, since}, {buffer::name(NameClass::Source, {name.text(), name.length()}), 0, 0, 0}, cookieOf(fd)));
}

void start(std::uint32_t periodMs)
{
    rememberProcess();
    setPeriod(periodMs);
    detail::on.store(buffer::wants(Kind::SocketBytes) || buffer::wants(Kind::SocketLimits), std::memory_order_relaxed);
}

void onFiles()
{
    if (watching()) ensureThread();
}

void closing(int fd)
{
    Slot* const slot = table::slotOf(fd);
    if (slot == nullptr || !watching()) return;
    const Word word = slot->word.load(std::memory_order_acquire);
    if (!table::isKnown(word)) return;
    const raw::KeepErrno keep;
    if (!inVforkChild() && table::leave(*slot, word)) end(fd, *slot, word);
}

void closingRange(unsigned first, unsigned last)
{
    for (int fd = 0; fd <= table::highest(); ++fd)
        if (static_cast<unsigned>(fd) >= first && static_cast<unsigned>(fd) <= last) closing(fd);
}

void duplicated(int fd, int copy)
{
    const Slot* const slot = table::slotOf(fd);
    if (slot == nullptr || !watching() || !table::isKnown(slot->word.load(std::memory_order_acquire))) return;
    const raw::KeepErrno keep;
    if (!inVforkChild()) table::enter(copy, slot->seenAt.load(std::memory_order_relaxed));
}

void lastReadings()
{
    if (!watching() || inVforkChild()) return;
    const raw::KeepErrno keep;
    for (int fd = 0; fd <= table::highest(); ++fd) {
        Slot& slot = *table::slotOf(fd);
        const Word word = slot.word.load(std::memory_order_acquire);
        if (table::isKnown(word)) end(fd, slot, word);
    }
    const std::uint64_t early = unrecorded.connections.exchange(0, std::memory_order_relaxed);
    if (early == 0 || !recording()) return;
    buffer::Text<160> reason;
    reason.add(early).add(" ended before their process recorded anything, after ");
    reason.add(unrecorded.bytes.exchange(0, std::memory_order_relaxed)).add(" bytes: they are in no sum");
    buffer::ledger("TCP connections", "degraded", {reason.text(), reason.length()});
}

void afterForkInChild()
{
    rememberProcess();
    forgetThread();
    table::inherit();
    methodTold.store(false, std::memory_order_relaxed);
    unrecorded.connections.store(0, std::memory_order_relaxed);
    unrecorded.bytes.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::sockets
