// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "collector/remote/mad_place.h"
#include "collector/remote/onefs_values.h"
#include "collector/remote/place.h"
#include "collector/remote/port_counters.h"
#include "collector/remote/ufm_text.h"

#include <algorithm>
#include <cstdlib>

using namespace flowgauge;
using namespace flowgauge::remote;

namespace {

/// A text that is none of the server's is refused by Error, and by nothing else.
template <typename Parse>
void tryAs(Parse parse)
{
    try {
        parse();
    } catch (const Error&) {
    }
}

void check(const Readings& readings)
{
    for (const Reading& reading : readings.all)
        if (!isCounter(static_cast<std::uint64_t>(reading.counter))) std::abort();
}

void check(const FabricPorts& ports)
{
    FabricUnit unit;
    const Readings readings = readingsOf(ports, unit.learn(ports), {});
    if (readings.all.size() > mostPorts * fabricFieldCount) std::abort();
    check(readings);
}

/// The bytes as any attribute that a performance agent may answer, whatever it says that it can.
void checkAttribute(std::string_view text)
{
    std::array<std::uint8_t, attributeBytes> bytes{};
    std::copy_n(text.begin(), std::min(text.size(), bytes.size()), bytes.begin());
    const PortCapabilities capabilities = capabilitiesOf(bytes);
    for (const PortAttribute attribute : attributesOf(capabilities)) check(portOf(bytes, attribute, capabilities, "lid 1 port 1"));
}

}  // namespace

/// Answers of OneFS, UFM and ports of a fabric, and the command line's names of servers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    tryAs([&] { check(parseOneFsStats(text).readings); });
    tryAs([&] { static_cast<void>(parseOneFsInterval(text)); });
    tryAs([&] { check(parseOneFsClients(text)); });
    tryAs([&] { check(parseUfmCsv(text)); });
    tryAs([&] { check(parseUfmPrometheus(text)); });
    tryAs([&] { check(parseUfmSnapshot(text, 1'700'000'000'000'000'000)); });
    tryAs([&] { static_cast<void>(parseUfmNames(text)); });
    tryAs([&] { static_cast<void>(parsePlace(std::string(text))); });
    tryAs([&] { static_cast<void>(parseMadTargets(text)); });
    checkAttribute(text);
    if (const std::string guid = guidOf(text); !guid.empty() && guid.size() != 16) std::abort();
    return 0;
}
