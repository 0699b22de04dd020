// SPDX-License-Identifier: MIT
#include "collector/remote/place.h"

#include "collector/record/error.h"
#include "collector/remote/mad_place.h"

#include <charconv>

namespace flowgauge::remote {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why)
{
    throw Error(text, why,
                "; expected onefs://USER@HOST[:PORT], ufm://USER@HOST[:PORT][/ufmRest|/ufmRestV2|/ufmRestV3], "
                "ufm://HOST[:PORT] or mad://[DEVICE[:PORT]/]LID:PORT");
}

int portOf(std::string_view digits, std::string_view text)
{
    int port = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (problem != std::errc{} || end != digits.data() + digits.size() || port < 1 || port > 65535) refuse(text, "has no usable port");
    return port;
}

bool isHostLetter(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           std::string_view(".-_:[]%").find(letter) != std::string_view::npos;
}

}  // namespace

Place parsePlace(std::string_view text)
{
    Place place;
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) refuse(text, "names no kind of source");
    place.scheme = text.substr(0, scheme);
    std::string_view rest = text.substr(scheme + 3);
    if (place.scheme == "mad") return parseMadPlace(rest);
    if (const std::size_t path = rest.find('/'); path != std::string_view::npos) {
        place.path = rest.substr(path);
        rest = rest.substr(0, path);
    }
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        place.user = rest.substr(0, at);
        rest = rest.substr(at + 1);
        if (place.user.find(':') != std::string::npos)
            throw Error(place.scheme + "://...@" + std::string(rest),
                        "a password on the command line can be read by everybody on this machine; give it by file or variable, see --help");
    }
    if (place.scheme != "onefs" && place.scheme != "ufm") refuse(text, "is a kind of source that is not known");
    const std::size_t colon = rest.rfind(':');
    if (colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos) {
        place.port = portOf(rest.substr(colon + 1), text);
        rest = rest.substr(0, colon);
    }
    place.host = rest;
    if (place.host.empty()) refuse(text, "names no host");
    for (const char letter : place.host)
        if (!isHostLetter(letter)) refuse(text, "names no usable host");
    return place;
}

}  // namespace flowgauge::remote
