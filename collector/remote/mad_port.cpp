// SPDX-License-Identifier: MIT
#include "collector/remote/mad_port.h"

#include "collector/record/clock.h"
#include "collector/record/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace flowgauge::remote {
namespace {

constexpr int datagramBytes = 256, performanceClass = 4, classVersion = 1, methodGet = 1, methodGetResponse = 0x81;
constexpr int serviceQueue = 1, serviceKey = static_cast<int>(0x80010000);  // of every node's general service agents
constexpr std::size_t statusAt = 4, transactionAt = 12, attributeAt = 16, dataAt = 64;

/// The kernel sends it again once. Answers take microseconds; a second is a fabric in trouble.
constexpr int patienceMs = 500, repeats = 1;
constexpr std::chrono::milliseconds longestMs{1500}, sliceMs{50};

[[noreturn]] void cannotOpen(const Place& place, int result, int error)
{
    const std::string where = place.host.empty() ? "InfiniBand port" : place.shown();
    if (result == -ENODEV || result == -EINVAL)
        throw Error(where, "this host has no such InfiniBand device or port; ibstat lists what it has");
    if (error == EACCES || error == EPERM)
        throw Error(where, "no permission for /dev/infiniband/umad*: run as root, or let your group read and write it (a udev rule)");
    throw Error(where, "/dev/infiniband/umad* cannot be opened (", std::strerror(error),
                "): is there an InfiniBand device, is its module there (modprobe ib_umad), does a container show it?");
}

std::uint16_t shortAt(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]); }

std::string meaningOf(int status)
{
    constexpr int fault = 0x1c, redirected = 2, noVersion = 1, invalidValue = 7;  // bits of the common header's status
    if ((status & redirected) != 0) return "it sends to another agent, which is not asked";
    if ((status & fault) >> 2 == invalidValue) return "it has no such port";
    if ((status & fault) >> 2 >= noVersion) return "it does not know the question";
    return "it refused, with status " + std::to_string(status);
}

}  // namespace

MadPort::MadPort(const Umad& umad, const Place& place) : m_umad(umad)
{
    static_cast<void>(umad.init());
    errno = 0;
    m_port = umad.openPort(place.host.empty() ? nullptr : place.host.c_str(), place.port);
    if (m_port < 0) cannotOpen(place, m_port, errno);
    m_buffer.resize((umad.headBytes() + datagramBytes + 7) / 8);  // before a port is open the library tells an older, shorter head
    m_agent = umad.enlist(m_port, performanceClass, classVersion, 0, nullptr);
    if (m_agent >= 0) return;
    umad.closePort(m_port);
    throw Error(place.shown(), "the kernel takes no questions to performance agents there");
}

MadPort::~MadPort() { m_umad.closePort(m_port); }  // which ends the agent as well

void MadPort::send(MadTarget target, PortAttribute attribute)
{
    std::fill(m_buffer.begin(), m_buffer.end(), 0);
    std::uint8_t* const mad = datagram();
    mad[0] = 1;  // version of the header
    mad[1] = performanceClass;
    mad[2] = classVersion;
    mad[3] = methodGet;
    ++m_transaction;
    for (int byte = 0; byte < 4; ++byte)
        mad[transactionAt + static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(m_transaction >> (24 - 8 * byte));
    mad[attributeAt] = static_cast<std::uint8_t>(static_cast<unsigned>(attribute) >> 8);
    mad[attributeAt + 1] = static_cast<std::uint8_t>(attribute);
    mad[dataAt + 1] = target.port;
    m_umad.address(m_buffer.data(), target.lid, serviceQueue, 0, serviceKey);
    if (const int sent = m_umad.send(m_port, m_agent, m_buffer.data(), datagramBytes, patienceMs, repeats); sent < 0)
        throw Error(target.shown(), "a question to it could not be sent (", std::strerror(-sent), ")");
}

/// True when the answer to the last question is in the buffer; false where there is none.
bool MadPort::receive(MadTarget target, const std::function<bool()>& stopped)
{
    const auto until = std::chrono::steady_clock::now() + longestMs;
    const std::uint32_t asked = m_transaction;
    m_answered = false;
    while (std::chrono::steady_clock::now() < until) {
        if (stopped()) throw Error(target.shown(), "the run is over");
        const int waited = m_umad.wait(m_port, static_cast<int>(sliceMs.count()));
        if (waited == -ETIMEDOUT || waited == -EINTR) continue;
        int length = datagramBytes;
        if (waited < 0 || m_umad.receive(m_port, m_buffer.data(), &length, 0) < 0) return false;  // the device went away
        const std::uint8_t* const mad = datagram();
        std::uint32_t answered = 0;
        for (std::size_t byte = 0; byte < 4; ++byte) answered = answered << 8 | mad[transactionAt + byte];
        if (answered != asked) continue;  // the late answer to an older one
        return m_answered = m_umad.status(m_buffer.data()) == 0 && mad[3] == methodGetResponse;
    }
    return false;
}

MadPort::Told MadPort::get(MadTarget target, PortAttribute attribute, const std::function<bool()>& stopped)
{
    Told told;
    const Ticks begin = now();
    const std::int64_t beginNs = unixNowNs();
    send(target, attribute);
    if (!receive(target, stopped)) throw Error(target.shown(), "no answer: nobody has that LID, or its node or the way to it is down");
    told.moment.at = begin + (now() - begin) / 2;
    told.moment.unixNs = beginNs + (unixNowNs() - beginNs) / 2;
    const std::uint8_t* const mad = datagram();
    if (const int status = shortAt(mad + statusAt); status != 0) throw Error(target.shown(), meaningOf(status));
    std::copy_n(mad + dataAt, attributeBytes, told.bytes.begin());
    return told;
}

}  // namespace flowgauge::remote
