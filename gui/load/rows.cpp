// SPDX-License-Identifier: MIT
#include "gui/load/rows.h"

#include "analyzer/facts/host_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace flowgauge::load {

namespace {

using timeline::Line;
using timeline::Row;
using timeline::RowKind;
using timeline::Unit;

constexpr int laneHeight = 20;
constexpr int curveHeight = 38;

/// A row of curves that a host may have; one row a source (port, mount, disk) where bySource.
struct CurveRow {
    const char* label;
    const char* hint;
    Unit unit;
    bool bySource;
    struct Curve {
        const char* label;
        Counter counter;
        Counter over;  ///< MilliSeconds: of how many
    };
    std::array<Curve, 2> curves;
    std::size_t count;
};

constexpr std::array curveRows{
    CurveRow{"NIC",
             "Bytes over the network interface, headers included",
             Unit::BytesPerSecond,
             true,
             {{{"received", Counter::NicRxBytes, {}}, {"sent", Counter::NicTxBytes, {}}}},
             2},
    CurveRow{"InfiniBand",
             "Bytes over the port",
             Unit::BytesPerSecond,
             true,
             {{{"received", Counter::IbRxBytes, {}}, {"sent", Counter::IbTxBytes, {}}}},
             2},
    CurveRow{"NFS",
             "Bytes of the mount: fetched over the wire, and asked for by programs (cache hits included)",
             Unit::BytesPerSecond,
             true,
             {{{"fetched", Counter::NfsFetchedBytes, {}}, {"asked", Counter::NfsAskedBytes, {}}}},
             2},
    CurveRow{"NFS latency",
             "Mean time from sending a READ to its reply",
             Unit::Milliseconds,
             true,
             {{{"round trip", Counter::NfsReadRttMs, Counter::NfsReadOps}, {}}},
             1},
    CurveRow{"disk", "Bytes read from the block device", Unit::BytesPerSecond, true, {{{"read", Counter::DiskReadBytes, {}}, {}}}, 1},
    CurveRow{"page cache", "File pages in memory", Unit::Bytes, false, {{{"cached", Counter::PageCache, {}}, {}}}, 1},
    CurveRow{"CPU", "Processor time of the whole host", Unit::Share, false, {{{"busy", Counter::CpuIdle, {}}, {}}}, 1},
};

class Builder {
public:
    explicit Builder(const RunSnapshot& run) : m_run(run) {}
    std::vector<Row> build()
    {
        for (const store::HostRow& host : m_run.hosts) addHost(host);
        return std::move(m_rows);
    }

private:
    Row& add(Row row)
    {
        m_rows.push_back(std::move(row));
        return m_rows.back();
    }
    void addHost(const store::HostRow& host);
    void addCurves(const store::HostRow& host, const CurveRow& curves, std::size_t parent);
    void addCurveRow(const std::string& label, const CurveRow& curves, const std::map<Counter, std::vector<store::Id>>& tracks, Row row);
    void addRank(int rank, const std::vector<const TrackInfo*>& tracks, std::size_t parent);
    void addLane(const Row& like, RowKind kind, const char* label, const char* hint, std::vector<store::Id> tracks);
    void addStreams(const Row& like, const std::vector<const TrackInfo*>& tracks);
    [[nodiscard]] std::optional<std::size_t> positionOf(int rank) const;
    [[nodiscard]] double ceilingOf(const std::string& host, const std::string& source, const CurveRow& curves) const;

