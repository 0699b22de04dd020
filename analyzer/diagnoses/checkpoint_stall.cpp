// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/checkpoint_stall.h"

#include "analyzer/diagnoses/named_stall.h"

namespace flowgauge::diagnoses {

std::optional<findings::Finding> checkpointStall(const Subject& subject)
{
    constexpr double leftByCopyingFirst = 0.1;  // what remains is the copy into memory
    auto finding = namedStall(subject, facts::Phase::Checkpoint, leftByCopyingFirst);
    if (!finding) return std::nullopt;
    finding->title = "Checkpoints";
    finding->verdict =
        findings::Sentence("Training stands for ", findings::Share{finding->share()},
                           " of the run while checkpoints are written; writing them beside training would save about ", finding->gain, ".");
    finding->advice =
        "Copy the state to memory and write it in the background (torch.distributed.checkpoint.async_save), or write less often.";
    return finding;
}

}  // namespace flowgauge::diagnoses
