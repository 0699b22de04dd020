// SPDX-License-Identifier: MIT
#include "collector/remote/poller.h"

#include "collector/remote/http.h"
#include "collector/remote/mad.h"
#include "collector/remote/onefs.h"
#include "collector/remote/ufm.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace flowgauge::remote {
namespace {

using std::chrono::seconds;

constexpr seconds firstPatience{5};
constexpr seconds longestPatience{60};  // a server that comes back is seen again within that

std::string baseOf(const Orders& orders, const char* protocol, int usualPort)
{
    const int port = orders.place.port != 0 ? orders.place.port : usualPort;
    return std::string(protocol) + "://" + orders.place.host + ':' + std::to_string(port);
}

Access accessOf(const Orders& orders, std::string base)
{
    return {std::move(base), orders.ca, orders.clientCertificate, orders.insecure, Access{}.timeout};
}

struct Opened {
    std::string what;  ///< how the ledger names it
    Access access;
    std::unique_ptr<Source> source;
};

Opened openOneFs(const Orders& orders)
{
    const std::string base = baseOf(orders, "https", 8080);
    return {"storage onefs://" + orders.place.shown(), accessOf(orders, base),
            std::make_unique<OneFs>(Login{orders.place.user, orders.password}, base)};
}

/// Without a user and a path of the REST API it is the telemetry server, which is plain HTTP.
Opened openUfm(const Orders& orders)
{
    const Place& place = orders.place;
    const std::string what = "fabric ufm://" + place.shown();
    if (place.user.empty() && !place.path.starts_with("/ufmRest"))
        return {what, accessOf(orders, baseOf(orders, "http", 9001)), std::make_unique<UfmTelemetry>(place.path)};
    return {what, accessOf(orders, baseOf(orders, "https", 443)),
            std::make_unique<UfmRest>(UfmSession(place.path, {place.user, orders.password}))};
}

/// Nobody is asked by HTTP.
Opened openMad(const Orders& orders)
{
    const std::string what = "fabric mad://" + (orders.place.host.empty() ? std::string() : orders.place.shown());
    return {what, accessOf(orders, {}), std::make_unique<Mad>(orders.place)};
}

Opened openSource(const Orders& orders)
{
    if (orders.place.scheme == "mad") return openMad(orders);
    return orders.place.scheme == "onefs" ? openOneFs(orders) : openUfm(orders);
}

}  // namespace

/// All that one thread works with.
struct Poller::Line {
    Line(const Orders& orders, const Outlet& outlet, Opened opened)
        : http(std::move(opened.access)),
          recording(opened.what, orders.place.shown(), outlet),
          source(std::move(opened.source)),
          period(orders.period)
    {
        if (orders.insecure) recording.note("degraded", "any certificate was accepted (--insecure): who answered is not known for certain");
    }
    Http http;
    Recording recording;
    std::unique_ptr<Source> source;
    seconds period;
    std::thread thread;
};

Poller::Poller(const Outlet& outlet) : m_outlet(outlet) {}

Poller::~Poller() { stop(); }

void Poller::start(const Orders& orders)
{
    m_lines.push_back(std::make_unique<Line>(orders, m_outlet, openSource(orders)));
    Line& line = *m_lines.back();
    line.thread = std::thread([&line] { run(line); });
}

void Poller::run(Line& line)
{
    seconds patience = firstPatience;
    while (!line.http.stopped() && !line.source->givenUp()) {
        seconds pause = std::max(line.period.count() != 0 ? line.period : line.source->period(), line.source->leastPeriod());
        try {
            line.source->poll(line.http, line.recording);
            line.recording.answered();
            patience = firstPatience;
        } catch (const std::exception& error) {
            if (line.http.stopped()) break;  // it had no time left to answer
            line.recording.failed(error.what());
            pause = patience;
            patience = std::min(patience * 2, longestPatience);
        }
        if (!line.http.sleep(pause)) break;
    }
    line.recording.close(line.source->givenUp());
}

void Poller::stop()
{
    for (const auto& line : m_lines) line->http.stop();
    for (const auto& line : m_lines)
        if (line->thread.joinable()) line->thread.join();
    m_lines.clear();
}

}  // namespace flowgauge::remote
