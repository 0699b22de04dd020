// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "instrument/mpi/call.h"
#include "instrument/mpi/requests.h"

#include <array>

/// What happens around the real function, by the shape of the call: a shape is made before it (and may change the words that are
/// handed on), and finishes after it. One shape serves all calls of its kind, from C and from Fortran.
namespace flowgauge::mpi {

/// Stands in for a status that the caller does not want, so that the bytes of a receive are known all the same. C only: what a
/// Fortran binding does with it is its own business.
class OwnStatus {
public:
    OwnStatus(const Arguments& given, Word* words);
    /// The caller's status or ours; nullptr when there is none.
    [[nodiscard]] const char* at() const { return m_at; }

private:
    alignas(16) std::array<char, 64> m_bytes;
    const char* m_at = nullptr;
};

/// One operation: a collective, a send, a receive, a one-sided access; recorded now, or kept as a request until it is over.
class Transfer {
public:
    Transfer(const Arguments& given, Word* words);
    void finish(Span span, int result);

private:
    [[nodiscard]] Event describe(Span span, int result, Communicator* communicator) const;
    [[nodiscard]] Event receive(Span span, int result, std::uint64_t comm) const;
    void keep(Span span, const Event& event, Communicator* communicator) const;
    const Arguments& m_given;
    OwnStatus m_status;
    Request* m_message = nullptr;  ///< of MPI_Mrecv: what MPI_Mprobe knew
};

/// MPI_Sendrecv and its kin: a send and a receive that last equally long.
class Exchange {
public:
    Exchange(const Arguments& given, Word* words) : m_given(given), m_status(given, words) {}
    void finish(Span span, int result) const;

private:
    const Arguments& m_given;
    OwnStatus m_status;
};

/// The requests that a call may complete, claimed before it and in its order. Up to 64 without asking for memory; more are kept in
/// pages of their own for the length of the call, which then completes more than that costs.
class Claims {
public:
    explicit Claims(const Arguments& given);
    ~Claims();
    Claims(const Claims&) = delete;
    Claims& operator=(const Claims&) = delete;

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::size_t active() const { return m_active; }  ///< requests that are neither MPI_REQUEST_NULL nor asleep
    /// The claimed request at that place, now the caller's to release or close; nullptr when we do not know it.
    [[nodiscard]] Request* take(std::size_t i);

private:
    [[nodiscard]] std::size_t bytes() const { return m_size * sizeof(void*); }

    std::array<Request*, 64> m_few;
    Request** m_requests;
    std::size_t m_size, m_active = 0;
};

/// A call that completes requests. Waiting is recorded when there was something to wait for, testing only when it completed
/// something: a program may test millions of times while it waits, and each of those would say nothing.
template <Completes which>
class Completion {
public:
    Completion(const Arguments& given, Word* words) : m_given(given), m_status(given, words), m_claims(given) {}
    void finish(Span span, int result);

private:
    std::size_t finishSome(Span span);
    std::size_t finishAny(Span span);
    std::size_t finishAll(Span span);
    void finishFailed(Span span);
    const Arguments& m_given;
    OwnStatus m_status;
    Claims m_claims;
};

/// A call that is no event: what it made is noted after it.
template <void (*noted)(const Arguments&, Span, int)>
class Note {
public:
    Note(const Arguments& given, const Word*) : m_given(given) {}
    void finish(Span span, int result) const { noted(m_given, span, result); }

private:
    const Arguments& m_given;
};

/// MPI_Init(_thread).
class Initialize {
public:
    Initialize(const Arguments& given, const Word*);
    void finish(Span span, int result) const;

private:
    const Arguments& m_given;
};

/// MPI_Finalize.
class Finalize {
public:
    Finalize(const Arguments&, const Word*);
    void finish(Span span, int result) const;
};

/// A call that ends a handle, which another thread may be given as soon as it has returned: noted before it.
class End {
public:
    End(const Arguments& given, const Word* words);
    void finish(Span, int) const {}
};

void started(const Arguments& given, Span span, int result);     ///< MPI_Start(all)
void probed(const Arguments& given, Span span, int result);      ///< MPI_(Im|M)probe
void duplicated(const Arguments& given, Span span, int result);  ///< copies of a communicator
void created(const Arguments& given, Span span, int result);     ///< other communicators
void gridded(const Arguments& given, Span span, int result);     ///<   with a Cartesian topology
void graphed(const Arguments& given, Span span, int result);     ///<   with a graph
void connected(const Arguments& given, Span span, int result);   ///<   with a distributed graph
void opened(const Arguments& given, Span span, int result);      ///< windows
void named(const Arguments& given, Span span, int result);       ///< MPI_Comm_set_name

}  // namespace flowgauge::mpi
