// SPDX-License-Identifier: MIT
#include "collector/sample/host_samplers.h"

#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "collector/sample/gpudirect.h"

#include <new>

namespace flowgauge::sample {
namespace {

constexpr std::size_t mostSources = 2048;  // thousands of automounts are half of them at most

void tell(const CounterSink& sink, std::string_view what, const Availability& found, std::string_view question)
{
    sink.note(what, found.present ? "measured" : "absent", found.reason);
    if (!found.present) sink.note(what, "unanswered", question);
}

/// True when the least period has passed; a beat that comes a little early counts.
bool isDue(Nanos& dueNs, Nanos nowNs, Nanos leastMs)
{
    constexpr Nanos millisecond = 1'000'000;
    if (nowNs < dueNs) return false;
    dueNs = nowNs + leastMs * millisecond - leastMs * millisecond / 20;
    return true;
}

}  // namespace

HostSamplers* HostSamplers::make(std::string_view root, const Outlet& outlet, std::string_view spoolFolder)
{
    void* const memory = raw::map(sizeof(HostSamplers), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == nullptr) return nullptr;
    auto* const samplers = new (memory) HostSamplers(root, outlet);
    samplers->m_dataSet.open(spoolFolder);
    if (samplers->m_sources.create(mostSources)) return samplers;
    discard(samplers);
    return nullptr;
}

void HostSamplers::discard(HostSamplers* samplers)
{
    if (samplers == nullptr) return;
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) samplers->m_##member.close();
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
    samplers->m_dataSet.close();
    samplers->m_scratch.release();
    samplers->m_sources.release();
    raw::unmap(samplers, sizeof(HostSamplers));
}

void HostSamplers::open(Nanos nowNs)
{
    m_sink.beginPass(nowNs);
    const Pass lent = pass();
    noteGpuDirect(lent);
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) tell(m_sink, #what, m_##member.open(lent), question);
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
}

void HostSamplers::sample(Nanos nowNs)
{
    m_sink.beginPass(nowNs);
    const Pass lent = pass();
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) \
    if (isDue(m_##member##DueNs, nowNs, leastMs)) m_##member.sample(lent);
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
    m_dataSet.sample(lent);
}

void HostSamplers::sampleLast(Nanos nowNs)
{
    constexpr Nanos longestRest = 30'000'000'000;  // between two readings of one file, thousands of mounts included
    sample(nowNs + longestRest);
}

void HostSamplers::putOwn(Nanos lateNs, Nanos passNs)
{
    Source* const source = m_sources.find(CounterFamily::Sampler, "sampler");
    if (source == nullptr) return;
    if (source->use == Use::Undecided) m_sink.accept(*source, "sampler");
    const Ticks at = now();
    m_sink.put(at, *source, Counter::SampleLateNs, static_cast<std::uint64_t>(lateNs > 0 ? lateNs : 0));
    m_sink.put(at, *source, Counter::SamplePassNs, static_cast<std::uint64_t>(passNs));
}

}  // namespace flowgauge::sample
