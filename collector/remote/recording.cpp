// SPDX-License-Identifier: MIT
#include "collector/remote/recording.h"

#include "collector/buffer/recorder.h"
#include "collector/record/makers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace flowgauge::remote {
namespace {

constexpr std::int64_t second = 1'000'000'000;
/// A number older than that was not measured by the clock that the answer's header shows.
constexpr std::int64_t oldestNs = 600 * second;
/// A clock that went back by more was set; by less, another node of the cluster answered.
constexpr std::int64_t clockStepNs = 60 * second;
/// Headers and stamps have whole seconds, and a request takes a while.
constexpr std::int64_t skewWorthTelling = 3 * second;

}  // namespace

const Outlet recorderOutlet{&buffer::record, &buffer::name, &buffer::ledger};

Recording::Recording(std::string what, std::string shown, const Outlet& outlet)
    : m_what(std::move(what)), m_shown(std::move(shown)), m_outlet(outlet)
{
}

void Recording::put(const Readings& readings, const Answer& answer, std::int64_t serverNs)
{
    if (serverNs != 0) noteSkew(serverNs - answer.unixNs);
    for (const std::string& trouble : readings.troubles) note("degraded", trouble);
    for (const Reading& reading : readings.all) {
        Last& last = m_last[{reading.counter, reading.place}];
        if (reading.measuredNs != 0 && reading.measuredNs <= last.measuredNs && reading.measuredNs > last.measuredNs - clockStepNs)
            continue;
        last.measuredNs = reading.measuredNs;
        NameKey& place = m_places[reading.place];
        if (place == 0) place = m_outlet.name(NameClass::Source, reading.place.empty() ? m_shown : m_shown + '/' + reading.place);
        const std::int64_t clock = serverNs != 0 ? serverNs : answer.unixNs;
        const std::int64_t age = reading.measuredNs == 0 ? 0 : clock - reading.measuredNs;
        m_outlet.record(counterSample(momentOf(answer, age < oldestNs ? age : 0), reading.counter, place, reading.value));
    }
}

/// Never before this recording began: what a server measured earlier would make the run longer than it was.
Ticks Recording::momentOf(const Answer& answer, std::int64_t ageNs) const
{
    const ClockAnchor present = readAnchor();
    const double perNs = present.rawNs > m_start.rawNs
                             ? static_cast<double>(present.ticks - m_start.ticks) / static_cast<double>(present.rawNs - m_start.rawNs)
                             : 1.0;
    const auto age = static_cast<Ticks>(std::llround(static_cast<double>(std::max<std::int64_t>(ageNs, 0)) * perNs));
    return answer.at - m_start.ticks > age ? answer.at - age : m_start.ticks;
}

void Recording::noteSkew(std::int64_t skewNs)
{
    if (std::abs(skewNs - m_toldSkewNs) < skewWorthTelling) return;
    m_toldSkewNs = skewNs;
    const std::int64_t seconds = std::llround(static_cast<double>(std::abs(skewNs)) / second);
    m_outlet.ledger(m_what, "measured",
                    "its clock is " + std::to_string(seconds) + " s " + (skewNs > 0 ? "ahead of" : "behind") +
                        " this host's; the times of its numbers are corrected by that");
}

void Recording::note(std::string_view state, const std::string& reason)
{
    if (m_said[std::string(state) + reason]++ == 0) m_outlet.ledger(m_what, state, reason);
}

void Recording::failed(const std::string& reason)
{
    ++m_failures[reason];
    note(m_answered == 0 ? "absent" : "degraded", reason);
}

void Recording::close(bool givenUp)
{
    if (givenUp) note("degraded", "it was not asked again: more refused logins would lock the account");
    if (m_answered == 0 && m_failures.empty()) return note("absent", "the run was over before it answered");
    int failures = 0;
    for (const auto& [reason, count] : m_failures) failures += count;
    if (failures > 1)
        m_outlet.ledger(m_what, m_answered == 0 ? "absent" : "degraded",
                        std::to_string(failures) + " of " + std::to_string(failures + m_answered) + " times it could not be asked");
}

void Recording::nameStandIn(const Answer& answer)
{
    constexpr std::string_view mark = "STAND-IN ";
    if (answer.header("server").find("STAND-IN") == std::string_view::npos || m_shown.starts_with(mark)) return;
    m_shown.insert(0, mark);
    note("degraded", "it says of itself that it is a stand-in, not the real thing: " + std::string(answer.header("server")));
}

}  // namespace flowgauge::remote
