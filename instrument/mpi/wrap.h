// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/mpi/shapes.h"
#include "instrument/mpi/watch.h"

#include <cstddef>
#include <utility>

/// How one exported function is made from a row of mpi_calls.def. Every argument is a word: integers, pointers and handles all
/// travel in the same registers and eight-byte stack places on the machines that we know (x86-64, AArch64, POWER), and the high
/// half of an int is passed on as it came.
namespace flowgauge::mpi {

/// What a wrapper answers when it finds no function behind it: MPI_ERR_OTHER of Open MPI, MPI_ERR_INTERN of the others.
inline constexpr int noSuchFunction = 16;

/// MPI reports through the return value, Fortran through a last argument, which a Fortran 2008 program may leave out.
inline int resultOf(const Call& call, Word last, int returned)
{
    if (call.passing != Passing::Fortran) return returned;
    return last != 0 ? *reinterpret_cast<const int*>(last) : 0;
}

inline int refuse(const Call& call, Word last)
{
    if (call.passing == Passing::Fortran && last != 0) *reinterpret_cast<int*>(last) = noSuchFunction;
    return noSuchFunction;
}

template <typename Shape, std::size_t... I>
int pass(Call& call, const void* caller, Word* words, std::index_sequence<I...>)
{
    const Word last = words[sizeof...(I) > 0 ? sizeof...(I) - 1 : 0];
    const auto real = reinterpret_cast<int (*)(decltype(I, Word{})...)>(realOf(call, caller));
    if (real == nullptr) return refuse(call, last);
    const Library* const library = watch(caller);
    if (library == nullptr) return real(words[I]...);
    ++depth;
    const Arguments given(call, *library, words);
    Shape shape(given, words);
    const Ticks begin = now();
    const int returned = real(words[I]...);
    const Span span{begin, now()};
    {
        const raw::KeepErrno keep;
        shape.finish(span, resultOf(call, last, returned));
    }
    --depth;
    return returned;
}

/// Entry of every wrapper. No `noexcept` here: a thread may be cancelled inside the real call, which unwinds through us.
template <typename Shape, typename... Words>
int through(Call& call, const void* caller, Words... given)
{
    Word words[sizeof...(Words) + 1] = {given..., 0};
    return pass<Shape>(call, caller, words, std::make_index_sequence<sizeof...(Words)>{});
}

}  // namespace flowgauge::mpi

// Parameter lists by number of arguments, and the numbers that follow one.
#define FLOWGAUGE_WORD flowgauge::mpi::Word
#define FLOWGAUGE_TAKES_0
#define FLOWGAUGE_TAKES_1 FLOWGAUGE_WORD a1
#define FLOWGAUGE_TAKES_2 FLOWGAUGE_TAKES_1, FLOWGAUGE_WORD a2
#define FLOWGAUGE_TAKES_3 FLOWGAUGE_TAKES_2, FLOWGAUGE_WORD a3
#define FLOWGAUGE_TAKES_4 FLOWGAUGE_TAKES_3, FLOWGAUGE_WORD a4
#define FLOWGAUGE_TAKES_5 FLOWGAUGE_TAKES_4, FLOWGAUGE_WORD a5
#define FLOWGAUGE_TAKES_6 FLOWGAUGE_TAKES_5, FLOWGAUGE_WORD a6
#define FLOWGAUGE_TAKES_7 FLOWGAUGE_TAKES_6, FLOWGAUGE_WORD a7
#define FLOWGAUGE_TAKES_8 FLOWGAUGE_TAKES_7, FLOWGAUGE_WORD a8
#define FLOWGAUGE_TAKES_9 FLOWGAUGE_TAKES_8, FLOWGAUGE_WORD a9
#define FLOWGAUGE_TAKES_10 FLOWGAUGE_TAKES_9, FLOWGAUGE_WORD a10
#define FLOWGAUGE_TAKES_11 FLOWGAUGE_TAKES_10, FLOWGAUGE_WORD a11
#define FLOWGAUGE_TAKES_12 FLOWGAUGE_TAKES_11, FLOWGAUGE_WORD a12
#define FLOWGAUGE_TAKES_13 FLOWGAUGE_TAKES_12, FLOWGAUGE_WORD a13
#define FLOWGAUGE_TAKES_14 FLOWGAUGE_TAKES_13, FLOWGAUGE_WORD a14
#define FLOWGAUGE_GIVES_0
#define FLOWGAUGE_GIVES_1 , a1
#define FLOWGAUGE_GIVES_2 FLOWGAUGE_GIVES_1, a2
#define FLOWGAUGE_GIVES_3 FLOWGAUGE_GIVES_2, a3
#define FLOWGAUGE_GIVES_4 FLOWGAUGE_GIVES_3, a4
#define FLOWGAUGE_GIVES_5 FLOWGAUGE_GIVES_4, a5
#define FLOWGAUGE_GIVES_6 FLOWGAUGE_GIVES_5, a6
#define FLOWGAUGE_GIVES_7 FLOWGAUGE_GIVES_6, a7
#define FLOWGAUGE_GIVES_8 FLOWGAUGE_GIVES_7, a8
#define FLOWGAUGE_GIVES_9 FLOWGAUGE_GIVES_8, a9
#define FLOWGAUGE_GIVES_10 FLOWGAUGE_GIVES_9, a10
#define FLOWGAUGE_GIVES_11 FLOWGAUGE_GIVES_10, a11
#define FLOWGAUGE_GIVES_12 FLOWGAUGE_GIVES_11, a12
#define FLOWGAUGE_GIVES_13 FLOWGAUGE_GIVES_12, a13
#define FLOWGAUGE_GIVES_14 FLOWGAUGE_GIVES_13, a14
#define FLOWGAUGE_PLUS1_0 1
#define FLOWGAUGE_PLUS1_1 2
#define FLOWGAUGE_PLUS1_2 3
#define FLOWGAUGE_PLUS1_3 4
#define FLOWGAUGE_PLUS1_4 5
#define FLOWGAUGE_PLUS1_5 6
#define FLOWGAUGE_PLUS1_6 7
#define FLOWGAUGE_PLUS1_7 8
#define FLOWGAUGE_PLUS1_8 9
#define FLOWGAUGE_PLUS1_9 10
#define FLOWGAUGE_PLUS1_10 11
#define FLOWGAUGE_PLUS1_11 12
#define FLOWGAUGE_PLUS1_12 13
#define FLOWGAUGE_PLUS1_13 14
#define FLOWGAUGE_PASTE(left, right) left##right
#define FLOWGAUGE_JOIN(left, right) FLOWGAUGE_PASTE(left, right)
#define FLOWGAUGE_TAKES(arity) FLOWGAUGE_JOIN(FLOWGAUGE_TAKES_, arity)
#define FLOWGAUGE_GIVES(arity) FLOWGAUGE_JOIN(FLOWGAUGE_GIVES_, arity)
#define FLOWGAUGE_PLUS1(arity) FLOWGAUGE_JOIN(FLOWGAUGE_PLUS1_, arity)
#define FLOWGAUGE_PLUS2(arity) FLOWGAUGE_PLUS1(FLOWGAUGE_PLUS1(arity))
