// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "instrument/mpi/clock_exchange.h"
#include "instrument/mpi/shapes.h"
#include "instrument/mpi/traffic.h"
#include "instrument/mpi/watch.h"

#include <cstring>

namespace flowgauge::mpi {

namespace {

/// A persistent collective takes its number when it starts, in the order of the starts, which is the same on all ranks.
/// Its communicator may be gone meanwhile and its place taken: then its number is not known.
void number(Request& request)
{
    Event& event = request.event;
    if (!isCollective(event.kind) || request.communicator == nullptr || request.communicator->id != event.arg[0]) return;
    const std::uint64_t sequence = request.communicator->sequence.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t root = static_cast<std::int64_t>(event.arg[3]);
    event = collective({event.begin, event.end}, event.kind, {event.arg[0], event.arg[1], sequence, root}, event.flags);
}

Communicator* makeChild(const Arguments& given)
{
    const Word handle = given.pointed('e');
    return communicators::addChild(given.library(), given.communicator(), handle == given.library().abi.nullComm ? 0 : handle);
}

}  // namespace

End::End(const Arguments& given, const Word*)
{
    if (given.has('D')) forgetType(given.pointed('D'));
    if (given.has('V')) communicators::closeWindow(given.pointed('V'));
    if (given.has('E')) communicators::forget(given.pointed('E'));
}

void started(const Arguments& given, Span span, int result)
{
    if (result != 0) return;
    const int count = given.has('k') ? given.integer('k') : 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count > 0 ? count : 0); ++i) {
        Request* const request = requests::claim(given.request(given.has('H') ? 'H' : 'h', i));
        if (request == nullptr) continue;
        request->active = true;
        request->event.begin = span.begin;
        number(*request);
        requests::release(request);
    }
}

void probed(const Arguments& given, Span span, int result)
{
    if (result != 0 || (given.has('f') && given.output('f') == 0)) return;
    Request* const request = requests::open(given.request('q'));
    if (request == nullptr) return buffer::lose(DropReason::TableFull);
    const Communicator* const communicator = communicators::find(given.library(), given.communicator());
    PointToPoint known{communicator != nullptr ? communicator->id : 0, 0, peerOf(given.library().abi, given.integer('p')),
                       given.integer('g')};
    request->active = request->cancelled = false;
    request->message = true;
    request->communicator = nullptr;
    request->event = pointToPoint(span, Kind::Recv, known, flagMpi);
    requests::release(request);
}

void duplicated(const Arguments& given, Span, int result)
{
    if (result == 0) communicators::addCopy(given.library(), given.communicator(), given.pointed('e'));
}

void created(const Arguments& given, Span, int result)
{
    if (result == 0) (void)makeChild(given);
}

void gridded(const Arguments& given, Span, int result)
{
    int dimensions = 0;
    Communicator* const made = result == 0 ? makeChild(given) : nullptr;
    if (made == nullptr || given.library().call.cartDimensions == nullptr) return;
    if (given.library().call.cartDimensions(given.pointed('e'), &dimensions) == 0)
        made->outdegree = static_cast<std::uint32_t>(2 * dimensions);  // one neighbour each way, MPI_PROC_NULL at an edge
}

void graphed(const Arguments& given, Span, int result)
{
    int neighbors = 0;
    Communicator* const made = result == 0 ? makeChild(given) : nullptr;
    if (made == nullptr || given.library().call.graphNeighbors == nullptr) return;
    if (given.library().call.graphNeighbors(given.pointed('e'), static_cast<int>(made->rank), &neighbors) == 0)
        made->outdegree = static_cast<std::uint32_t>(neighbors);
}

void connected(const Arguments& given, Span, int result)
{
    int from = 0, to = 0, weighted = 0;
    Communicator* const made = result == 0 ? makeChild(given) : nullptr;
    if (made == nullptr || given.library().call.distGraphNeighbors == nullptr) return;
    if (given.library().call.distGraphNeighbors(given.pointed('e'), &from, &to, &weighted) == 0)
        made->outdegree = static_cast<std::uint32_t>(to);
}

void opened(const Arguments& given, Span, int result)
{
    if (result == 0) communicators::openWindow(given.pointed('W'), given.communicator());
}

void named(const Arguments& given, Span, int result)
{
    const char* const text = reinterpret_cast<const char*>(given.word('l'));
    if (result == 0 && text != nullptr) communicators::rename(given.library(), given.communicator(), {text, strlen(text)});
}

Initialize::Initialize(const Arguments& given, const Word*) : m_given(given) { clocks::offer(); }

void Initialize::finish(Span span, int result) const
{
    if (result != 0) return;
    recordInit(m_given.library(), span, m_given.has('v') ? m_given.output('v') : 0, 0);
    clocks::compare();
}

Finalize::Finalize(const Arguments&, const Word*) { clocks::compare(); }

void Finalize::finish(Span span, int) const
{
    clocks::withdraw();
    requests::closeAll([](const Request& request) {
        if (!request.active) return;
        Event event = request.event;
        event.end = now();
        event.flags |= flagIncomplete;
        buffer::record(event);
    });
    if (buffer::wants(Kind::MpiFinalize)) buffer::record(mpiFinalize(span));
    stopWatching();
}

}  // namespace flowgauge::mpi
