// SPDX-License-Identifier: MIT
#include "collector/record/ledger_line.h"
#include "collector/run/doctor/doctor.h"
#include "collector/sample/gpu.h"
#include "collector/sample/host_samplers.h"

#include <array>
#include <string_view>

/// What the counters of this machine can tell: the samplers themselves are asked, so that a run here will say the same.
namespace flowgauge::run::doctor {
namespace {

struct SamplerRow {
    std::string_view what, question;
};
constexpr std::array samplerRows{
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) SamplerRow{#what, question},
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
};

/// Of which sampler more can be said than whether it is there.
struct Named {
    std::string_view what;
    std::string (*names)(const Place& place);
};
constexpr std::array named{Named{"nic", interfaceNames}, Named{"infiniband", infinibandNames}, Named{"nfs", nfsMounts}};

/// A line of a ledger, as it would be recorded.
struct Note {
    std::string what, state, reason;
};

std::vector<Note>* taken = nullptr;  // the samplers know who listens by two functions only

NameKey take(NameClass, std::string_view text)
{
    if (!text.starts_with(hostFactMark)) return 1;
    text.remove_prefix(hostFactMark.size());
    const std::size_t state = text.find('\t'), reason = text.find('\t', state + 1);
    if (reason != std::string_view::npos)
        taken->push_back({std::string(text.substr(0, state)), std::string(text.substr(state + 1, reason - state - 1)),
                          std::string(text.substr(reason + 1))});
    return 1;
}

constexpr sample::Outlet listener{[](const Event&) {}, take};

std::vector<Note> notesOf(const Place& place)
{
    std::vector<Note> notes;
    taken = &notes;
    sample::permitNvml();  // this process samples nothing else
    const std::string root = place.root == "/" ? "" : place.root.native();
    sample::HostSamplers* const samplers = sample::HostSamplers::make(root, listener);
    if (samplers != nullptr) samplers->open(1);
    sample::HostSamplers::discard(samplers);
    taken = nullptr;
    return notes;
}

Row rowOf(const Place& place, const SamplerRow& sampler, const Note& own)
{
    Row row{std::string(sampler.what), own.state == "measured" ? State::Ok : State::Absent, own.reason};
    if (row.state == State::Absent) row.detail += "; not answered: " + std::string(sampler.question);
    for (const Named& one : named) {
        const std::string names = one.what == sampler.what && row.state == State::Ok ? one.names(place) : "";
        if (!names.empty()) row.detail = names + ": " + row.detail;
    }
    return row;
}

}  // namespace

/// What a sampler says of single mounts and devices comes before what it says of itself.
std::vector<Row> checkSamplers(const Place& place)
{
    std::vector<Row> rows;
    std::string more;
    for (const Note& note : notesOf(place)) {
        const SamplerRow* const next = rows.size() < samplerRows.size() ? &samplerRows[rows.size()] : nullptr;
        if (next != nullptr && note.what == next->what && (note.state == "measured" || note.state == "absent")) {
            rows.push_back(rowOf(place, *next, note));
            rows.back().detail += more;
            more.clear();
        } else if (note.state == "absent" || note.state == "degraded") {
            more += "; " + note.what + ": " + note.reason;
        }
    }
    return rows;
}

}  // namespace flowgauge::run::doctor
