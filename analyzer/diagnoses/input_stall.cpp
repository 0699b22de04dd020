// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/input_stall.h"

#include "analyzer/diagnoses/stall_cause.h"

namespace flowgauge::diagnoses {

std::optional<findings::Finding> inputStall(const Subject& subject)
{
    const Stall stall = stallOf(subject);
    if (stall.cause != StallCause::Loader) return std::nullopt;
    findings::Finding finding = stallFinding(subject, stall);
    finding.title = "Input stall";
    finding.verdict =
        findings::Sentence("The step waits for data ", findings::Share{finding.share()},
                           " of the time although reading is fast; a loader that keeps up would save up to ", finding.gain, ".");
    const double share = static_cast<double>(stall.behindReads) / static_cast<double>(stall.total);
    finding.details.emplace_back("Read calls are open for ", findings::Share{share},
                                 share < 0.5 ? " of the stall: decoding or preparing is what takes the time."
                                             : " of the stall, and bring their bytes as fast as memory does.");
    finding.advice = "Give the loader more workers or processors, prefetch deeper, or decode once and keep the result.";
    finding.toBeSure = "A profile of the loader's threads would name the function.";
    return finding;
}

}  // namespace flowgauge::diagnoses
