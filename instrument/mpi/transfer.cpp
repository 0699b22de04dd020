// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "instrument/mpi/shapes.h"
#include "instrument/mpi/traffic.h"

namespace flowgauge::mpi {

namespace {

std::uint16_t flagsOf(Form form, int result)
{
    const std::uint16_t how = form == Form::Nonblocking ? flagNonblocking : form == Form::Persistent ? flagPersistent : 0;
    return static_cast<std::uint16_t>(flagMpi | how | (result != 0 ? flagFailed : 0));
}

std::uint64_t idOf(const Communicator* communicator) { return communicator != nullptr ? communicator->id : 0; }

/// The library has just accepted the handle when the call succeeded; otherwise it must not be asked about it.
Communicator* communicatorOf(const Arguments& given, int result)
{
    const Word handle = given.has('c') ? given.communicator() : given.has('w') ? communicators::communicatorOfWindow(given.window()) : 0;
    if (handle == 0) return nullptr;
    return result == 0 ? communicators::find(given.library(), handle) : communicators::findKnown(handle);
}

/// Nothing is moved to or from no process.
std::uint64_t bytesTo(const Arguments& given, int peer, char countLetter)
{
    return peer == given.library().abi.procNull ? 0 : bufferBytes(given, countLetter);
}

}  // namespace

OwnStatus::OwnStatus(const Arguments& given, Word* words)
{
    if (!given.has('S')) return;
    if (!given.ignoresStatus('S')) {
        m_at = given.status('S');
        return;
    }
    if (given.fortran()) return;
    m_at = m_bytes.data();
    words[given.call().at['S']] = reinterpret_cast<Word>(m_at);
}

Transfer::Transfer(const Arguments& given, Word* words) : m_given(given), m_status(given, words)
{
    if (given.has('Q')) m_message = requests::claim(given.request('Q'));
}

Event Transfer::receive(Span span, int result, std::uint64_t comm) const
{
    const Abi& abi = m_given.library().abi;
    PointToPoint call{comm, bufferBytes(m_given, 'm'), -1, -1};
    if (m_given.has('p')) {
        const int peer = m_given.integer('p');
        call.peer = peerOf(abi, peer);
        call.tag = m_given.integer('g');
        call.bytes = bytesTo(m_given, peer, 'm');
    }
    if (m_message != nullptr) {
        const PointToPoint known = pointToPointOf(m_message->event);
        call.comm = known.comm;
        call.peer = known.peer;
        call.tag = known.tag;
    }
    if (m_status.at() != nullptr && result == 0) {
        const Received got = readStatus(m_given.library(), m_status.at(), false);
        if (got.known) call = {call.comm, got.bytes, peerOf(abi, got.source), got.tag};
    }
    return pointToPoint(span, Kind::Recv, call, flagsOf(m_given.call().form, result));
}

Event Transfer::describe(Span span, int result, Communicator* communicator) const
{
    const Call& call = m_given.call();
    const std::uint16_t flags = flagsOf(call.form, result);
    if (isCollective(call.kind)) {
        const bool now = communicator != nullptr && result == 0 && call.form != Form::Persistent;
        const std::uint64_t sequence = now ? communicator->sequence.fetch_add(1, std::memory_order_relaxed) : 0;
        const std::int64_t root = m_given.has('x') ? peerOf(m_given.library().abi, m_given.integer('x')) : -1;
        return collective(span, call.kind, {idOf(communicator), collectiveBytes(m_given, communicator), sequence, root}, flags);
    }
    if (call.kind == Kind::Recv) return receive(span, result, idOf(communicator));
    const int peer = m_given.integer('p');
    const std::uint64_t bytes = bytesTo(m_given, peer, m_given.has('m') ? 'm' : 'n');
    const std::int64_t tag = m_given.has('g') ? m_given.integer('g') : 0;
    return pointToPoint(span, call.kind, {idOf(communicator), bytes, peerOf(m_given.library().abi, peer), tag}, flags);
}

void Transfer::keep(Span span, const Event& event, Communicator* communicator) const
{
    Request* const request = requests::open(m_given.request('q'));
    const bool persistent = m_given.call().form == Form::Persistent;
    if (request == nullptr) {
        buffer::lose(DropReason::TableFull);
        if (persistent) return;
        Event lost = event;
        lost.end = span.end;
        lost.flags |= flagIncomplete;
        return buffer::record(lost);
    }
    request->active = !persistent;
    request->message = request->cancelled = false;
    request->communicator = communicator;
    request->event = event;
    requests::release(request);
}

void Transfer::finish(Span span, int result)
{
    const Call& call = m_given.call();
    if (buffer::wants(call.kind)) {
        Communicator* const communicator = communicatorOf(m_given, result);
        const Event event = describe(span, result, communicator);
        if (call.form == Form::Blocking || (result != 0 && call.form == Form::Nonblocking))
            buffer::record(event);
        else if (result == 0)
            keep(span, event, communicator);
    }
    if (m_message == nullptr) return;
    if (result == 0)
        requests::close(m_message);
    else
        requests::release(m_message);
}

void Exchange::finish(Span span, int result) const
{
    const Abi& abi = m_given.library().abi;
    const std::uint64_t comm = idOf(communicatorOf(m_given, result));
    const std::uint16_t flags = flagsOf(Form::Blocking, result);
    const int to = m_given.integer('p'), from = m_given.integer('P');
    const PointToPoint sent{comm, bytesTo(m_given, to, 'n'), peerOf(abi, to), m_given.integer('g')};
    PointToPoint received{comm, bytesTo(m_given, from, m_given.has('m') ? 'm' : 'n'), peerOf(abi, from), m_given.integer('G')};
    if (m_status.at() != nullptr && result == 0) {
        const Received got = readStatus(m_given.library(), m_status.at(), false);
        if (got.known) received = {comm, got.bytes, peerOf(abi, got.source), got.tag};
    }
    if (buffer::wants(Kind::Send)) buffer::record(pointToPoint(span, Kind::Send, sent, flags));
    if (buffer::wants(Kind::Recv)) buffer::record(pointToPoint(span, Kind::Recv, received, flags));
}

}  // namespace flowgauge::mpi
