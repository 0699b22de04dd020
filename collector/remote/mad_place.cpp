// SPDX-License-Identifier: MIT
#include "collector/remote/mad_place.h"

#include "collector/record/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace flowgauge::remote {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why)
{
    throw Error(text, why,
                "; expected mad://[DEVICE[:PORT]/]LID:PORT[,LID:PORT...], as in mad://mlx5_0/12:3 (iblinkinfo lists LIDs and ports)");
}

/// A number, decimal or behind 0x, that is neither below `least` nor above `most`.
unsigned numberOf(std::string_view digits, unsigned least, unsigned most, std::string_view text)
{
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.remove_prefix(2);
    unsigned number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
    if (problem != std::errc{} || end != digits.data() + digits.size() || number < least || number > most)
        refuse(text, "has a number that is none, or too large");
    return number;
}

bool isDeviceLetter(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-' || letter == '.';
}

MadTarget targetOf(std::string_view text)
{
    constexpr unsigned lastOfSinglePorts = 0xbfff, lastPort = 254;  // 255 stands for all ports together
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse(text, "names no port of a LID");
    return {static_cast<std::uint16_t>(numberOf(text.substr(0, colon), 1, lastOfSinglePorts, text)),
            static_cast<std::uint8_t>(numberOf(text.substr(colon + 1), 0, lastPort, text))};
}

}  // namespace

std::vector<MadTarget> parseMadTargets(std::string_view text)
{
    std::vector<MadTarget> targets;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        targets.push_back(targetOf(text.substr(begin, end - begin)));
        if (targets.size() > mostTargets) refuse(text.substr(0, 40), "names more than 64 ports");
        begin = end + 1;
    }
    return targets;
}

Place parseMadPlace(std::string_view rest)
{
    Place place;
    place.scheme = "mad";
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) {
        const std::string_view device = rest.substr(0, slash);
        const std::size_t colon = device.find(':');
        place.host = device.substr(0, colon);
        if (colon != std::string_view::npos) place.port = static_cast<int>(numberOf(device.substr(colon + 1), 1, 254, rest));
        if (place.host.empty() || !std::all_of(place.host.begin(), place.host.end(), isDeviceLetter))
            refuse(rest, "names no usable device");
        rest = rest.substr(slash + 1);
    }
    static_cast<void>(parseMadTargets(rest));
    place.path = '/' + std::string(rest);
    return place;
}

}  // namespace flowgauge::remote
