// SPDX-License-Identifier: MIT
// The side of rank 0: a thread that tells its host's time to whoever knows the cookie.
#include "collector/buffer/descriptor.h"
#include "collector/buffer/futex.h"
#include "collector/buffer/own_thread.h"
#include "collector/buffer/recorder.h"
#include "instrument/mpi/clock_exchange.h"
#include "instrument/mpi/clock_role.h"
#include "instrument/mpi/clock_wire.h"

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <atomic>
#include <cstring>
#include <ctime>

namespace flowgauge::mpi::clocks {
namespace {

constexpr std::int64_t mostWaitNs = 100'000'000;  // of MPI_Init, for the offer to be written
constexpr std::int64_t restNs = 1'000'000'000;    // between looks at whether the job has ended

std::atomic<bool> withdrawn{false};
constinit buffer::FutexWord offered{0};

Nanos rawNs()
{
    timespec at;
    clock_gettime(CLOCK_MONOTONIC_RAW, &at);
    return static_cast<Nanos>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

void takeAddresses(int fd, Offer& into)
{
    std::array<ifreq, 16> interfaces{};
    ifconf list{};
    list.ifc_len = sizeof interfaces;
    list.ifc_req = interfaces.data();
    if (raw::call(SYS_ioctl, fd, SIOCGIFCONF, &list) < 0) return;
    const auto found = static_cast<std::size_t>(list.ifc_len) / sizeof(ifreq);
    for (std::size_t i = 0; i < found; ++i) {
        sockaddr_in address;
        std::memcpy(&address, &interfaces[i].ifr_addr, sizeof address);
        if (address.sin_family == AF_INET) into.address[into.addresses++] = address.sin_addr.s_addr;
    }
}

bool describe(int fd, Offer& into)
{
    into.magic = wireMagic;
    if (raw::call(SYS_getrandom, &into.cookie, sizeof into.cookie, 0U) != sizeof into.cookie) return false;
    utsname names;
    if (raw::call(SYS_uname, &names) != 0) return false;
    std::memcpy(into.host.data(), names.nodename, sizeof names.nodename);
    const sockaddr_in any = addressOf(INADDR_ANY, 0);
    if (raw::call(SYS_bind, fd, &any, sizeof any) != 0) return false;
    sockaddr_in bound{};
    socklen_t length = sizeof bound;
    if (raw::call(SYS_getsockname, fd, &bound, &length) != 0) return false;
    into.port = bound.sin_port;
    takeAddresses(fd, into);
    return true;
}

/// Whole or not at all: others may look at any moment.
bool publish(const Offer& offer)
{
    const buffer::PathText path = offerPath();
    buffer::PathText draft = path;
    draft.add(".writing");
    if (!draft.whole()) return false;
    const int fd = raw::open(draft.text(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return false;
    const bool written = raw::write(fd, &offer, sizeof offer) == sizeof offer;
    raw::close(fd);
    return written && raw::call(SYS_renameat, AT_FDCWD, draft.text(), AT_FDCWD, path.text()) == 0;
}

/// False: there was no question.
bool answerOne(int fd, std::uint64_t cookie)
{
    Datagram question;
    sockaddr_in from{};
    socklen_t length = sizeof from;
    const long got = raw::call(SYS_recvfrom, fd, &question, sizeof question, 0, &from, &length);
    const Nanos received = rawNs();
    if (got < 0) return false;
    if (got != sizeof question || question.cookie != cookie) return true;
    question.received = received;
    question.answered = rawNs();
    raw::call(SYS_sendto, fd, &question, sizeof question, MSG_NOSIGNAL, &from, length);
    return true;
}

/// Questions come in bursts: the first wakes this thread, the others are waited for awake.
void answerBurst(int fd, std::uint64_t cookie)
{
    for (std::int64_t last = buffer::monotonicNs(), at = last; at - last < awakeNs; at = buffer::monotonicNs())
        if (answerOne(fd, cookie)) last = at;
}

void answerAll(int fd, std::uint64_t cookie)
{
    while (!withdrawn.load(std::memory_order_relaxed)) {
        sleepUntilReadable(fd, restNs);
        const Nanos before = buffer::threadCpuNs();
        answerBurst(fd, cookie);
        buffer::addOwnCpu(static_cast<std::uint64_t>(buffer::threadCpuNs() - before));
    }
}

void tellOffered()
{
    offered.store(1, std::memory_order_release);
    buffer::wakeAll(offered);
}

/// The launcher may have bound rank 0 to one processor, where it computes or polls; answers must not wait for that.
void useAnyProcessor()
{
    cpu_set_t all;
    std::memset(&all, 0xFF, sizeof all);
    raw::call(SYS_sched_setaffinity, 0, sizeof all, &all);
}

void* serve(void*)
{
    useAnyProcessor();
    const bool alone = buffer::ownDescriptorTable();
    int fd = openSocket();
    if (fd >= 0 && !alone) fd = buffer::moveHigh(fd);
    Offer mine{};
    const bool ready = fd >= 0 && describe(fd, mine) && publish(mine);
    tellOffered();
    if (ready) answerAll(fd, mine.cookie);
    if (fd >= 0) raw::close(fd);
    return nullptr;
}

}  // namespace

void offer()
{
    if (!buffer::wants(Kind::ClockExchange) || clockRole() != ClockRole::Reference) return;
    if (!buffer::startOwnThread(serve, nullptr)) return;
    const std::int64_t until = buffer::monotonicNs() + mostWaitNs;
    while (offered.load(std::memory_order_acquire) == 0 && buffer::monotonicNs() < until)
        buffer::waitWhile(offered, 0, until - buffer::monotonicNs());
}

void withdraw()
{
    if (offered.load(std::memory_order_relaxed) == 0 || withdrawn.exchange(true, std::memory_order_relaxed)) return;
    raw::call(SYS_unlinkat, AT_FDCWD, offerPath().text(), 0);
}

}  // namespace flowgauge::mpi::clocks
