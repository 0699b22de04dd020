// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "instrument/mpi/shapes.h"
#include "instrument/mpi/traffic.h"

namespace flowgauge::mpi {

namespace {

constexpr int undefinedIndex = -32766;  // MPI_UNDEFINED, the same in all three interfaces

/// The place in the arrays that a call wrote; Fortran counts from 1.
std::size_t indexOf(const Arguments& given, char letter, std::size_t i)
{
    const int index = given.output(letter, i);
    return index == undefinedIndex ? SIZE_MAX : static_cast<std::size_t>(index - (given.fortran() ? 1 : 0));
}

/// Puts what the status of a receive says in place of what was asked for.
void readInto(Event& event, const Request& request, const Library& library, const char* status)
{
    const Received got = readStatus(library, status, request.cancelled);
    if (!got.known) return;
    const PointToPoint asked = pointToPointOf(event);
    if (got.cancelled) {
        event = pointToPoint({event.begin, event.end}, event.kind, {asked.comm, 0, asked.peer, asked.tag},
                             static_cast<std::uint16_t>(event.flags | flagIncomplete));
    } else if (event.kind == Kind::Recv) {
        event = pointToPoint({event.begin, event.end}, event.kind, {asked.comm, got.bytes, peerOf(library.abi, got.source), got.tag},
                             event.flags);
    }
}

bool isPointToPoint(Kind kind) { return kind == Kind::Send || kind == Kind::Recv; }

/// The operation is over: records it, and forgets the request or lets it sleep until its next start.
void conclude(Request* request, const Library& library, Ticks end, const char* status)
{
    if (request == nullptr) return;
    if (!request->active) {
        requests::release(request);
        return;
    }
    Event event = request->event;
    event.end = end;
    const bool readable = isPointToPoint(event.kind) && (event.kind == Kind::Recv || request->cancelled);
    if (status != nullptr && readable) readInto(event, *request, library, status);
    buffer::record(event);
    if ((event.flags & flagPersistent) != 0) {
        request->active = request->cancelled = false;
        requests::release(request);
    } else {
        requests::close(request);
    }
}

void concludeFailed(Request* request, std::uint16_t flag, Ticks end)
{
    if (request->active) {
        Event event = request->event;
        event.end = end;
        event.flags |= flag;
        buffer::record(event);
    }
    requests::close(request);
}

const char* statusAt(const Arguments& given, std::size_t i) { return given.ignoresStatus('A') ? nullptr : given.status('A', i); }

}  // namespace

Claims::Claims(const Arguments& given) : m_size(1)
{
    m_requests = m_few.data();
    const char letter = given.has('H') ? 'H' : 'h';
    if (given.has('k')) {
        const int asked = given.integer('k');
        m_size = asked > 0 ? static_cast<std::size_t>(asked) : 0;
    }
    if (m_size > m_few.size()) {
        m_requests = static_cast<Request**>(raw::map(bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (m_requests == nullptr) {  // no memory: the operations are recorded as never completed, when the library ends
            buffer::lose(DropReason::TableFull, m_size);
            m_size = 0;
        }
    }
    for (std::size_t i = 0; i < m_size; ++i) {
        const Word handle = given.request(letter, i);
        const bool null = handle == 0 || handle == given.library().abi.nullRequest;
        m_requests[i] = null ? nullptr : requests::claim(handle);
        if (!null && (m_requests[i] == nullptr || m_requests[i]->active)) ++m_active;
    }
}

Claims::~Claims()
{
    for (std::size_t i = 0; i < m_size; ++i)
        if (Request* const rest = take(i)) requests::release(rest);
    if (m_requests != m_few.data() && m_requests != nullptr) (void)raw::unmap(m_requests, bytes());
}

Request* Claims::take(std::size_t i)
{
    if (i >= m_size) return nullptr;
    Request* const taken = m_requests[i];
    m_requests[i] = nullptr;
    return taken;
}

template <Completes which>
std::size_t Completion<which>::finishAll(Span span)
{
    if (m_given.has('f') && m_given.output('f') == 0) return 0;
    for (std::size_t i = 0; i < m_claims.size(); ++i)
        conclude(m_claims.take(i), m_given.library(), span.end, m_given.has('A') ? statusAt(m_given, i) : m_status.at());
    return m_claims.active();
}

template <Completes which>
std::size_t Completion<which>::finishAny(Span span)
{
    if (m_given.has('f') && m_given.output('f') == 0) return 0;
    const std::size_t index = indexOf(m_given, 'i', 0);
    if (index >= m_claims.size()) return 0;
    conclude(m_claims.take(index), m_given.library(), span.end, m_status.at());
    return 1;
}

template <Completes which>
std::size_t Completion<which>::finishSome(Span span)
{
    const int count = m_given.output('C');
    if (count <= 0) return 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        conclude(m_claims.take(indexOf(m_given, 'I', i)), m_given.library(), span.end, statusAt(m_given, i));
    return static_cast<std::size_t>(count);
}

/// After an error some requests may be over: those whose handle the library has taken away.
template <Completes which>
void Completion<which>::finishFailed(Span span)
{
    const char letter = m_given.has('H') ? 'H' : 'h';
    for (std::size_t i = 0; i < m_claims.size(); ++i) {
        Request* const request = m_claims.take(i);
        if (request == nullptr) continue;
        if (m_given.request(letter, i) == request->handle.load(std::memory_order_relaxed))
            requests::release(request);
        else
            concludeFailed(request, flagFailed, span.end);
    }
}

template <Completes which>
void Completion<which>::finish(Span span, int result)
{
    if constexpr (which == Completes::Cancelled) {
        Request* const request = m_claims.take(0);
        if (request == nullptr) return;
        request->cancelled = result == 0;
        requests::release(request);
    } else if constexpr (which == Completes::Freed) {
        Request* const request = result == 0 ? m_claims.take(0) : nullptr;
        if (request != nullptr) concludeFailed(request, flagIncomplete, span.end);
    } else {
        if (result != 0) return finishFailed(span);
        std::size_t completed = 0;
        if constexpr (which == Completes::Some)
            completed = finishSome(span);
        else if constexpr (which == Completes::Any)
            completed = finishAny(span);
        else
            completed = finishAll(span);
        const bool tests = m_given.has('f') || m_given.call().kind == Kind::None;
        const bool worth = tests ? completed > 0 : m_claims.active() > 0;
        if (worth && m_claims.active() > 0 && buffer::wants(Kind::MpiWait)) buffer::record(mpiWait(span, m_claims.active(), completed));
    }
}

template class Completion<Completes::One>;
template class Completion<Completes::All>;
template class Completion<Completes::Any>;
template class Completion<Completes::Some>;
template class Completion<Completes::Freed>;
template class Completion<Completes::Cancelled>;

}  // namespace flowgauge::mpi
