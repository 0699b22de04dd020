// SPDX-License-Identifier: MIT
// The exported names of mark_calls.def.
#include "collector/buffer/recorder.h"
#include "instrument/hook/next.h"
#include "instrument/mark/marks.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {

FLOWGAUGE_EXPORT void flowgauge_mark_epoch_begin(long long number) { flowgauge::mark::beginEpoch(number); }
FLOWGAUGE_EXPORT void flowgauge_mark_epoch_end(long long number, unsigned long long samples) { flowgauge::mark::endEpoch(number, samples); }
FLOWGAUGE_EXPORT void flowgauge_mark_step_begin(long long number) { flowgauge::mark::beginStep(number); }
FLOWGAUGE_EXPORT void flowgauge_mark_step_end(long long number, unsigned long long samples) { flowgauge::mark::endStep(number, samples); }
FLOWGAUGE_EXPORT void flowgauge_mark_phase_begin(const char* name) { flowgauge::mark::beginPhase(name); }
FLOWGAUGE_EXPORT void flowgauge_mark_phase_end(const char* name) { flowgauge::mark::endPhase(name); }
FLOWGAUGE_EXPORT void flowgauge_mark_samples(unsigned long long count) { flowgauge::mark::addSamples(count); }

}  // extern "C"

namespace {

/// As struct flowgauge_marks of flowgauge.h, which an injected room cannot include: it would ask itself.
struct Table {
    std::size_t size;
#define FLOWGAUGE_MARK(exported, member, arguments, sentence) void(*member) arguments;
#define FLOWGAUGE_HOOK(name, sentence)
#include "instrument/mark/mark_calls.def"
#undef FLOWGAUGE_MARK
};

constexpr Table table{
    sizeof(Table),
#define FLOWGAUGE_MARK(exported, member, arguments, sentence) exported,
#include "instrument/mark/mark_calls.def"
#undef FLOWGAUGE_MARK
#undef FLOWGAUGE_HOOK
};

constexpr int marksQuestion = 0x464c4f57;  // FLOWGAUGE_MARKS_QUESTION
constinit flowgauge::hook::Next<std::size_t (*)(int, char*, std::size_t)> realConfstr{"confstr"};

}  // namespace

/// Outside of a profiled process nobody is answered: a program then keeps its marks to itself.
extern "C" FLOWGAUGE_EXPORT std::size_t confstr(int name, char* buffer, std::size_t bytes)
{
    if (name != marksQuestion || !flowgauge::buffer::enabled()) return realConfstr.get()(name, buffer, bytes);
    const auto answer = reinterpret_cast<std::uintptr_t>(&table);
    if (buffer != nullptr && bytes >= sizeof answer) memcpy(buffer, &answer, sizeof answer);
    return sizeof answer;
}