    const RunSnapshot& m_run;
    std::vector<Row> m_rows;
};

std::vector<store::Id> idsOf(const std::vector<const TrackInfo*>& tracks, Lane lane)
{
    std::vector<store::Id> ids;
    for (const TrackInfo* track : tracks)
        if (track->row.key.lane == lane && track->row.events > 0) ids.push_back(track->row.id);
    return ids;
}

/// What the port behind a row can move each way; 0: it is none, or does not tell.
double Builder::ceilingOf(const std::string& host, const std::string& source, const CurveRow& curves) const
{
    const Counter counter = curves.curves[0].counter;
    if (!m_run.analysis || (counter != Counter::NicRxBytes && counter != Counter::IbRxBytes)) return 0;
    for (const facts::PortFacts& one : m_run.analysis->facts.network.ports)
        if (one.port.host == host && one.port.name == source) return one.port.rate.valueOr(0);
    return 0;
}

std::string shortSource(const std::string& source)
{
    const std::size_t space = source.find(' ');
    return source.substr(0, space);
}

void Builder::addHost(const store::HostRow& host)
{
    const std::size_t heading = m_rows.size();
    Row row;
    row.id = row.label = facts::nameOfHost(m_run.hosts, host.id);
    row.hint = "Host " + row.label;
    row.kind = RowKind::Host;
    row.heightPx = 24;
    add(std::move(row));
    for (const CurveRow& curves : curveRows) addCurves(host, curves, heading);
    std::map<int, std::vector<const TrackInfo*>> ranks;
    for (const TrackInfo& track : m_run.tracks)
        if (track.row.key.host == host.id && track.rank && track.row.key.lane != Lane::Counter) ranks[*track.rank].push_back(&track);
    for (const auto& [rank, tracks] : ranks) addRank(rank, tracks, heading);
}

void Builder::addCurves(const store::HostRow& host, const CurveRow& curves, std::size_t parent)
{
    std::map<std::string, std::map<Counter, std::vector<store::Id>>> bySource;
    for (const TrackInfo& track : m_run.tracks) {
        const store::TrackKey& key = track.row.key;
        if (key.host != host.id || key.lane != Lane::Counter || !key.counter || key.process != 0) continue;
        for (std::size_t i = 0; i < curves.count; ++i) {
            const bool wanted = *key.counter == curves.curves[i].counter ||
                                (curves.unit == Unit::Milliseconds && *key.counter == curves.curves[i].over) ||
                                (curves.unit == Unit::Share && rowOf(*key.counter).family == CounterFamily::Cpu);
            if (wanted) bySource[curves.bySource ? track.source : std::string()][*key.counter].push_back(track.row.id);
        }
    }
    const std::string name = facts::nameOfHost(m_run.hosts, host.id);
    for (const auto& [source, tracks] : bySource) {
        if (source == "lo") continue;  // what a host tells itself crosses no network
        Row row;
        row.parent = parent;
        row.depth = 1;
        row.id.append(name).append("/").append(curves.label).append("/").append(source);
        row.hint = std::string(curves.hint) + (source.empty() ? "" : ": " + source);
        row.ceiling = ceilingOf(name, source, curves);
        addCurveRow(std::string(curves.label) + (source.empty() ? "" : " " + shortSource(source)), curves, tracks, std::move(row));
    }
}

void Builder::addCurveRow(const std::string& label, const CurveRow& curves, const std::map<Counter, std::vector<store::Id>>& tracks,
                          Row row)
{
    row.label = label;
    row.kind = RowKind::Counter;
    row.unit = curves.unit;
    row.heightPx = curveHeight;
    for (std::size_t i = 0; i < curves.count; ++i) {
        const auto found = tracks.find(curves.curves[i].counter);
        if (found == tracks.end()) continue;
        Line line{curves.curves[i].label, found->first, found->second, curves.curves[i].over, {}};
        if (curves.unit == Unit::Milliseconds && tracks.contains(line.over)) line.overTracks = tracks.at(line.over);
        if (curves.unit == Unit::Share)
            for (const auto& [counter, ids] : tracks) line.overTracks.insert(line.overTracks.end(), ids.begin(), ids.end());
        row.lines.push_back(std::move(line));
    }
    if (!row.lines.empty()) add(std::move(row));
}

std::optional<std::size_t> Builder::positionOf(int rank) const
{
    if (!m_run.analysis) return std::nullopt;
    const auto& ranks = m_run.analysis->facts.ranks;
    for (std::size_t at = 0; at < ranks.size(); ++at)
        if (ranks[at].rank == rank) return at;
    return std::nullopt;
}

void Builder::addLane(const Row& like, RowKind kind, const char* label, const char* hint, std::vector<store::Id> tracks)
{
    Row row = like;
    row.kind = kind;
    row.label = label;
    row.hint = hint;
    row.id = like.id + "/" + label;
    row.tracks = std::move(tracks);
    add(std::move(row));
}

/// A row a stream of a GPU: its kernels follow each other there.
void Builder::addStreams(const Row& like, const std::vector<const TrackInfo*>& tracks)
{
    for (const TrackInfo* track : tracks) {
        if (track->row.key.lane != Lane::Gpu || track->row.events == 0) continue;
        const std::int64_t device = track->row.key.thread >> 32;
        const std::int64_t stream = track->row.key.thread & 0xFFFFFFFF;
        const std::string label = "GPU " + std::to_string(device) + " stream " + std::to_string(stream);
        addLane(like, RowKind::Events, label.c_str(), "Kernels, copies and fills of one stream", {track->row.id});
    }
}

void Builder::addRank(int rank, const std::vector<const TrackInfo*>& tracks, std::size_t parent)
{
    const std::size_t heading = m_rows.size();
    const auto at = positionOf(rank);
    Row row;
    row.id = "rank" + std::to_string(rank);
    row.label = "rank " + std::to_string(rank);
    row.hint = "Steps of rank " + std::to_string(rank);
    row.kind = RowKind::Rank;
    row.parent = parent;
    row.depth = 1;
    row.rank = rank;
    row.rankAt = at.value_or(0);
    row.heightPx = 22;
    row.tracks = idsOf(tracks, Lane::Mark);
    add(row);
    row.parent = heading;
    row.depth = 2;
    row.heightPx = laneHeight;
    row.tracks.clear();
    if (at && m_run.analysis->facts.ranks[*at].computeKnown.known())
        addLane(row, RowKind::Parts, "compute", "Compute, and below it what the step waits for: data (orange), copies (purple)", {});
    addStreams(row, tracks);
    if (auto ids = idsOf(tracks, Lane::Comm); !ids.empty())
        addLane(row, RowKind::Communication, "communication", "Collectives and messages: hidden under compute, or exposed (vermilion)",
                std::move(ids));
    if (auto ids = idsOf(tracks, Lane::Io); !ids.empty())
        addLane(row, RowKind::Events, "file reads", "Calls on data files, of all threads and workers of the rank", std::move(ids));
    if (auto ids = idsOf(tracks, Lane::Mark); !ids.empty())
        addLane(row, RowKind::Phases, "phases", "What the program says it does", std::move(ids));
    if (auto ids = idsOf(tracks, Lane::Api); !ids.empty())
        addLane(row, RowKind::Events, "GPU calls", "Calls of the CUDA runtime and driver", std::move(ids));
}

}  // namespace

std::vector<Row> rowsOf(const RunSnapshot& run) { return Builder(run).build(); }

}  // namespace flowgauge::load
