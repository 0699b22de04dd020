// SPDX-License-Identifier: MIT
// A STAND-IN for libibumad: see its header.
#include "tests/fakes/umad/stand_in_umad.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <vector>

namespace flowgauge::stand_in {
namespace {

constexpr std::size_t headBytes = 64, datagramBytes = 256, dataAt = 64;

/// What stands in front of a datagram here.
struct Head {
    int lid, status;
};
using Packet = std::vector<std::uint8_t>;
std::deque<Packet> answers;

void put(std::uint8_t* bytes, std::size_t count, std::uint64_t number)
{
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(number >> (8 * (count - 1 - i)));
}

void answer(const Agent& agent, Packet packet)
{
    std::uint8_t* const mad = packet.data() + headBytes;
    const int attribute = mad[16] << 8 | mad[17];
    mad[3] = 0x81;
    put(mad + 4, 2, agent.status);
    if (attribute == 1) {
        put(mad + dataAt + 2, 2, agent.capabilityMask);
        put(mad + dataAt + 4, 4, agent.secondMask << 5 | 18);
    }
    for (const auto& [place, number] : agent.numbers)
        if (place.first == attribute) put(mad + dataAt + place.second, number.first, number.second);
    answers.push_back(std::move(packet));
}

int openPort(const char*, int)
{
    errno = fabric().openErrno;
    ++fabric().opened;
    return fabric().openResult;
}

int send(int, int, void* umad, int, int, int)
{
    const auto* const bytes = static_cast<const std::uint8_t*>(umad);
    Packet packet(bytes, bytes + headBytes + datagramBytes);
    ++fabric().asked;
    fabric().onlyReads = fabric().onlyReads && packet[headBytes + 3] == 1;
    if (fabric().sendResult < 0) return fabric().sendResult;
    Head head;
    std::memcpy(&head, packet.data(), sizeof head);
    const auto agent = fabric().agents.find(head.lid);
    if (agent != fabric().agents.end() && agent->second.silent) return 0;
    if (agent == fabric().agents.end() || agent->second.gone) {
        head.status = ETIMEDOUT;
        std::memcpy(packet.data(), &head, sizeof head);
        answers.push_back(std::move(packet));
        return 0;
    }
    if (agent->second.late) {
        Packet older = packet;
        older[headBytes + 15] ^= 0x80U;
        answer(agent->second, std::move(older));
    }
    answer(agent->second, std::move(packet));
    return 0;
}

int receive(int, void* umad, int*, int)
{
    if (answers.empty()) return -EWOULDBLOCK;
    std::copy(answers.front().begin(), answers.front().end(), static_cast<std::uint8_t*>(umad));
    answers.pop_front();
    return 0;
}

int address(void* umad, int lid, int queue, int, int key)
{
    const Head head{lid, 0};
    std::memcpy(umad, &head, sizeof head);
    return queue == 1 && static_cast<unsigned>(key) == 0x80010000U ? 0 : -EINVAL;
}

int status(void* umad)
{
    Head head;
    std::memcpy(&head, umad, sizeof head);
    return head.status;
}

}  // namespace

Fabric& fabric()
{
    static Fabric one;
    return one;
}

remote::Umad umad()
{
    answers.clear();
    return {[] { return 0; },
            openPort,
            [](int) { return ++fabric().closed, 0; },
            [](int, int, int, std::uint8_t, long*) { return fabric().enlistResult; },
            [] { return fabric().opened == 0 ? headBytes - 8 : headBytes; },  // as the library's, which learns it from the kernel
            [](void* umad) -> void* { return static_cast<std::uint8_t*>(umad) + headBytes; },
            address,
            send,
            [](int, int) { return answers.empty() ? -ETIMEDOUT : 0; },
            receive,
            status};
}

}  // namespace flowgauge::stand_in
