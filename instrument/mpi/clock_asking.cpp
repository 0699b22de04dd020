// SPDX-License-Identifier: MIT
// The side of the other hosts: finds the reference once, and asks it for its time.
#include "collector/buffer/descriptor.h"
#include "collector/buffer/futex.h"
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "instrument/mpi/clock_exchange.h"
#include "instrument/mpi/clock_role.h"
#include "instrument/mpi/clock_wire.h"

#include <atomic>
#include <ctime>

namespace flowgauge::mpi::clocks {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t findingNs = 200 * ms;  // for the offer and a first answer
constexpr std::int64_t askingNs = 100 * ms;   // for all questions together
constexpr std::int64_t answerNs = 10 * ms;    // for one of them
constexpr std::int64_t pauseNs = 2 * ms;      // between looks for the offer, and between bursts
constexpr int burst = 20;                     // questions in a row: what disturbs one mostly disturbs its neighbours too
constexpr int burstsInVain = 3;               // so many without an answer that came faster by a tenth: none will

/// What this process knows of the reference. Filled in MPI_Init, used again in MPI_Finalize by whichever thread calls it.
struct Known {
    Offer offer;
    sockaddr_in address;
    bool found;
};
constinit Known known{};
constinit std::atomic<bool> givenUp{false};  // the reference did not answer in MPI_Init

bool readOffer(Offer& into)
{
    const int fd = raw::open(offerPath().text(), O_RDONLY);
    if (fd < 0) return false;
    const bool whole = raw::read(fd, &into, sizeof into) == sizeof into;
    raw::close(fd);
    return whole && into.magic == wireMagic && into.addresses <= into.address.size();
}

void rest()
{
    const timespec pause{0, pauseNs};
    raw::call(SYS_nanosleep, &pause, nullptr);
}

/// The offer is written before the reference enters MPI_Init, so that it is there when we come out; but file servers may be slow.
bool awaitOffer(Offer& into, std::int64_t until)
{
    while (!readOffer(into)) {
        if (buffer::monotonicNs() >= until) return false;
        rest();
    }
    return true;
}

/// One question and its answer, or how there was none.
struct Asked {
    Span span{};  ///< from before the question to behind the answer
    Datagram answer{};
    sockaddr_in from{};
};

/// Waits awake at first: to sleep makes the way back longer than the way there. Then asleep: the reference may need this processor.
bool awaitAnswer(int fd, std::uint64_t number, Asked& into)
{
    const std::int64_t begin = buffer::monotonicNs();
    std::int64_t waited = 0;
    do {
        if (waited > awakeNs) sleepUntilReadable(fd, answerNs - waited);
        socklen_t length = sizeof into.from;
        const long got = raw::call(SYS_recvfrom, fd, &into.answer, sizeof into.answer, 0, &into.from, &length);
        into.span.end = now();
        const bool ours = got == sizeof into.answer && into.answer.cookie == known.offer.cookie;
        if (ours && into.answer.number == number) return true;
        waited = buffer::monotonicNs() - begin;
    } while (waited < answerNs);
    return false;
}

void ask(int fd, const sockaddr_in& address, std::uint64_t number)
{
    const Datagram question{known.offer.cookie, number, 0, 0};
    raw::call(SYS_sendto, fd, &question, sizeof question, MSG_NOSIGNAL, &address, sizeof address);
}

/// Asks at all addresses of the reference at once: the one that answers first is the nearest.
bool find(int fd)
{
    const std::int64_t until = buffer::monotonicNs() + findingNs;
    if (!awaitOffer(known.offer, until)) return false;
    Asked first;
    do {
        for (std::uint32_t i = 0; i < known.offer.addresses; ++i) ask(fd, addressOf(known.offer.address[i], known.offer.port), 0);
        known.found = awaitAnswer(fd, 0, first);
    } while (!known.found && buffer::monotonicNs() < until);
    known.address = first.from;
    return known.found;
}

/// The answer that came fastest, its number 0 where none came at all.
struct Best {
    Asked asked;
    [[nodiscard]] Ticks took() const { return asked.answer.number == 0 ? ~Ticks{0} : asked.span.end - asked.span.begin; }
};

void askBurst(int fd, std::uint64_t& number, std::int64_t until, Best& best)
{
    for (int i = 0; i < burst && buffer::monotonicNs() < until; ++i) {
        Best next;
        next.asked.span.begin = now();
        ask(fd, known.address, ++number);
        if (awaitAnswer(fd, number, next.asked) && next.took() < best.took()) best = next;
    }
}

Best fastest(int fd)
{
    Best best;
    const std::int64_t until = buffer::monotonicNs() + askingNs;
    std::uint64_t number = 0;
    for (int inVain = 0; inVain < burstsInVain && buffer::monotonicNs() < until;) {
        if (number > 0) rest();
        const Ticks before = best.took();
        askBurst(fd, number, until, best);
        inVain = best.took() < before - before / 10 ? 0 : inVain + 1;
    }
    return best;
}

void compareThrough(int fd)
{
    const Ticks begin = now();
    if (!known.found && !find(fd))
        return buffer::ledger("clocks", "absent", "the host of rank 0 did not answer: bounds of collectives only");
    const Asked best = fastest(fd).asked;
    if (best.answer.number == 0) return;
    const NameKey host = buffer::name(NameClass::Other, known.offer.host.data());
    buffer::record(clockExchange(best.span, {host, best.answer.received, best.answer.answered, now() - begin}));
}

}  // namespace

void compare()
{
    if (givenUp.load(std::memory_order_relaxed) || !buffer::wants(Kind::ClockExchange) || clockRole() != ClockRole::Asking) return;
    const int fd = openSocket();
    if (fd < 0) return;
    const int high = buffer::moveHigh(fd);
    compareThrough(high);
    raw::close(high);
    givenUp.store(!known.found, std::memory_order_relaxed);
}

}  // namespace flowgauge::mpi::clocks
