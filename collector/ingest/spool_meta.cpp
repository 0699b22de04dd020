// SPDX-License-Identifier: MIT
#include "collector/ingest/spool_meta.h"

#include <algorithm>

namespace flowgauge::ingest {
namespace {

constexpr std::uint64_t longestName = 4096;  // recorder.h cuts there; a longer one is no name but damage

ClockAnchor anchorOf(const Event& event)
{
    return {event.begin, static_cast<Nanos>(event.arg[0]), static_cast<Nanos>(event.arg[1]), static_cast<Nanos>(event.arg[2])};
}

}  // namespace

void SpoolMeta::take(const Piece& piece)
{
    OpenText& open = m_open[piece.ring];
    std::uint64_t sequence = piece.firstSequence;
    Ticks first = m_firstTicks == 0 ? ~Ticks{0} : m_firstTicks;
    Ticks last = m_lastTicks;
    for (const Event& event : piece.events) {
        if (open.walk.isText(sequence)) {
            takeText(open, event, sequence);
        } else if (isKind(static_cast<std::uint16_t>(event.kind))) {
            first = std::min(first, event.begin);
            last = std::max(last, event.end);
            if (rowOf(event.kind).lane == Lane::Meta || event.kind == Kind::MpiInit || event.kind == Kind::Communicator)
                takeEvent(open, event, sequence);
        }
        ++sequence;
    }
    if (last != 0) {
        m_firstTicks = first;
        m_lastTicks = last;
    }
}

void SpoolMeta::takeEvent(OpenText& open, const Event& event, std::uint64_t sequence)
{
    if (event.kind == Kind::MpiInit) m_mpiInit = event;
    if (event.kind == Kind::Communicator) m_communicators.push_back(event);
    if (event.kind == Kind::ClockAnchor) m_anchors.push_back(anchorOf(event));
    if (event.kind != Kind::NameText || event.arg[2] > longestName) return;
    open.walk.enter(sequence, event.arg[2]);
    open.name = {event.arg[0], static_cast<NameClass>(event.arg[1]), {}};
    open.length = event.arg[2];
    open.next = sequence + 1;
    if (open.length == 0) m_names.push_back(open.name);
}

void SpoolMeta::takeText(OpenText& open, const Event& slot, std::uint64_t sequence)
{
    if (sequence != open.next) return;  // a piece of the text is missing: so is the name
    ++open.next;
    const std::size_t bytes = std::min<std::size_t>(spool::slotBytes, open.length - open.name.text.size());
    open.name.text.append(reinterpret_cast<const char*>(&slot), bytes);
    if (open.name.text.size() == open.length) m_names.push_back(std::move(open.name));
}

}  // namespace flowgauge::ingest
