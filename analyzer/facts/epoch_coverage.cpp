// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_coverage.h"

#include "analyzer/facts/median.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// Workers may read the same index within a moment: that is one epoch's start, not two epochs.
constexpr Nanos sameMoment = 1'000'000'000;

struct Place {
    std::int64_t file, offset;
    friend bool operator==(const Place&, const Place&) = default;
};

struct PlaceHash {
    std::size_t operator()(const Place& place) const
    {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(place.file) * 0x9E3779B97F4A7C15U ^
                                        static_cast<std::uint64_t>(place.offset) * 0xC2B2AE3D27D4EB4FU);
    }
};

Place placeOf(const Visit& visit) { return {visit.file, visit.begin}; }

/// Places that are read far more often than the usual one (headers, indexes): they do not tell epochs apart.
class HotPlaces {
public:
    explicit HotPlaces(const std::vector<Visit>& visits)
    {
        for (const Visit& visit : visits) ++m_counts[placeOf(visit)];
        std::vector<std::int64_t> counts;
        counts.reserve(m_counts.size());
        for (const auto& [place, count] : m_counts) counts.push_back(count);
        m_most = 2 * medianOf(std::move(counts));
    }
    [[nodiscard]] bool holds(const Visit& visit) const { return m_counts.at(placeOf(visit)) > m_most; }

private:
    std::unordered_map<Place, std::int64_t, PlaceHash> m_counts;
    std::int64_t m_most = 0;
};

/// Goes through the visits in order of time and cuts them into epochs.
class Detector {
public:
    explicit Detector(const std::vector<Visit>& visits) : m_hot(visits) {}

    void take(const Visit& visit)
    {
        if (!m_epochs.empty() && m_hot.holds(visit)) return add(visit);
        const auto seen = m_seen.find(placeOf(visit));
        const bool again = seen != m_seen.end();
        const bool byAnother = again && seen->second.process != visit.process && visit.when.begin - seen->second.at < sameMoment;
        if (m_epochs.empty() || (again && !byAnother && longEnough())) begin(visit);
        m_seen[placeOf(visit)] = {visit.process, visit.when.begin};
        ++m_places;
        add(visit);
    }

    [[nodiscard]] std::vector<CoverageEpoch> take() { return std::move(m_epochs); }

private:
    struct Seen {
        std::int64_t process;
        Nanos at;
    };

    /// At least half as much as the epoch before: a file that is read twice within an epoch does not end it.
    [[nodiscard]] bool longEnough() const { return 2 * m_places >= m_placesBefore; }

    void begin(const Visit& visit)
    {
        m_seen.clear();
        m_placesBefore = m_places;
        m_places = 0;
        if (!m_epochs.empty()) m_epochs.back().epoch.when.end = visit.when.begin;
        m_epochs.push_back({{static_cast<std::int64_t>(m_epochs.size()) + 1, {visit.when.begin, visit.when.end}, 0, false}, {}});
    }

    void add(const Visit& visit) { m_epochs.back().reads += visit.reads; }

    HotPlaces m_hot;
    std::unordered_map<Place, Seen, PlaceHash> m_seen;
    std::int64_t m_places = 0, m_placesBefore = 0;
    std::vector<CoverageEpoch> m_epochs;
};

}  // namespace

bool PlaceSample::holds(std::int64_t file, std::int64_t offset) const
{
    // The finish of MurmurHash3: PlaceHash alone leaves regular offsets regular.
    std::uint64_t mixed = PlaceHash()({file, offset});
    mixed = (mixed ^ (mixed >> 33U)) * 0xFF51AFD7ED558CCDU;
    mixed = (mixed ^ (mixed >> 33U)) * 0xC4CEB9FE1A85EC53U;
    mixed ^= mixed >> 33U;
    return (mixed & ((std::uint64_t{1} << halvings) - 1)) == 0;
}

void VisitBuilder::read(std::int64_t file, Interval when, std::int64_t offset, std::int64_t bytes)
{
    const auto [current, isNew] = m_current.try_emplace(file);
    const bool goesOn = !isNew && (offset < 0 || offset == current->second.end);
    if (goesOn && bytes == 0) {  // the end of the file: what comes next is a new visit
        m_visits[current->second.visit].reads += {1, 0, when.length()};
        m_current.erase(current);
        return;
    }
    if (!goesOn) {
        const std::int64_t begin = std::max<std::int64_t>(offset, 0);
        if (m_visits.empty() || m_sample.holds(file, begin)) m_visits.push_back({when, file, m_process, begin, {}});
        current->second = {m_visits.size() - 1, begin};
    }
    current->second.end += bytes;
    Visit& visit = m_visits[current->second.visit];
    visit.when.end = when.end;
    visit.reads += {1, bytes, when.length()};
}

void VisitBuilder::thin(PlaceSample sample)
{
    m_sample = sample;
    std::vector<std::size_t> now;  // where the reads of each one are from here on
    std::size_t kept = 0;
    for (const Visit& visit : m_visits) {
        if (kept == 0 || sample.holds(visit.file, visit.begin))
            m_visits[kept++] = visit;
        else
            m_visits[kept - 1].reads += visit.reads;
        now.push_back(kept - 1);
    }
    m_visits.resize(kept);
    for (auto& [file, current] : m_current) current.visit = now[current.visit];
}

std::vector<CoverageEpoch> epochsOfVisits(std::vector<Visit> visits, Nanos end)
{
    std::sort(visits.begin(), visits.end(), [](const Visit& left, const Visit& right) { return left.when.begin < right.when.begin; });
    Detector detector(visits);
    for (const Visit& visit : visits) detector.take(visit);
    std::vector<CoverageEpoch> epochs = detector.take();
    if (epochs.size() < 2) return {};
    epochs.back().epoch.when.end = std::max(end, epochs.back().epoch.when.end);
    return epochs;
}

}  // namespace flowgauge::facts
