// SPDX-License-Identifier: MIT
#include "collector/sample/port_files.h"

#include "collector/sample/text.h"

namespace flowgauge::sample {

namespace {

RdmaDriver driverOf(std::string_view driver, std::string_view device)
{
    for (const RdmaDriver& row : rdmaDrivers)
        if (driver.empty() ? startsWith(device, row.device) : driver == row.driver) return row;
    return {driver, device, DataUnit::Unknown, BindsCounters::NotKnown};
}

}  // namespace

DataUnit dataUnit(std::string_view driver, std::string_view device) { return driverOf(driver, device).unit; }
BindsCounters bindsCounters(std::string_view driver, std::string_view device) { return driverOf(driver, device).binds; }

Counter inUnit(Counter counter, DataUnit unit)
{
    const bool received = counter == Counter::IbRxBytes || counter == Counter::IbRxHwBytes;
    const bool sent = counter == Counter::IbTxBytes || counter == Counter::IbTxHwBytes;
    if (!received && !sent) return counter;
    const bool own = counter == Counter::IbRxHwBytes || counter == Counter::IbTxHwBytes;
    // Octets in port_*_data, or bytes in the hw_counters of a driver that is not known for them: nobody has seen that.
    const bool known = own ? unit == DataUnit::Octets : unit == DataUnit::Words || unit == DataUnit::Flits;
    if (!known) return received ? Counter::IbRxRaw : Counter::IbTxRaw;
    if (own || unit == DataUnit::Words) return counter;
    return received ? Counter::IbRxFlits : Counter::IbTxFlits;
}

int parsePortState(std::string_view text)
{
    const std::size_t colon = text.find(':');
    std::uint64_t state = 0;
    if (colon == std::string_view::npos || !parseNumber(upTo(text, colon), state) || state > 99) return -1;
    return static_cast<int>(state);
}

namespace {

/// "2.5" -> 2500: thousandths. False for anything but digits with at most three behind a point.
bool parseThousandths(std::string_view word, std::uint64_t& into)
{
    const std::size_t point = word.find('.');
    std::uint64_t whole = 0, part = 0;
    if (!parseNumber(upTo(word, point), whole) || whole > 1'000'000) return false;
    if (point != std::string_view::npos) {
        std::string_view digits = from(word, point + 1);
        if (digits.size() > 3 || !parseNumber(digits, part)) return false;
        for (std::size_t at = digits.size(); at < 3; ++at) part *= 10;
    }
    into = whole * 1000 + part;
    return true;
}

}  // namespace

std::uint64_t parseDataRate(std::string_view text, bool ethernet)
{
    Words words(text);
    std::string_view number, unit, width, speed;
    std::uint64_t mega = 0;
    if (!words.next(number) || !words.next(unit) || !parseThousandths(number, mega)) return 0;
    if (unit != "Gb/sec" && unit != "GB/sec") return 0;
    if (words.next(width)) static_cast<void>(words.next(speed));
    while (!speed.empty() && (speed.back() == ')' || speed.back() == '\r')) speed.remove_suffix(1);
    if (ethernet && (speed == "SDR" || speed == "QDR")) return 0;
    if (speed == "SDR" || speed == "DDR" || speed == "QDR") return mega * 4 / 5;
    if (speed == "FDR") return mega * 1364 / 1400;  // prints 14 a lane
    return mega;
}

}  // namespace flowgauge::sample
