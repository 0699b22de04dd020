// SPDX-License-Identifier: MIT
#include "analyzer/mpi/seen_runs.h"

#include "analyzer/cli/analysis.h"
#include "collector/record/error.h"

#include <cstdio>
#include <set>
#include <sstream>

namespace flowgauge::mpi {
namespace {

void add(open::OpenedRun opened, std::size_t run, SeenRuns& seen)
{
    seen.parts.push_back(placedPartOf(opened, run));
    seen.opened.try_emplace(seen.parts.back().identity, std::move(opened));
}

std::optional<SeenRuns> openAsFirst(const std::vector<std::string>& runs)
{
    try {
        SeenRuns seen;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (std::filesystem::exists(runs[i])) add(cli::openWithProgress(runs[i]), i, seen);
        return seen;
    } catch (const Error& error) {
        std::fprintf(stderr, "flowgauge-mpi: %s\n", error.what());
        return std::nullopt;
    }
}

/// Position among the RUNs and database, a line each.
std::string placesOf(const SeenRuns& seen)
{
    std::string places;
    for (const PlacedPart& part : seen.parts)
        places += std::to_string(part.run) + ' ' + seen.opened.at(part.identity).database.string() + '\n';
    return places;
}

SeenRuns openPlaces(const std::string& places)
{
    SeenRuns seen;
    std::istringstream lines(places);
    std::size_t run = 0;
    for (std::string database; lines >> run && std::getline(lines >> std::ws, database);)
        add({database, "", store::RunStore::openForReading(database), true, {}}, run, seen);
    return seen;
}

}  // namespace

std::optional<SeenRuns> openSeen(const Peers& peers, const std::vector<std::string>& runs)
{
    std::optional<SeenRuns> seen;
    if (peers.isFirstOfHost()) seen = openAsFirst(runs);
    const std::string places = peers.fromFirstOfHost(seen ? placesOf(*seen) : "");
    if (!peers.isFirstOfHost()) seen = openPlaces(places);
    for (const std::string& said : peers.everybodys(peers.isFirstOfHost() && !seen ? "unreadable" : ""))
        if (!said.empty()) return std::nullopt;
    return seen;
}

Plan agreedPlan(const Peers& peers, const std::vector<std::string>& runs, const SeenRuns& own)
{
    std::vector<std::vector<PlacedPart>> seen;
    std::set<std::size_t> found;
    for (const std::string& text : peers.everybodys(textOf(own.parts))) {
        seen.push_back(placedPartsOf(text));
        for (const PlacedPart& part : seen.back()) found.insert(part.run);
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (!found.contains(i)) throw Error(runs[i], "there is no such run on any host; `flowgauge run -o ", runs[i], " -- ...` makes one");
    Plan plan = planOf(seen);
    checkOneRun(plan, runs);
    return plan;
}

}  // namespace flowgauge::mpi
