// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

/// The MPI library of this process, asked only through its PMPI_ names and never through a header of its own: a handle is an
/// opaque word that is passed on as it came. Under MPICH it is an int and travels in the low half of the same register.
namespace flowgauge::mpi {

using Word = std::uintptr_t;

/// What differs between the binary interfaces and cannot be asked for. One row each in library.cpp.
struct Abi {
    const char* worldSymbol;  ///< Open MPI's handles are addresses of these objects; nullptr: the constants below hold
    const char* byteSymbol;
    const char* nullRequestSymbol;
    const char* nullCommSymbol;
    Word world, byte, nullRequest, nullComm;
    Word inPlace, statusIgnore;
    int anySource, procNull;
    std::uint32_t handleBytes;
    std::uint32_t statusBytes, sourceOffset;  ///< of MPI_Status; MPI_TAG follows MPI_SOURCE
};

/// The functions asked for what a call does not say itself. Any of them may be nullptr.
struct Functions {
#define FLOWGAUGE_PMPI(member, name, ...) int (*member)(__VA_ARGS__);
#include "instrument/mpi/pmpi.def"
#undef FLOWGAUGE_PMPI
    Word (*commF2c)(int);
    Word (*typeF2c)(int);
    Word (*requestF2c)(int);
    Word (*windowF2c)(int);
    Word (*messageF2c)(int);
};

/// Addresses that stand for MPI_IN_PLACE and MPI_STATUS(ES)_IGNORE in Fortran; 0 where there is none.
struct FortranMarks {
    std::array<Word, 2> inPlace;          ///< the addresses themselves
    std::array<const Word*, 3> variable;  ///< variables that hold such an address (MPICH sets them in MPI_Init)
    std::array<Word, 2> ignore;
};

struct Library {
    Abi abi;
    Functions call;
    FortranMarks fortran;
    Word worldGroup;  ///< group of MPI_COMM_WORLD, 0 in a process that has only sessions
};

/// The library that the code at `caller` uses, recognised at the first call. nullptr when none is loaded, and for a thread that
/// comes while another is at it: its call is passed through and lost to the run.
[[nodiscard]] const Library* libraryOf(const void* caller);

/// Keeps the group of MPI_COMM_WORLD, once the library is initialised. Callable again.
void adoptWorld();

/// The three ways to be an MPI library; for tests.
enum class AbiName : std::uint8_t { OpenMpi, Mpich, Standard };
[[nodiscard]] const Abi& abiRow(AbiName name);

/// Stands in for the recognised library in unit tests.
void adoptForTest(const Library& library);

}  // namespace flowgauge::mpi
