// SPDX-License-Identifier: MIT
#include "instrument/mark/marks.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "instrument/mark/phase_names.h"

#include <array>
#include <cstring>

namespace flowgauge::mark {

namespace {

/// A mark that was begun. What it is called: a number for epochs and steps, the key of a name for phases.
struct Open {
    Kind kind;  ///< of the mark that its end will record
    std::int64_t called;
    Ticks begin;
    std::uint64_t samples;
};

struct Stack {
    std::array<Open, deepest> open;
    std::uint32_t depth;
};
constinit thread_local Stack stack{};

void push(const Open& mark)
{
    if (stack.depth == deepest) return buffer::lose(DropReason::TableFull);
    stack.open[stack.depth++] = mark;
}

void recordEnd(const Open& mark, std::uint64_t samples, Ticks end, std::uint16_t flags)
{
    const Span span{mark.begin, end};
    Event event = mark.kind == Kind::EpochMark  ? epochMark(span, mark.called, samples)
                  : mark.kind == Kind::StepMark ? stepMark(span, mark.called, samples)
                                                : phaseMark(span, static_cast<NameKey>(mark.called));
    event.flags |= flags;
    buffer::record(event);
}

/// Index of the innermost mark of that kind, and name where `called` is given; `deepest` when there is none.
std::uint32_t innermost(Kind kind, const std::int64_t* called)
{
    for (std::uint32_t i = stack.depth; i > 0; --i)
        if (stack.open[i - 1].kind == kind && (called == nullptr || stack.open[i - 1].called == *called)) return i - 1;
    return deepest;
}

void addTo(Kind kind, std::uint64_t count)
{
    const std::uint32_t index = innermost(kind, nullptr);
    if (index != deepest) stack.open[index].samples += count;
}

void end(Kind kind, std::int64_t called, std::uint64_t samples)
{
    const Ticks at = now();
    const std::uint32_t index = innermost(kind, &called);
    if (index == deepest) return buffer::lose(DropReason::Unbalanced);
    while (stack.depth > index + 1) {
        buffer::lose(DropReason::Unbalanced);
        const Open& forgotten = stack.open[--stack.depth];
        recordEnd(forgotten, forgotten.samples, at, flagIncomplete);
    }
    const Open mark = stack.open[--stack.depth];
    const std::uint64_t counted = samples != 0 ? samples : mark.samples;
    recordEnd(mark, counted, at, 0);
    // flowgauge_samples has already told the epoch; what the step's own number says beyond that is news to it.
    if (kind == Kind::StepMark && counted > mark.samples) addTo(Kind::EpochMark, counted - mark.samples);
}

std::string_view textOf(const char* name) { return name != nullptr ? std::string_view(name, strlen(name)) : std::string_view(); }

}  // namespace

void beginEpoch(std::int64_t number)
{
    if (!buffer::enabled()) return;
    const Ticks at = now();
    buffer::record(epochStart(at, number));
    push({Kind::EpochMark, number, at, 0});
}

void beginStep(std::int64_t number)
{
    if (buffer::enabled()) push({Kind::StepMark, number, now(), 0});
}

void beginPhase(const char* name)
{
    if (!buffer::enabled()) return;
    const Ticks at = now();
    const NameKey key = phaseName(textOf(name));
    buffer::record(phaseStart(at, key));
    push({Kind::PhaseMark, static_cast<std::int64_t>(key), at, 0});
}

void endEpoch(std::int64_t number, std::uint64_t samples)
{
    if (buffer::enabled()) end(Kind::EpochMark, number, samples);
}

void endStep(std::int64_t number, std::uint64_t samples)
{
    if (buffer::enabled()) end(Kind::StepMark, number, samples);
}

void endPhase(const char* name)
{
    if (buffer::enabled()) end(Kind::PhaseMark, static_cast<std::int64_t>(phaseName(textOf(name))), 0);
}

void addSamples(std::uint64_t count)
{
    if (!buffer::enabled()) return;
    addTo(Kind::StepMark, count);
    addTo(Kind::EpochMark, count);
}

void forgetAfterFork()
{
    forgetPhaseNames();
    stack.depth = 0;
}

}  // namespace flowgauge::mark
