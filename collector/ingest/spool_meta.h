// SPDX-License-Identifier: MIT
#pragma once
#include "collector/ingest/spool_reader.h"
#include "collector/record/event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// A text that a process gave a key.
struct NamedText {
    NameKey key;
    NameClass nameClass;
    std::string text;
};

/// Walks the slots of one ring piece by piece and tells events from the text behind a NameText, also where a piece ends inside
/// a text. Sequences are absolute, so a gap cannot shift it.
class SlotWalk {
public:
    /// True when the slot with that sequence is text and no event.
    [[nodiscard]] bool isText(std::uint64_t sequence) const { return sequence < m_textEnd; }
    [[nodiscard]] std::uint64_t textEnd() const { return m_textEnd; }
    /// To be called at a NameText.
    void enter(std::uint64_t sequence, std::uint64_t length) { m_textEnd = sequence + spool::nameSlots(length); }

private:
    std::uint64_t m_textEnd = 0;
};

/// What has to be known of a spool before its events can be read: names, clock anchors, the process's place in MPI. Filled by
/// the survey, in which a name may come after events that use it (another ring, a later chunk).
class SpoolMeta {
public:
    void take(const Piece& piece);

    [[nodiscard]] const std::vector<NamedText>& names() const { return m_names; }
    [[nodiscard]] const std::vector<ClockAnchor>& anchors() const { return m_anchors; }
    [[nodiscard]] const std::optional<Event>& mpiInit() const { return m_mpiInit; }
    [[nodiscard]] const std::vector<Event>& communicators() const { return m_communicators; }
    [[nodiscard]] Ticks firstTicks() const { return m_firstTicks; }  ///< 0: no event
    [[nodiscard]] Ticks lastTicks() const { return m_lastTicks; }

private:
    struct OpenText {
        SlotWalk walk;
        NamedText name;
        std::uint64_t length = 0, next = 0;
    };
    void takeText(OpenText& open, const Event& slot, std::uint64_t sequence);
    void takeEvent(OpenText& open, const Event& event, std::uint64_t sequence);

    std::map<std::uint32_t, OpenText> m_open;  ///< by ring
    std::vector<NamedText> m_names;
    std::vector<ClockAnchor> m_anchors;
    std::optional<Event> m_mpiInit;
    std::vector<Event> m_communicators;
    Ticks m_firstTicks = 0, m_lastTicks = 0;
};

}  // namespace flowgauge::ingest
