// SPDX-License-Identifier: MIT
// The operations of nccl_calls.def, as functions that stand in front of NCCL's.
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/nccl/grouped.h"
#include "instrument/nccl/words.h"

#include <utility>

namespace flowgauge::nccl {
namespace {

/// Position of a letter of nccl_calls.def among the arguments, -1 where the call has none.
constexpr int positionOf(const char* letters, char letter)
{
    for (int at = 0; letters[at] != '\0'; ++at)
        if (letters[at] == letter) return at;
    return -1;
}

struct Shape {
    Kind kind;
    const char* letters;
    [[nodiscard]] Word word(const Word* given, char letter) const { return given[positionOf(letters, letter)]; }
    [[nodiscard]] bool has(char letter) const { return positionOf(letters, letter) >= 0; }
};

/// count x type, of as many ranks as a root gives to or takes from.
std::uint64_t bytesOfCall(const Shape& shape, const Word* given, const Context& context)
{
    const auto type = static_cast<std::uint8_t>(shape.word(given, 't'));
    const std::uint64_t bytes = shape.word(given, 'n') * bytesOf(type);
    return shape.kind == Kind::Alltoall ? bytes * context.ranks.load(std::memory_order_relaxed) : bytes;
}

void note(const Shape& shape, const Word* given, const void* caller, Span span, int result)
{
    const raw::KeepErrno keep;
    // Nothing is moved, and NCCL tells its plugin nothing.
    if (shape.word(given, 'n') == 0) return;
    Context* const context = communicators::toRecord(shape.word(given, 'c'), caller);
    if (context == nullptr) return;
    Operation operation;
    operation.kind = shape.kind;
    operation.bytes = bytesOfCall(shape, given, *context);
    if (shape.has('x') || shape.has('p')) operation.peer = static_cast<std::int32_t>(shape.word(given, shape.has('x') ? 'x' : 'p'));
    operation.flags |= flagNonblocking;
    operation.span = span;
    operation.way.algorithm = algorithmOf(nullptr);
    grouped::add(*context, operation, result);
}

template <std::size_t... I>
int through(Call& call, const Shape& shape, const void* caller, const Word* given, std::index_sequence<I...>)
{
    const auto real = reinterpret_cast<int (*)(decltype(I, Word{})...)>(call.realFor(caller));
    if (real == nullptr) return internalError;
    if (depth != 0 || !buffer::enabled()) return real(given[I]...);
    ++depth;
    const Ticks begin = now();
    const int result = real(given[I]...);
    const Span span{begin, now()};
    --depth;
    note(shape, given, caller, span, result);
    return result;
}

}  // namespace
}  // namespace flowgauge::nccl

#define FLOWGAUGE_WORD flowgauge::nccl::Word
#define FLOWGAUGE_TAKES_6 FLOWGAUGE_WORD a1, FLOWGAUGE_WORD a2, FLOWGAUGE_WORD a3, FLOWGAUGE_WORD a4, FLOWGAUGE_WORD a5, FLOWGAUGE_WORD a6
#define FLOWGAUGE_TAKES_7 FLOWGAUGE_TAKES_6, FLOWGAUGE_WORD a7
#define FLOWGAUGE_TAKES_8 FLOWGAUGE_TAKES_7, FLOWGAUGE_WORD a8
#define FLOWGAUGE_GIVES_6 a1, a2, a3, a4, a5, a6
#define FLOWGAUGE_GIVES_7 FLOWGAUGE_GIVES_6, a7
#define FLOWGAUGE_GIVES_8 FLOWGAUGE_GIVES_7, a8

#define FLOWGAUGE_NCCL_OTHER(name)
#define FLOWGAUGE_NCCL_CALL(name, arity, kind, letters)                                                  \
    namespace {                                                                                          \
    constinit flowgauge::nccl::Call call##name{"pnccl" #name};                                           \
    }                                                                                                    \
    extern "C" FLOWGAUGE_EXPORT int nccl##name(FLOWGAUGE_TAKES_##arity);                                 \
    extern "C" int nccl##name(FLOWGAUGE_TAKES_##arity)                                                   \
    {                                                                                                    \
        using namespace flowgauge::nccl;                                                                 \
        const Word given[] = {FLOWGAUGE_GIVES_##arity};                                                  \
        return through(call##name, {flowgauge::Kind::kind, letters}, __builtin_return_address(0), given, \
                       std::make_index_sequence<arity>{});                                               \
    }
#include "instrument/nccl/nccl_calls.def"
#undef FLOWGAUGE_NCCL_CALL
#undef FLOWGAUGE_NCCL_OTHER
