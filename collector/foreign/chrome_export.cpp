// SPDX-License-Identifier: MIT
#include "collector/foreign/chrome_export.h"

#include "collector/foreign/sub_tracks.h"
#include "collector/foreign/trace_writer.h"
#include "collector/record/counter.h"
#include "collector/record/error.h"
#include "collector/store/kind_columns.h"

#include <array>
#include <cstdio>
#include <map>
#include <optional>

namespace flowgauge::foreign {
namespace {

using store::StoredEvent;
using store::TrackRow;

/// Run time 0 is not written as 0: readers (our own too) take that for a begin that was never filled in.
constexpr Nanos lead = 1'000'000;

std::string number(std::int64_t value) { return std::to_string(value); }

/// PyTorch's words for what it records too: a viewer colours by them, and our import reads them.
std::string_view categoryOf(Kind kind)
{
    switch (kind) {
        case Kind::GpuCopy:
            return "gpu_memcpy";
        case Kind::GpuFill:
            return "gpu_memset";
        case Kind::GpuApi:
            return "cuda_runtime";
        case Kind::GpuSync:
            return "cuda_sync";
        case Kind::Range:
        case Kind::StepMark:
            return "user_annotation";
        default:
            return rowOf(kind).sqlName;
    }
}

std::string_view copyName(std::int64_t direction)
{
    switch (direction) {
        case 1:
            return "Memcpy HtoD";
        case 2:
            return "Memcpy DtoH";
        case 8:
            return "Memcpy DtoD";
        case 9:
            return "Memcpy HtoH";
        case 10:
            return "Memcpy PtoP";
        default:
            return "Memcpy";
    }
}

std::string_view syncName(std::int64_t type)
{
    constexpr std::array<std::string_view, 5> names{"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
    return type >= 0 && type < static_cast<std::int64_t>(names.size()) ? names[static_cast<std::size_t>(type)] : names[0];
}

class ChromeExport {
public:
    ChromeExport(store::RunStore& store, TraceWriter& writer) : m_store(store), m_writer(writer) {}

    void run(const Progress& progress, const std::string& file)
    {
        nameProcesses();
        std::int64_t all = 1;
        for (const TrackRow& track : m_store.tracks()) all += track.events;
        std::int64_t done = 0;
        m_store.scan({}, [&](const TrackRow& track, std::span<const StoredEvent> events) {
            if (track.id != m_track) begin(track);
            for (const StoredEvent& event : events) track.key.lane == Lane::Counter ? counter(track, event) : slice(track, event);
            done += static_cast<std::int64_t>(events.size());
            if (progress && !progress(static_cast<double>(done) / static_cast<double>(all))) throw Error(file, "export was stopped");
            return true;
        });
    }
    [[nodiscard]] const ExportedTrace& exported() const { return m_exported; }

private:
    static constexpr std::int64_t hostPid = 1'000'000;  // hosts stand behind all processes

    [[nodiscard]] static std::int64_t pidOf(const TrackRow& track)
    {
        return track.key.process != 0 ? track.key.process : hostPid + track.key.host;
    }

    void metadata(std::string_view what, std::int64_t pid, std::int64_t tid, std::string_view member, const std::string& value)
    {
        m_writer.event("\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + number(pid) + ",\"tid\":" + number(tid) +
                       ",\"args\":{\"" + std::string(member) + "\":" + value + "}");
    }
    void nameProcesses()
    {
        std::map<store::Id, std::string> hosts;
        for (const store::HostRow& host : m_store.hosts()) {
            hosts[host.id] = host.name;
            metadata("process_name", hostPid + host.id, 0, "name", jsonText("host " + host.name));
            metadata("process_sort_index", hostPid + host.id, 0, "sort_index", number(hostPid + host.id));
        }
        for (const store::ProcessRow& process : m_store.processes()) {
            const std::string rank = process.rank ? "rank " + number(*process.rank) + ": " : "";
            metadata("process_name", process.id, 0, "name", jsonText(rank + process.program + " (" + hosts[process.host] + ")"));
            metadata("process_sort_index", process.id, 0, "sort_index", number(process.rank.value_or(hostPid / 2 + process.id)));
        }
    }

    void begin(const TrackRow& track)
    {
        m_track = track.id;
        m_rows = {};
        m_tids.clear();
        m_last.reset();
        if (track.key.counter) {
            const CounterRow& row = rowOf(*track.key.counter);
            m_counter = row.sqlName;
            if (track.key.source != 0) m_counter.append(" ").append(m_store.nameText(track.key.source));
            if (row.shape == CounterShape::Total) m_counter.append(" /s");
        }
    }
    [[nodiscard]] std::string trackName(const TrackRow& track, std::size_t row) const
    {
        std::string name = std::string(laneName(track.key.lane)) + " " + number(track.key.thread);
        const std::int64_t device = track.key.thread >> 32;
        const std::int64_t stream = track.key.thread & 0xFFFFFFFF;
        if (track.key.lane == Lane::Gpu || device != 0) {
            name = "GPU " + number(device) + " stream " + number(stream);
            if (track.key.lane != Lane::Gpu) name += std::string(" ") + std::string(laneName(track.key.lane));
        }
        return row == 0 ? name : name + " (" + number(static_cast<std::int64_t>(row) + 1) + ")";
    }
    std::int64_t tidOf(const TrackRow& track, std::size_t row)
    {
        while (m_tids.size() <= row) {
            m_tids.push_back(++m_lastTid);
            metadata("thread_name", pidOf(track), m_lastTid, "name", jsonText(trackName(track, m_tids.size() - 1)));
            metadata("thread_sort_index", pidOf(track), m_lastTid, "sort_index", number(m_lastTid));
        }
        return m_tids[row];
    }

    [[nodiscard]] std::string nameOf(const StoredEvent& event)
    {
        if (event.kind == Kind::GpuCopy) return std::string(copyName(event.arg[3]));
        if (event.kind == Kind::GpuFill) return "Memset";
        if (event.kind == Kind::GpuSync) return std::string(syncName(event.arg[0]));
        if (event.kind == Kind::StepMark) return "ProfilerStep#" + number(event.arg[0]);
        const auto argument = store::nameArgument(event.kind);
        const bool isItsName = rowOf(event.kind).lane == Lane::Gpu || event.kind == Kind::GpuApi || event.kind == Kind::Range ||
                               event.kind == Kind::PhaseMark || event.kind == Kind::PhaseStart;
        return argument && isItsName ? m_store.nameText(event.arg[*argument]) : std::string(rowOf(event.kind).sqlName);
    }
    [[nodiscard]] std::string argumentsOf(const StoredEvent& event)
    {
        std::string text;
        for (std::size_t i = 0; i < event.arg.size(); ++i) {
            const store::ArgumentColumn column = store::argumentOf(rowOf(event.kind), i);
            if (column.name.empty()) continue;
            const bool isName = column.type == "name";
            if (isName && event.arg[i] == 0) continue;
            text.append(text.empty() ? "\"" : ",\"").append(column.name).append("\":");
            text.append(isName ? jsonText(m_store.nameText(event.arg[i])) : number(event.arg[i]));
        }
        if (event.link != 0) text.append(text.empty() ? "" : ",").append("\"correlation\":").append(std::to_string(event.link));
        return text;
    }

    void slice(const TrackRow& track, const StoredEvent& event)
    {
        const std::size_t row = m_rows.rowOf({event.begin, event.end});
        const std::int64_t tid = tidOf(track, row);
        m_writer.event("\"ph\":\"X\",\"cat\":\"" + std::string(categoryOf(event.kind)) + "\",\"name\":" + jsonText(nameOf(event)) +
                       ",\"pid\":" + number(pidOf(track)) + ",\"tid\":" + number(tid) + ",\"ts\":" + microseconds(event.begin + lead) +
                       ",\"dur\":" + microseconds(event.end - event.begin) + ",\"args\":{" + argumentsOf(event) + "}");
        ++m_exported.slices;
        if (row > 0) ++m_exported.moved;
        if (event.link != 0 && (track.key.lane == Lane::Gpu || event.kind == Kind::GpuApi)) arrow(track, event, tid);
    }
    /// From the call to what it launched.
    void arrow(const TrackRow& track, const StoredEvent& event, std::int64_t tid)
    {
        const bool call = event.kind == Kind::GpuApi;
        m_writer.event("\"ph\":\"" + std::string(call ? "s" : "f\",\"bp\":\"e") + "\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":\"" +
                       number(track.key.process) + "." + std::to_string(event.link) + "\",\"pid\":" + number(pidOf(track)) +
                       ",\"tid\":" + number(tid) + ",\"ts\":" + microseconds(event.begin + lead));
    }

    void counter(const TrackRow& track, const StoredEvent& event)
    {
        if (!track.key.counter) return;
        const CounterRow& row = rowOf(*track.key.counter);
        double value = static_cast<double>(event.arg[2]) * row.scale;
        if (row.shape == CounterShape::Total) {
            const auto last = m_last;
            m_last = event;
            if (!last || event.begin <= last->begin || event.arg[2] < last->arg[2]) return;  // the first reading, or a reset
            value = static_cast<double>(event.arg[2] - last->arg[2]) * row.scale / static_cast<double>(event.begin - last->begin) * 1e9;
        }
        char text[40];
        std::snprintf(text, sizeof text, "%.9g", value);
        m_writer.event("\"ph\":\"C\",\"name\":" + jsonText(m_counter) + ",\"pid\":" + number(pidOf(track)) +
                       ",\"ts\":" + microseconds(event.begin + lead) + ",\"args\":{\"value\":" + text + "}");
        ++m_exported.counters;
    }

    store::RunStore& m_store;
    TraceWriter& m_writer;
    ExportedTrace m_exported;
    store::Id m_track = 0;
    SubTracks m_rows;
    std::vector<std::int64_t> m_tids;  ///< of this track's rows
    std::int64_t m_lastTid = 0;
    std::string m_counter;
    std::optional<StoredEvent> m_last;
};

}  // namespace

ExportedTrace exportChrome(store::RunStore& store, const std::filesystem::path& file, const Progress& progress)
{
    TraceWriter writer(file);
    ChromeExport chrome(store, writer);
    chrome.run(progress, file.string());
    writer.close(store.meta("t_zero").value_or(0) - lead);
    return chrome.exported();
}

}  // namespace flowgauge::foreign
