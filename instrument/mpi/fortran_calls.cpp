// SPDX-License-Identifier: MIT
// The Fortran names of mpi_calls.def. Open MPI's bindings call PMPI_X, which our C wrappers never see; MPICH's call MPI_X, which
// they do: the outermost wrapper of a thread looks, so that each call is counted once. One function a name: mpi_x_ (gfortran, flang,
// ifort), with mpi_x, mpi_x__ and MPI_X as other spellings of it; and mpi_x_f08_, Open MPI's binding for `use mpi_f08`.
// MPICH's mpi_x_f08ts_ takes array descriptors; what of it does not come through C is not seen.
#include "instrument/mpi/wrap.h"

using namespace flowgauge::mpi;
using flowgauge::Kind;

#define FLOWGAUGE_MPI_FORTRAN_NAME(name, arity, kind, form, letters, more, ...)                                       \
    namespace {                                                                                                       \
    constinit Call call_##name{"p" #name, Kind::kind, Form::form, Passing::Fortran, Letters(letters, more)};          \
    }                                                                                                                 \
    extern "C" FLOWGAUGE_EXPORT void name(FLOWGAUGE_TAKES(FLOWGAUGE_PLUS1(arity)));                                   \
    extern "C" void name(FLOWGAUGE_TAKES(FLOWGAUGE_PLUS1(arity)))                                                     \
    {                                                                                                                 \
        (void)through<__VA_ARGS__>(call_##name, __builtin_return_address(0) FLOWGAUGE_GIVES(FLOWGAUGE_PLUS1(arity))); \
    }
#define FLOWGAUGE_MPI_SPELLING(spelling, name, arity) \
    extern "C" FLOWGAUGE_EXPORT void spelling(FLOWGAUGE_TAKES(FLOWGAUGE_PLUS1(arity))) __attribute__((alias(#name)));
#define FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, form, letters, more, ...)                      \
    FLOWGAUGE_MPI_FORTRAN_NAME(mpi_##lower##_, arity, kind, form, letters, more, __VA_ARGS__)     \
    FLOWGAUGE_MPI_FORTRAN_NAME(mpi_##lower##_f08_, arity, kind, form, letters, more, __VA_ARGS__) \
    FLOWGAUGE_MPI_SPELLING(mpi_##lower, mpi_##lower##_, arity)                                    \
    FLOWGAUGE_MPI_SPELLING(mpi_##lower##__, mpi_##lower##_, arity)                                \
    FLOWGAUGE_MPI_SPELLING(MPI_##UPPER, mpi_##lower##_, arity)

#define FLOWGAUGE_MPI_COLLECTIVE(call, lower, UPPER, arity, kind, letters)                                 \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, Blocking, letters, "", Transfer)                            \
    FLOWGAUGE_MPI_F(i##lower, I##UPPER, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer) \
    FLOWGAUGE_MPI_F(lower##_init, UPPER##_INIT, FLOWGAUGE_PLUS2(arity), kind, Persistent, letters, "_q", Transfer)
#define FLOWGAUGE_MPI_MEETING FLOWGAUGE_MPI_COLLECTIVE
#define FLOWGAUGE_MPI_SEND(call, lower, UPPER, arity, kind, letters)                                       \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, Blocking, letters, "", Transfer)                            \
    FLOWGAUGE_MPI_F(i##lower, I##UPPER, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer) \
    FLOWGAUGE_MPI_F(lower##_init, UPPER##_INIT, FLOWGAUGE_PLUS1(arity), kind, Persistent, letters, "q", Transfer)
#define FLOWGAUGE_MPI_RECEIVE(call, lower, UPPER, arity, kind, letters)                                    \
    FLOWGAUGE_MPI_F(lower, UPPER, FLOWGAUGE_PLUS1(arity), kind, Blocking, letters, "S", Transfer)          \
    FLOWGAUGE_MPI_F(i##lower, I##UPPER, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer) \
    FLOWGAUGE_MPI_F(lower##_init, UPPER##_INIT, FLOWGAUGE_PLUS1(arity), kind, Persistent, letters, "q", Transfer)
#define FLOWGAUGE_MPI_MATCHED(call, lower, UPPER, arity, kind, letters)                           \
    FLOWGAUGE_MPI_F(lower, UPPER, FLOWGAUGE_PLUS1(arity), kind, Blocking, letters, "S", Transfer) \
    FLOWGAUGE_MPI_F(i##lower, I##UPPER, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer)
#define FLOWGAUGE_MPI_ONE_SIDED(call, lower, UPPER, arity, kind, letters)       \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, Blocking, letters, "", Transfer) \
    FLOWGAUGE_MPI_F(r##lower, R##UPPER, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer)
#define FLOWGAUGE_MPI_EXCHANGE(call, lower, UPPER, arity, kind, letters) \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, Blocking, letters, "", Exchange)
#define FLOWGAUGE_MPI_COMPLETION(call, lower, UPPER, arity, kind, which, letters) \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, kind, Blocking, letters, "", Completion<Completes::which>)
#define FLOWGAUGE_MPI_NOTE(call, lower, UPPER, arity, noted, letters) \
    FLOWGAUGE_MPI_F(lower, UPPER, arity, None, Blocking, letters, "", Note<noted>)
#define FLOWGAUGE_MPI_END(call, lower, UPPER, arity, noted, letters) FLOWGAUGE_MPI_F(lower, UPPER, arity, None, Blocking, letters, "", End)
#define FLOWGAUGE_MPI_NAMED(call, lower, UPPER, arity, noted, letters)
#define FLOWGAUGE_MPI_LIFE(call, lower, UPPER, arity, fortranArity, Shape, letters, fortranLetters) \
    FLOWGAUGE_MPI_F(lower, UPPER, fortranArity, None, Blocking, fortranLetters, "", Shape)
#include "instrument/mpi/mpi_calls.def"
