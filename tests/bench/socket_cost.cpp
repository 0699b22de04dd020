// SPDX-License-Identifier: MIT
// What a beat over a process's TCP connections costs: 64 of them over loopback, each asked for its TCP_INFO and its cookie, as the thread
// in a rank does ten times a second.
#include "instrument/socket/reading.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

using namespace flowgauge;

constexpr int connections = 64, beats = 200;
constexpr double beatsASecond = 10, atMostPercent = 0.5;

std::vector<int> connected()
{
    std::vector<int> sockets;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
    auto* const server = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listening, server, length) != 0 || ::listen(listening, connections) != 0) return sockets;
    if (::getsockname(listening, server, &length) != 0) return sockets;
    for (int i = 0; i < connections / 2; ++i) {
        sockets.push_back(::socket(AF_INET, SOCK_STREAM, 0));
        if (::connect(sockets.back(), server, length) != 0) return {};
        sockets.push_back(::accept(listening, nullptr, nullptr));
    }
    return sockets;
}

double beatUs(const std::vector<int>& sockets)
{
    const auto begin = std::chrono::steady_clock::now();
    sockets::Reading reading;
    std::uint64_t known = 0;
    for (const int fd : sockets) known += sockets::askTcp(fd, reading) == sockets::Asked::Connection && sockets::cookieOf(fd) != 0 ? 1 : 0;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    return known == sockets.size() ? took.count() : -1;
}

}  // namespace

int main()
{
    const std::vector<int> sockets = connected();
    if (sockets.empty()) return std::puts("no connection over loopback here"), 1;
    std::vector<double> took;
    for (int beat = 0; beat < beats; ++beat) took.push_back(beatUs(sockets));
    std::sort(took.begin(), took.end());
    const double median = took[beats / 2], percent = median * beatsASecond / 1e4;
    std::printf("a beat over %d connections: %.0f us (median of %d), %.2f us a connection; 10 a second: %.3f %% of a core\n", connections,
                median, beats, median / connections, percent);
    return took.front() < 0 || percent > atMostPercent ? 1 : 0;
}
