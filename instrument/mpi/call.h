// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"
#include "instrument/mpi/library.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace flowgauge::mpi {

/// When an operation is over: at return, at the completion of its request, or at that of each start of its request.
enum class Form : std::uint8_t { Blocking, Nonblocking, Persistent };

/// How arguments are handed over: C with int counts, C with MPI_Count, Fortran (everything by reference, handles as INTEGER).
enum class Passing : std::uint8_t { C, Large, Fortran };

/// Which of its requests a completion call may complete.
enum class Completes : std::uint8_t { One, All, Any, Some, Freed, Cancelled };

/// Position of each letter of mpi_calls.def among the arguments, -1 where the call has none.
class Letters {
public:
    constexpr Letters(const char* letters, const char* more) : m_at{}
    {
        m_at.fill(-1);
        std::int8_t position = 0;
        for (const char* at = letters; *at != '\0'; ++at) put(*at, position);
        for (const char* at = more; *at != '\0'; ++at) put(*at, position);
    }
    [[nodiscard]] constexpr int operator[](char letter) const { return m_at[static_cast<std::size_t>(letter - 'A')]; }

private:
    constexpr void put(char letter, std::int8_t& position)
    {
        if (letter != '_') m_at[static_cast<std::size_t>(letter - 'A')] = position;
        ++position;
    }
    std::array<std::int8_t, 'z' - 'A' + 1> m_at;
};

/// One exported name: how to read its arguments, and what lies behind it.
struct Call {
    const char* profiled;  ///< "PMPI_Allreduce", "pmpi_allreduce_": behind its first letter stands the name that programs use
    Kind kind;
    Form form;
    Passing passing;
    Letters at;
    std::atomic<void*> real{nullptr};
};

/// The function behind the call: another tool's MPI_X that comes after us in the search order, else the library's PMPI_X that the
/// code at `caller` would reach. nullptr when there is none.
[[nodiscard]] void* realOf(Call& call, const void* caller);

/// The arguments of one call, read by letter. Works only while the call's own storage lives.
class Arguments {
public:
    Arguments(const Call& call, const Library& library, const Word* words) : m_call(call), m_library(library), m_words(words) {}

    [[nodiscard]] const Call& call() const { return m_call; }
    [[nodiscard]] const Library& library() const { return m_library; }
    [[nodiscard]] bool has(char letter) const { return m_call.at[letter] >= 0; }
    [[nodiscard]] Word word(char letter) const { return m_words[m_call.at[letter]]; }
    [[nodiscard]] bool fortran() const { return m_call.passing == Passing::Fortran; }

    [[nodiscard]] int integer(char letter) const;                          ///< rank, tag, root, number of requests
    [[nodiscard]] std::int64_t count(char letter) const;                   ///< n, m
    [[nodiscard]] std::int64_t countAt(char letter, std::size_t i) const;  ///< N, M
    [[nodiscard]] Word communicator() const;                               ///< c
    [[nodiscard]] Word window() const;                                     ///< w
    [[nodiscard]] Word type(char letter) const;                            ///< t, u
    [[nodiscard]] Word typeAt(char letter, std::size_t i) const;           ///< T, U
    [[nodiscard]] Word pointed(char letter) const;                         ///< what a handle argument points at: e E W V D
    [[nodiscard]] Word request(char letter, std::size_t i = 0) const;      ///< q Q h H: the handle that stands there now
    [[nodiscard]] int output(char letter, std::size_t i = 0) const;        ///< f i C I v: what the call wrote
    [[nodiscard]] bool inPlace(char letter) const;                         ///< s, r
    [[nodiscard]] bool ignoresStatus(char letter) const;                   ///< S, A; true where there is none
    [[nodiscard]] const char* status(char letter, std::size_t i = 0) const;

private:
    [[nodiscard]] Word handle(Word (*fromFortran)(int), const void* at) const;
    const Call& m_call;
    const Library& m_library;
    const Word* m_words;
};

}  // namespace flowgauge::mpi
