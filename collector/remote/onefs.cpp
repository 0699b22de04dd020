// SPDX-License-Identifier: MIT
#include "collector/remote/onefs.h"

#include "collector/record/error.h"

#include <algorithm>

namespace flowgauge::remote {
namespace {

constexpr const char* current = "/platform/1/statistics/current?";
/// Seconds that the answering node waits for the others, below our own patience.
constexpr const char* ofAllNodes = "&devid=all&degraded=true&show_nodes=true&timeout=5";
constexpr long notFound = 404;

}  // namespace

void OneFs::learnKeys(Http& http, Recording& recording)
{
    std::vector<Asked> keys;
    std::chrono::seconds shortest{0};
    for (const OneFsKey& key : oneFsKeys()) {
        const Answer answer = m_session.get(http, std::string("/platform/1/statistics/keys/") + key.name);
        recording.nameStandIn(answer);
        if (answer.status == notFound) {
            recording.note("absent", std::string(key.name) + ": this release has no such key");
            continue;
        }
        const std::chrono::seconds interval = parseOneFsInterval(answer.body).value_or(std::chrono::seconds(0));
        keys.push_back({key.name, key.shape == OneFsShape::CacheNode, interval, {}});
        if (interval.count() > 0) shortest = shortest.count() == 0 ? interval : std::min(shortest, interval);
    }
    if (shortest.count() > 0) m_period = shortest;
    m_keys = std::move(keys);
    m_learnt = true;
    recording.note("measured", "by the OneFS Platform API, new every " + std::to_string(m_period.count()) + " s");
}

std::vector<std::string> OneFs::takeDue(bool ofNodes)
{
    const Clock::time_point now = Clock::now();
    std::vector<std::string> due;
    for (Asked& key : m_keys) {
        if (key.ofNodes != ofNodes || now < key.due) continue;
        key.due = now + key.interval - key.interval / 10;  // a round that comes a little early counts
        due.push_back(key.name);
    }
    return due;
}

void OneFs::poll(Http& http, Recording& recording)
{
    if (!m_learnt) learnKeys(http, recording);
    for (const std::string& query : oneFsQueries(takeDue(false))) askStats(http, recording, query);
    for (const std::string& query : oneFsQueries(takeDue(true))) askStats(http, recording, query + ofAllNodes);
    if (m_tellsClients) askClients(http, recording);
}

void OneFs::askStats(Http& http, Recording& recording, const std::string& query)
{
    const Answer answer = m_session.get(http, current + query);
    if (answer.status == notFound) throw Error("statistics", oneFsComplaint(answer));
    const OneFsStats stats = parseOneFsStats(answer.body);
    for (const std::string& missing : stats.missing) std::erase_if(m_keys, [&](const Asked& key) { return key.name == missing; });
    recording.put(stats.readings, answer, answer.dateNs());
}

/// Not every release and role offers it: then there is all the rest.
void OneFs::askClients(Http& http, Recording& recording)
{
    try {
        const Answer answer = m_session.get(http, "/platform/3/statistics/summary/client");
        if (answer.status == notFound) {
            m_tellsClients = false;
            return recording.note("absent", "this release does not tell what each client does");
        }
        recording.put(parseOneFsClients(answer.body), answer, answer.dateNs());
    } catch (const Error& error) {
        if (!http.stopped()) recording.note("degraded", error.what());
    }
}

}  // namespace flowgauge::remote
