// SPDX-License-Identifier: MIT
// The C names of mpi_calls.def, as functions that stand in front of the library's.
#include "instrument/mpi/wrap.h"

using namespace flowgauge::mpi;
using flowgauge::Kind;

#define FLOWGAUGE_MPI_C(prefix, name, arity, kind, form, passing, letters, more, ...)                                        \
    namespace {                                                                                                              \
    constinit Call call_##prefix##name{"P" #prefix #name, Kind::kind, Form::form, Passing::passing, Letters(letters, more)}; \
    }                                                                                                                        \
    extern "C" FLOWGAUGE_EXPORT int prefix##name(FLOWGAUGE_TAKES(arity));                                                    \
    extern "C" int prefix##name(FLOWGAUGE_TAKES(arity))                                                                      \
    {                                                                                                                        \
        return through<__VA_ARGS__>(call_##prefix##name, __builtin_return_address(0) FLOWGAUGE_GIVES(arity));                \
    }
#define FLOWGAUGE_MPI_BOTH(name, arity, kind, form, letters, more, ...)           \
    FLOWGAUGE_MPI_C(MPI_, name, arity, kind, form, C, letters, more, __VA_ARGS__) \
    FLOWGAUGE_MPI_C(MPI_, name##_c, arity, kind, form, Large, letters, more, __VA_ARGS__)

// Open MPI 4 has the persistent collectives under MPIX_ names.
#define FLOWGAUGE_MPI_COLLECTIVE(call, lower, UPPER, arity, kind, letters)                             \
    FLOWGAUGE_MPI_BOTH(call, arity, kind, Blocking, letters, "", Transfer)                             \
    FLOWGAUGE_MPI_BOTH(I##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer)    \
    FLOWGAUGE_MPI_BOTH(call##_init, FLOWGAUGE_PLUS2(arity), kind, Persistent, letters, "_q", Transfer) \
    FLOWGAUGE_MPI_C(MPIX_, call##_init, FLOWGAUGE_PLUS2(arity), kind, Persistent, C, letters, "_q", Transfer)
#define FLOWGAUGE_MPI_MEETING(call, lower, UPPER, arity, kind, letters)                                      \
    FLOWGAUGE_MPI_C(MPI_, call, arity, kind, Blocking, C, letters, "", Transfer)                             \
    FLOWGAUGE_MPI_C(MPI_, I##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, C, letters, "q", Transfer)    \
    FLOWGAUGE_MPI_C(MPI_, call##_init, FLOWGAUGE_PLUS2(arity), kind, Persistent, C, letters, "_q", Transfer) \
    FLOWGAUGE_MPI_C(MPIX_, call##_init, FLOWGAUGE_PLUS2(arity), kind, Persistent, C, letters, "_q", Transfer)
#define FLOWGAUGE_MPI_SEND(call, lower, UPPER, arity, kind, letters)                                \
    FLOWGAUGE_MPI_BOTH(call, arity, kind, Blocking, letters, "", Transfer)                          \
    FLOWGAUGE_MPI_BOTH(I##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer) \
    FLOWGAUGE_MPI_BOTH(call##_init, FLOWGAUGE_PLUS1(arity), kind, Persistent, letters, "q", Transfer)
#define FLOWGAUGE_MPI_RECEIVE(call, lower, UPPER, arity, kind, letters)                             \
    FLOWGAUGE_MPI_BOTH(call, FLOWGAUGE_PLUS1(arity), kind, Blocking, letters, "S", Transfer)        \
    FLOWGAUGE_MPI_BOTH(I##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer) \
    FLOWGAUGE_MPI_BOTH(call##_init, FLOWGAUGE_PLUS1(arity), kind, Persistent, letters, "q", Transfer)
#define FLOWGAUGE_MPI_MATCHED(call, lower, UPPER, arity, kind, letters)                      \
    FLOWGAUGE_MPI_BOTH(call, FLOWGAUGE_PLUS1(arity), kind, Blocking, letters, "S", Transfer) \
    FLOWGAUGE_MPI_BOTH(I##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer)
#define FLOWGAUGE_MPI_ONE_SIDED(call, lower, UPPER, arity, kind, letters)  \
    FLOWGAUGE_MPI_BOTH(call, arity, kind, Blocking, letters, "", Transfer) \
    FLOWGAUGE_MPI_BOTH(R##lower, FLOWGAUGE_PLUS1(arity), kind, Nonblocking, letters, "q", Transfer)
#define FLOWGAUGE_MPI_EXCHANGE(call, lower, UPPER, arity, kind, letters) \
    FLOWGAUGE_MPI_BOTH(call, arity, kind, Blocking, letters, "", Exchange)
#define FLOWGAUGE_MPI_COMPLETION(call, lower, UPPER, arity, kind, which, letters) \
    FLOWGAUGE_MPI_C(MPI_, call, arity, kind, Blocking, C, letters, "", Completion<Completes::which>)
#define FLOWGAUGE_MPI_NOTE(call, lower, UPPER, arity, noted, letters) \
    FLOWGAUGE_MPI_C(MPI_, call, arity, None, Blocking, C, letters, "", Note<noted>)
#define FLOWGAUGE_MPI_END(call, lower, UPPER, arity, noted, letters) FLOWGAUGE_MPI_C(MPI_, call, arity, None, Blocking, C, letters, "", End)
#define FLOWGAUGE_MPI_NAMED(call, lower, UPPER, arity, noted, letters) \
    FLOWGAUGE_MPI_C(MPI_, call, arity, None, Blocking, C, letters, "", Note<noted>)
#define FLOWGAUGE_MPI_LIFE(call, lower, UPPER, arity, fortranArity, Shape, letters, fortranLetters) \
    FLOWGAUGE_MPI_C(MPI_, call, arity, None, Blocking, C, letters, "", Shape)
#include "instrument/mpi/mpi_calls.def"
