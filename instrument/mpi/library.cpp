// SPDX-License-Identifier: MIT
#include "instrument/mpi/library.h"

#include "instrument/hook/find.h"

#include <atomic>

namespace flowgauge::mpi {

namespace {

// Constants of the headers of Open MPI 4.1 and MPICH 4.0 and of the ABI chapter of MPI 5.0.
constexpr std::array<Abi, 3> abiRows{{
    {"ompi_mpi_comm_world", "ompi_mpi_byte", "ompi_request_null", "ompi_mpi_comm_null", 0, 0, 0, 0, 1, 0, -1, -2, 8, 24, 0},
    {nullptr, nullptr, nullptr, nullptr, 0x44000000, 0x4c00010d, 0x2c000000, 0x04000000, ~Word{0}, 1, -2, -1, 4, 20, 8},
    {nullptr, nullptr, nullptr, nullptr, 257, 583, 384, 256, 1, 0, -1, -3, 8, 32, 0},
}};

enum class State : std::uint8_t { Unknown, Looking, Known };
std::atomic<State> state{State::Unknown};
constinit Library known{};

template <typename Function>
Function lookUp(const char* name, const void* caller)
{
    return reinterpret_cast<Function>(hook::findFromCaller(name, caller));
}

template <typename Object>
Object lookUpData(const char* name, const void* caller)
{
    return reinterpret_cast<Object>(hook::findData(name, caller));
}

AbiName recognise(const void* caller)
{
    if (hook::findData("ompi_mpi_comm_world", caller) != nullptr) return AbiName::OpenMpi;
    // MPICH 5 has this function in its own ABI as well and answers -1 there.
    int major = -1, minor = -1;
    const auto version = lookUp<int (*)(int*, int*)>("PMPI_Abi_get_version", caller);
    if (version != nullptr && version(&major, &minor) == 0 && major >= 1) return AbiName::Standard;
    return AbiName::Mpich;
}

void takeFunctions(Functions& call, const void* caller)
{
#define FLOWGAUGE_PMPI(member, name, ...) call.member = lookUp<int (*)(__VA_ARGS__)>("PMPI_" #name, caller);
#include "instrument/mpi/pmpi.def"
#undef FLOWGAUGE_PMPI
    call.commF2c = lookUp<Word (*)(int)>("PMPI_Comm_f2c", caller);
    call.typeF2c = lookUp<Word (*)(int)>("PMPI_Type_f2c", caller);
    call.requestF2c = lookUp<Word (*)(int)>("PMPI_Request_f2c", caller);
    call.windowF2c = lookUp<Word (*)(int)>("PMPI_Win_f2c", caller);
    call.messageF2c = lookUp<Word (*)(int)>("PMPI_Message_f2c", caller);
}

void takeAbi(Abi& abi, AbiName name, const void* caller)
{
    abi = abiRows[static_cast<std::size_t>(name)];
    if (abi.worldSymbol == nullptr) return;
    abi.world = lookUpData<Word>(abi.worldSymbol, caller);
    abi.byte = lookUpData<Word>(abi.byteSymbol, caller);
    abi.nullRequest = lookUpData<Word>(abi.nullRequestSymbol, caller);
    abi.nullComm = lookUpData<Word>(abi.nullCommSymbol, caller);
}

/// Open MPI: common blocks, in the spelling of gfortran, flang and ifort. MPICH: variables that its Fortran MPI_Init sets.
void takeFortranMarks(FortranMarks& marks, const void* caller)
{
    marks.inPlace = {lookUpData<Word>("mpi_fortran_in_place_", caller), lookUpData<Word>("MPIR_F08_MPI_IN_PLACE", caller)};
    marks.ignore = {lookUpData<Word>("mpi_fortran_status_ignore_", caller), lookUpData<Word>("mpi_fortran_statuses_ignore_", caller)};
    marks.variable = {lookUpData<const Word*>("MPIR_F_MPI_IN_PLACE", caller), lookUpData<const Word*>("MPI_F_STATUS_IGNORE", caller),
                      lookUpData<const Word*>("MPI_F_STATUSES_IGNORE", caller)};
}

}  // namespace

const Library* libraryOf(const void* caller)
{
    if (state.load(std::memory_order_acquire) == State::Known) return &known;
    State expected = State::Unknown;
    if (!state.compare_exchange_strong(expected, State::Looking, std::memory_order_acquire)) return nullptr;
    takeFunctions(known.call, caller);
    const bool loaded = known.call.initialized != nullptr && known.call.commSize != nullptr;
    if (loaded) {
        takeAbi(known.abi, recognise(caller), caller);
        takeFortranMarks(known.fortran, caller);
    }
    state.store(loaded ? State::Known : State::Unknown, std::memory_order_release);
    return loaded ? &known : nullptr;
}

void adoptWorld()
{
    int initialized = 0;
    if (state.load(std::memory_order_acquire) != State::Known || known.worldGroup != 0) return;
    if (known.call.initialized(&initialized) != 0 || initialized == 0 || known.call.commGroup == nullptr) return;
    Word group = 0;
    if (known.call.commGroup(known.abi.world, &group) == 0) known.worldGroup = group;
}

const Abi& abiRow(AbiName name) { return abiRows[static_cast<std::size_t>(name)]; }

void adoptForTest(const Library& library)
{
    known = library;
    state.store(State::Known, std::memory_order_release);
}

}  // namespace flowgauge::mpi
