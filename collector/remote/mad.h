// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/mad_port.h"
#include "collector/remote/source.h"

#include <map>
#include <optional>

namespace flowgauge::remote {

/// Ports of an InfiniBand fabric, switches' and other hosts', asked one by one as perfquery asks them, through libibumad. Nothing
/// is ever reset.
class Mad final : public Source {
public:
    /// load: where the library comes from. Throws Error for a place that has no targets.
    explicit Mad(
        Place place, Umad (*load)() = [] { return openUmad(); });
    void poll(Http& http, Recording& recording) override;
    [[nodiscard]] std::chrono::seconds period() const override { return leastPeriod(); }
    [[nodiscard]] std::chrono::seconds leastPeriod() const override { return std::chrono::seconds(1); }
    [[nodiscard]] bool givenUp() const override { return false; }

private:
    void open(Recording& recording);
    void ask(MadTarget target, Http& http, Recording& recording);
    [[nodiscard]] PortCapabilities learn(MadTarget target, Http& http, Recording& recording);

    Place m_place;
    std::vector<MadTarget> m_targets;
    Umad (*m_load)();
    Umad m_umad;
    std::optional<MadPort> m_port;
    std::map<std::uint16_t, PortCapabilities> m_capabilities;  ///< by LID
};

}  // namespace flowgauge::remote
