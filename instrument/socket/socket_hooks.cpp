// SPDX-License-Identifier: MIT
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/socket/account.h"

#include <sys/socket.h>
#include <cerrno>

namespace flowgauge::sockets {
namespace {

namespace real {
#define FLOWGAUGE_SOCKET(call, sentence) constinit hook::Next<decltype(&::call)> call{#call};
#include "instrument/socket/socket_calls.def"
#undef FLOWGAUGE_SOCKET
}  // namespace real

/// A connection of TCP as far as its address tells; UDP is found out at the first reading.
void known(int fd, Ticks since)
{
    const raw::KeepErrno keep;
    if (inVforkChild()) return;
    if (table::enter(fd, since) == nullptr) return tellOfBegin(fd, since);
    if (recording()) ensureThread();
}

/// A socket that does not wait answers EINPROGRESS and connects behind the program's back; a signal leaves a connect in progress too.
bool isUnderWay(int result) { return result == 0 || errno == EINPROGRESS || errno == EINTR || errno == EALREADY; }

/// The family was read by the kernel as well, unless the call says EFAULT.
bool isInternet(const sockaddr* address, socklen_t length)
{
    return length >= sizeof address->sa_family && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

/// Accepted sockets of other families (of UNIX, mostly) are no TCP: their first reading says so.
template <typename Real>
int accepted(Real real)
{
    if (!watching()) return real();
    const int fd = real();
    if (fd >= 0) known(fd, now());
    return fd;
}

}  // namespace
}  // namespace flowgauge::sockets

namespace sockets = flowgauge::sockets;

extern "C" {

FLOWGAUGE_EXPORT int connect(int fd, const sockaddr* address, socklen_t length)
{
    if (!sockets::watching()) return sockets::real::connect.get()(fd, address, length);
    const flowgauge::Ticks since = flowgauge::now();
    const int result = sockets::real::connect.get()(fd, address, length);
    if (sockets::isUnderWay(result) && sockets::isInternet(address, length)) sockets::known(fd, since);
    return result;
}

FLOWGAUGE_EXPORT int accept(int fd, sockaddr* address, socklen_t* length)
{
    return sockets::accepted([&] { return sockets::real::accept.get()(fd, address, length); });
}

FLOWGAUGE_EXPORT int accept4(int fd, sockaddr* address, socklen_t* length, int flags)
{
    return sockets::accepted([&] { return sockets::real::accept4.get()(fd, address, length, flags); });
}

}  // extern "C"
