// SPDX-License-Identifier: MIT
#include "analyzer/facts/collective_figures.h"

#include "analyzer/facts/collective_math.h"
#include "analyzer/facts/median.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace flowgauge::facts {
namespace {

/// Of one call: over the ranks that took part.
struct Course {
    Kind kind = Kind::None;
    std::uint64_t bytes = 0;
    std::int64_t ranks = 0;
    Nanos waited = 0, moved = 0, longest = 0;
    bool enqueued = false;
    CommManner manner;
};

struct CourseSums {
    std::vector<Nanos> waits, transfers;
    Nanos waited = 0, moved = 0;
    bool enqueued = false;
};

Course courseOf(const Meeting& meeting)
{
    Course course;
    for (std::size_t i = 0; i < meeting.calls.size(); ++i) {
        const CollectiveCall* call = meeting.calls[i];
        if (call == nullptr) continue;
        const Nanos together = std::clamp(meeting.lastArrivalFor(i), call->when.begin, call->when.end);
        course.waited += together - call->when.begin;
        course.moved += call->when.end - together;
        course.longest = std::max(course.longest, call->when.end - together);
        course.bytes = std::max(course.bytes, call->bytes);
        course.kind = call->kind;
        course.enqueued = course.enqueued || call->enqueued;
        if (call->manner.algorithm) course.manner = call->manner;
        ++course.ranks;
    }
    return course;
}

Measured<Bandwidth> bandwidthUnless(bool enqueued, const CollectiveFigures& figures)
{
    if (enqueued)
        return Measured<Bandwidth>::missing(
            "known is when NCCL took the call, not when the GPU ran it (with FLOWGAUGE_GPU=driver launches tell)");
    const double array = arrayBytes(figures.kind, static_cast<double>(figures.bytes), figures.ranks);
    return bandwidthOf(figures.kind, array, figures.ranks, figures.transfer);
}

/// NCCL's protocol is Simple where it did not tell one: no flags, the least that can be on the wire.
Measured<WireBytes> wireOf(const CollectiveFigures& figures)
{
    if (!figures.manner.algorithm) return Measured<WireBytes>::missing("the algorithm was not told");
    if (figures.ranks % figures.hosts != 0) return Measured<WireBytes>::missing("its hosts have different numbers of ranks");
    const double array = arrayBytes(figures.kind, static_cast<double>(figures.bytes), figures.ranks);
    return wireBytesOf(figures.kind, array, {figures.hosts, figures.ranks / figures.hosts}, *figures.manner.algorithm,
                       figures.manner.protocol.value_or(CommProtocol::Simple));
}

/// What tells groups of calls apart.
auto keyOf(const Course& course, std::int64_t hosts)
{
    return std::tuple(course.kind, course.bytes, course.ranks, hosts, course.manner.algorithm, course.manner.protocol,
                      course.manner.channels);
}

}  // namespace

bool beginsIn(const Meeting& meeting, Interval when)
{
    return std::any_of(meeting.calls.begin(), meeting.calls.end(),
                       [&](const CollectiveCall* call) { return call != nullptr && when.contains(call->when.begin); });
}

std::vector<CollectiveFigures> collectiveFigures(std::span<const Meeting> meetings, Interval when)
{
    std::map<decltype(keyOf(Course(), 0)), CourseSums> groups;
    for (const Meeting& meeting : meetings) {
        if (!beginsIn(meeting, when)) continue;
        const Course course = courseOf(meeting);
        CourseSums& sums = groups[keyOf(course, meeting.hosts)];
        sums.waits.push_back(course.waited / std::max<Nanos>(course.ranks, 1));
        sums.transfers.push_back(course.longest);
        sums.waited += course.waited;
        sums.moved += course.moved;
        sums.enqueued = sums.enqueued || course.enqueued;
    }
    std::vector<CollectiveFigures> all;
    for (auto& [key, sums] : groups) {
        CollectiveFigures figures;
        CommManner& manner = figures.manner;
        std::tie(figures.kind, figures.bytes, figures.ranks, figures.hosts, manner.algorithm, manner.protocol, manner.channels) = key;
        figures.calls = static_cast<std::int64_t>(sums.waits.size());
        figures.waited = sums.waited;
        figures.moved = sums.moved;
        figures.wait = medianOf(std::move(sums.waits));
        figures.transfer = medianOf(std::move(sums.transfers));
        const auto bandwidth = bandwidthUnless(sums.enqueued, figures);
        figures.algbw = bandwidth.known() ? Measured<double>(bandwidth.value().algorithm) : Measured<double>::missing(bandwidth.reason());
        figures.busbw = bandwidth.known() ? Measured<double>(bandwidth.value().bus) : Measured<double>::missing(bandwidth.reason());
        figures.wire = wireOf(figures);
        all.push_back(std::move(figures));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& left, const auto& right) { return left.spent() > right.spent(); });
    return all;
}

}  // namespace flowgauge::facts
