// SPDX-License-Identifier: MIT
#include "gui/timeline/tone.h"

#include <array>

namespace flowgauge::timeline {

Tone toneOf(Kind kind)
{
    if (kind == Kind::None) return Tone::None;
    if (kind == Kind::GpuCopy || kind == Kind::GpuFill) return Tone::Copy;
    switch (rowOf(kind).lane) {
        case Lane::Io:
            return Tone::Storage;
        case Lane::Comm:
            return Tone::HiddenCommunication;
        case Lane::Gpu:
            return Tone::Compute;
        default:
            return Tone::Mark;
    }
}

Tone toneOfPhase(std::string_view name)
{
    struct Row {
        std::string_view word;
        Tone tone;
    };
    static constexpr std::array<Row, 12> rows{{{"input", Tone::InputStall},
                                               {"data", Tone::InputStall},
                                               {"eval", Tone::Evaluation},
                                               {"valid", Tone::Evaluation},
                                               {"checkpoint", Tone::Checkpoint},
                                               {"save", Tone::Checkpoint},
                                               {"shuffle", Tone::Gap},
                                               {"forward", Tone::Compute},
                                               {"backward", Tone::Compute},
                                               {"optim", Tone::Compute},
                                               {"compute", Tone::Compute},
                                               {"allreduce", Tone::HiddenCommunication}}};
    for (const Row& row : rows)
        if (name.find(row.word) != std::string_view::npos) return row.tone;
    return Tone::Mark;
}

std::uint8_t shadeOf(std::string_view name)
{
    std::uint32_t hash = 2166136261U;  // FNV-1a, unlike std::hash, is the same everywhere
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    return static_cast<std::uint8_t>(hash % shadeCount);
}

std::string_view nameOf(Tone tone)
{
    static constexpr std::array<std::string_view, toneCount> names{"nothing",
                                                                   "compute",
                                                                   "hidden communication",
                                                                   "exposed communication",
                                                                   "input stall",
                                                                   "copies",
                                                                   "gap",
                                                                   "evaluation",
                                                                   "checkpoint",
                                                                   "storage",
                                                                   "other idle",
                                                                   "marks",
                                                                   "steps not written"};
    return names[static_cast<std::size_t>(tone)];
}

}  // namespace flowgauge::timeline
