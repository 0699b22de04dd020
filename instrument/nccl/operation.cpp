// SPDX-License-Identifier: MIT
#include "instrument/nccl/operation.h"

#include "collector/buffer/recorder.h"

namespace flowgauge::nccl {

bool wantsOperations()
{
    for (const KindRow& row : kindRows)
        if ((isCollective(row.kind) || row.kind == Kind::Send || row.kind == Kind::Recv || row.kind == Kind::CommDetail) &&
            buffer::wants(row.kind))
            return true;
    return false;
}

void record(const Operation& operation)
{
    if (operation.kind == Kind::None) return buffer::lose(DropReason::NotUnderstood);
    Event event;
    if (isCollective(operation.kind))
        event = collective(operation.span, operation.kind, {operation.comm, operation.bytes, operation.sequence, operation.peer},
                           operation.flags);
    else
        event = pointToPoint(operation.span, operation.kind, {operation.comm, operation.bytes, operation.peer, -1}, operation.flags);
    event.link = operation.link;
    buffer::record(event);
    buffer::record(commDetail(operation.span, operation.way, operation.link));
}

void Exchange::Side::add(std::int64_t peer, std::uint64_t size, bool isSelf)
{
    ++count;
    bytes += size;
    const auto number = static_cast<std::uint64_t>(peer);
    peers += number;
    squares += number * number;
    if (peer > highest) highest = peer;
    self = self || isSelf;
}

void Exchange::add(const Operation& part, std::int64_t self)
{
    if (m_parts++ == 0)
        m_first = part;
    else
        m_sameCall = m_sameCall && part.partOf == m_first.partOf;
    (part.kind == Kind::Send ? m_sent : m_received).add(part.peer, part.bytes, part.peer == self);
    if (part.span.end > m_end) m_end = part.span.end;
    if (part.span.begin < m_first.span.begin) m_first.span.begin = part.span.begin;
    m_first.flags |= part.flags;
    if (part.way.channels > m_first.way.channels) m_first.way.channels = part.way.channels;
}

/// Whether each peer came once is not remembered peer by peer: as many parts as ranks, whose numbers, and whose squares, add up as
/// those of the ranks do.
bool Exchange::isAllToAll() const
{
    if (m_sent.count != m_received.count || m_sent.self != m_received.self || m_sent.peers != m_received.peers ||
        m_sent.squares != m_received.squares)
        return false;
    const std::uint64_t ranks = m_ranks != 0 ? m_ranks : static_cast<std::uint64_t>(m_sent.highest) + 1;
    if (!m_sent.self) return m_ranks >= 3 && m_sent.count == ranks - 1;
    return ranks >= 2 && m_sent.count == ranks && m_sent.peers == ranks * (ranks - 1) / 2 &&
           m_sent.squares == ranks * (ranks - 1) * (2 * ranks - 1) / 6;
}

Operation Exchange::whole() const
{
    Operation one = m_first;
    one.kind = m_parts == 0                                 ? Kind::None
               : m_sameCall && m_first.partOf != Kind::None ? m_first.partOf
               : isAllToAll()                               ? Kind::Alltoall
                                                            : Kind::None;
    one.span.end = m_end;
    one.bytes = one.kind == Kind::Scatter ? m_received.bytes : m_sent.bytes;
    if (one.kind == Kind::Alltoall) one.peer = -1;
    if (one.kind == Kind::Gather && m_sent.count == 1) one.peer = m_sent.highest;  // everybody sends to the root, itself included
    if (one.kind == Kind::Scatter && m_received.count == 1) one.peer = m_received.highest;
    return one;
}

}  // namespace flowgauge::nccl
