// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/place.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::remote {

/// A port of the fabric, by the address of its node and its number there. Port 0 is a switch's own.
struct MadTarget {
    std::uint16_t lid;
    std::uint8_t port;

    /// "lid 12 port 3"
    [[nodiscard]] std::string shown() const { return "lid " + std::to_string(lid) + " port " + std::to_string(port); }
};

/// More would make a round of questions to a fabric that does not answer longer than a minute.
inline constexpr std::size_t mostTargets = 64;

/// "12:3,0x10:1" as it stands behind the slash of mad://[DEVICE[:PORT]/]LID:PORT[,LID:PORT...]. Throws Error for what is none: a LID is
/// 1 to 0xbfff (those of single ports), a port 0 to 254.
[[nodiscard]] std::vector<MadTarget> parseMadTargets(std::string_view text);

/// The place of mad://..., whose host and port are the device and its port that ask ("" and 0: the first that is up), and whose
/// path has the targets. rest: what stands behind mad://. Throws Error.
[[nodiscard]] Place parseMadPlace(std::string_view rest);

}  // namespace flowgauge::remote
