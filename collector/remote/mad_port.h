// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/mad_place.h"
#include "collector/remote/port_counters.h"
#include "collector/remote/umad.h"

#include <array>
#include <functional>
#include <vector>

namespace flowgauge::remote {

/// A port of this host that asks performance agents of the fabric by management datagrams (MADs). It only reads. Used by one thread.
class MadPort {
public:
    /// device: "" for the first that is up; port: 0 for its first. Throws Error, which says what to do: no device, no permission.
    MadPort(const Umad& umad, const Place& place);
    MadPort(const MadPort&) = delete;
    MadPort& operator=(const MadPort&) = delete;
    ~MadPort();

    struct Told {
        std::array<std::uint8_t, attributeBytes> bytes{};
        Answer moment;  ///< only its times
    };
    /// One question and its answer. Throws Error when there was none within a second and a half, it was a refusal, or `stopped` says so.
    [[nodiscard]] Told get(MadTarget target, PortAttribute attribute, const std::function<bool()>& stopped);
    /// False when nobody answered the last question.
    [[nodiscard]] bool answered() const { return m_answered; }

private:
    void send(MadTarget target, PortAttribute attribute);
    [[nodiscard]] bool receive(MadTarget target, const std::function<bool()>& stopped);
    [[nodiscard]] std::uint8_t* datagram() { return static_cast<std::uint8_t*>(m_umad.datagram(m_buffer.data())); }

    const Umad& m_umad;
    int m_port = -1, m_agent = -1;
    std::uint32_t m_transaction = 0;
    bool m_answered = false;
    std::vector<std::uint64_t> m_buffer;  ///< the library's head, aligned as it likes it, and a datagram
};

}  // namespace flowgauge::remote
