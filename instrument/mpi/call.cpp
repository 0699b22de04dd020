// SPDX-License-Identifier: MIT
#include "instrument/mpi/call.h"

#include "instrument/hook/find.h"

#include <cstring>

namespace flowgauge::mpi {

namespace {

template <typename Number>
Number readAt(const void* at)
{
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

const void* pointer(Word word) { return reinterpret_cast<const void*>(word); }

const char* element(Word array, std::size_t i, std::size_t bytes) { return reinterpret_cast<const char*>(array) + i * bytes; }

}  // namespace

void* realOf(Call& call, const void* caller)
{
    if (void* const known = call.real.load(std::memory_order_relaxed)) return known;
    void* found = hook::findFromCaller(call.profiled, caller);
    // A second tool in the preload list defines MPI_X but no PMPI_X; in the library itself both names are one function.
    void* const next = hook::findNext(call.profiled + 1);
    if (next != nullptr && next != hook::findNext(call.profiled)) found = next;
    if (found != nullptr) call.real.store(found, std::memory_order_relaxed);
    return found;
}

Word Arguments::handle(Word (*fromFortran)(int), const void* at) const
{
    if (m_library.abi.handleBytes == 4) return readAt<std::uint32_t>(at);  // the same int in C and in Fortran
    if (!fortran()) return readAt<Word>(at);
    return fromFortran != nullptr ? fromFortran(readAt<int>(at)) : 0;
}

int Arguments::integer(char letter) const
{
    return fortran() ? readAt<int>(pointer(word(letter))) : static_cast<int>(static_cast<std::uint32_t>(word(letter)));
}

std::int64_t Arguments::count(char letter) const
{
    return m_call.passing == Passing::Large ? static_cast<std::int64_t>(word(letter)) : integer(letter);
}

std::int64_t Arguments::countAt(char letter, std::size_t i) const
{
    if (m_call.passing == Passing::Large) return readAt<std::int64_t>(element(word(letter), i, 8));
    return readAt<int>(element(word(letter), i, 4));
}

Word Arguments::communicator() const
{
    const Word& given = m_words[m_call.at['c']];
    return fortran() ? handle(m_library.call.commF2c, pointer(given)) : handle(nullptr, &given);
}

Word Arguments::window() const
{
    const Word& given = m_words[m_call.at['w']];
    return fortran() ? handle(m_library.call.windowF2c, pointer(given)) : handle(nullptr, &given);
}

Word Arguments::type(char letter) const
{
    const Word& given = m_words[m_call.at[letter]];
    return fortran() ? handle(m_library.call.typeF2c, pointer(given)) : handle(nullptr, &given);
}

Word Arguments::typeAt(char letter, std::size_t i) const
{
    return handle(m_library.call.typeF2c, element(word(letter), i, fortran() ? 4 : m_library.abi.handleBytes));
}

Word Arguments::pointed(char letter) const
{
    Word (*const fromFortran)(int) = letter == 'D'                    ? m_library.call.typeF2c
                                     : letter == 'W' || letter == 'V' ? m_library.call.windowF2c
                                                                      : m_library.call.commF2c;
    return handle(fromFortran, pointer(word(letter)));
}

Word Arguments::request(char letter, std::size_t i) const
{
    const std::size_t bytes = fortran() ? 4 : m_library.abi.handleBytes;
    const bool message = letter == 'Q' || (letter == 'q' && m_call.kind == Kind::None && has('p'));  // MPI_Mrecv, MPI_Mprobe
    return handle(message ? m_library.call.messageF2c : m_library.call.requestF2c, element(word(letter), i, bytes));
}

int Arguments::output(char letter, std::size_t i) const { return readAt<int>(element(word(letter), i, 4)); }

bool Arguments::inPlace(char letter) const
{
    if (!has(letter)) return false;
    const Word given = word(letter);
    if (!fortran()) return given == m_library.abi.inPlace;
    const FortranMarks& marks = m_library.fortran;
    return given != 0 &&
           (given == marks.inPlace[0] || given == marks.inPlace[1] || (marks.variable[0] != nullptr && given == *marks.variable[0]));
}

bool Arguments::ignoresStatus(char letter) const
{
    if (!has(letter)) return true;
    const Word given = word(letter);
    if (given == 0) return true;
    if (!fortran()) return given == m_library.abi.statusIgnore;
    const FortranMarks& marks = m_library.fortran;
    return given == marks.ignore[0] || given == marks.ignore[1] || (marks.variable[1] != nullptr && given == *marks.variable[1]) ||
           (marks.variable[2] != nullptr && given == *marks.variable[2]);
}

const char* Arguments::status(char letter, std::size_t i) const { return element(word(letter), i, m_library.abi.statusBytes); }

}  // namespace flowgauge::mpi
