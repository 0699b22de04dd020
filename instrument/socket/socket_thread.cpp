// SPDX-License-Identifier: MIT
#include "collector/buffer/futex.h"
#include "collector/buffer/own_thread.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/socket/account.h"
#include "instrument/socket/reading.h"

#include <sys/prctl.h>
#include <algorithm>
#include <array>
#include <utility>

/// The thread that reads connections. It shares the program's descriptor table, since that is where they are, and opens nothing in it.
namespace flowgauge::sockets {
namespace {

constexpr Nanos millisecond = 1'000'000;
/// A reading takes about 3 us: one connection may be read so often, which is 0.2 % of a core and at most 700
/// readings a second, however many there are.
constexpr Nanos restPerConnection = 1'500'000;
/// A child reads what it shares with its parent so much more seldom.
constexpr unsigned beatsBetweenShared = 10;
/// How often the low numbers are looked through for connections that no hook has seen, 0.2 us each.
constexpr Nanos lookEvery = 5'000 * millisecond;
constexpr int lowNumbers = 1024;

constinit std::atomic<std::uint32_t> period{0};
constinit std::atomic<bool> alive{false};

/// Cookies of connections that the look before came upon; 0: none. A connection that a hook is just making known or taking out looks the
/// same as one that no hook has seen, but for less than a beat.
constinit std::array<std::uint64_t, lowNumbers> cameUpon{};

/// True when one was seen for the first time: another look has to follow with the next beat.
bool lookThroughLowNumbers()
{
    bool again = false;
    for (int fd = 0; fd < lowNumbers; ++fd) {
        const std::uint64_t before = std::exchange(cameUpon[static_cast<std::size_t>(fd)], 0);
        const Slot* const slot = table::slotOf(fd);
        if (slot != nullptr && table::isTaken(slot->word.load(std::memory_order_acquire))) continue;
        Reading reading;
        if (!isTcp(fd) || askTcp(fd, reading) != Asked::Connection) continue;
        const std::uint64_t cookie = std::max<std::uint64_t>(cookieOf(fd), 1);
        if (before == cookie) {
            table::enter(fd, 0);
        } else {
            cameUpon[static_cast<std::size_t>(fd)] = cookie;
            again = true;
        }
    }
    return again;
}

/// How many there are.
int readAll(unsigned beat)
{
    int count = 0;
    for (int fd = 0; fd <= table::highest(); ++fd) {
        Slot& slot = *table::slotOf(fd);
        const Word word = slot.word.load(std::memory_order_acquire);
        if (!table::isKnown(word)) continue;
        ++count;
        if ((word & inheritedBit) != 0 && beat % beatsBetweenShared != 0) continue;
        if (!tell(fd, slot, word, Moment::Beat)) static_cast<void>(table::leave(slot, word));
    }
    return count;
}

bool anyKnown()
{
    for (int fd = 0; fd <= table::highest(); ++fd)
        if (table::isKnown(table::slotOf(fd)->word.load(std::memory_order_acquire))) return true;
    return false;
}

void readWhileThereAreAny()
{
    buffer::FutexWord nobodyWakes{0};
    Nanos looked = 0, spent = 0;
    bool again = false;
    for (unsigned beat = 0; watching() && !buffer::programHasLeft(); ++beat) {
        const Nanos at = buffer::monotonicNs();
        if (looked == 0 || again || at - looked >= lookEvery) {
            again = lookThroughLowNumbers();
            looked = at;
        }
        const int count = readAll(beat);
        if (count == 0 && !again) return;
        const Nanos cpu = buffer::threadCpuNs();
        buffer::addOwnCpu(static_cast<std::uint64_t>(cpu - spent));
        spent = cpu;
        const Nanos rest = std::max(Nanos{period.load(std::memory_order_relaxed)} * millisecond, count * restPerConnection);
        buffer::waitWhile(nobodyWakes, 0, std::min(rest, 1'000 * millisecond));
    }
}

void* enter(void*)
{
    raw::call(SYS_prctl, PR_SET_NAME, "flowgauge-t", 0UL, 0UL, 0UL);
    // Who makes a connection known after the last look finds the flag up, or is found by the look behind it.
    do {
        readWhileThereAreAny();
        alive.store(false, std::memory_order_seq_cst);
    } while (watching() && !buffer::programHasLeft() && anyKnown() && !alive.exchange(true, std::memory_order_seq_cst));
    return nullptr;
}

}  // namespace

void setPeriod(std::uint32_t periodMs) { period.store(periodMs, std::memory_order_relaxed); }

void ensureThread()
{
    if (period.load(std::memory_order_relaxed) == 0 || alive.exchange(true, std::memory_order_seq_cst)) return;
    if (!buffer::startOwnThread(&enter, nullptr)) alive.store(false, std::memory_order_seq_cst);
}

void forgetThread() { alive.store(false, std::memory_order_relaxed); }

}  // namespace flowgauge::sockets
