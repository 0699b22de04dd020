// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/cache_too_small.h"

#include "analyzer/diagnoses/stall_cause.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// An epoch that fetches at least this share of what it asks for again was not held by the cache.
constexpr double fetchedAgain = 0.5;

/// Bytes that the epochs after the first fetched again; 0 unless at least two of three did.
struct Refetched {
    std::int64_t epochs = 0, later = 0, bytes = 0, asked = 0;
};

Refetched refetchedIn(const std::vector<facts::Epoch>& epochs)
{
    Refetched sum;
    for (std::size_t i = 1; i < epochs.size(); ++i) {
        const facts::Epoch& epoch = epochs[i];
        if (!epoch.complete || !epoch.asked.known() || !epoch.fetched.known() || epoch.asked.value() <= 0) continue;
        ++sum.later;
        sum.asked = std::max(sum.asked, epoch.asked.value());
        if (static_cast<double>(epoch.fetched.value()) < fetchedAgain * static_cast<double>(epoch.asked.value())) continue;
        ++sum.epochs;
        sum.bytes += epoch.fetched.value();
    }
    return sum;
}

}  // namespace

std::optional<findings::Finding> cacheTooSmall(const Subject& subject)
{
    const Refetched refetched = refetchedIn(subject.run.epochs);
    const Stall stall = stallOf(subject);
    if (refetched.epochs == 0 || 3 * refetched.epochs < 2 * refetched.later || stall.cause != StallCause::Storage) return std::nullopt;
    findings::Finding finding = stallFinding(subject, stall);
    finding.title = "Data set larger than cache";
    finding.amount = stall.behindReads;
    finding.gain = findings::possible(subject.gainOf(stallBehindReads), finding.share());
    finding.verdict = findings::Sentence("The page cache does not hold the data: ", findings::Count{refetched.epochs},
                                         " later epochs fetched ", findings::Bytes{static_cast<double>(refetched.bytes)},
                                         " again; if it did, up to ", finding.gain, " of the step would be saved.");
    finding.details.emplace_back("An epoch asks for ", findings::Bytes{static_cast<double>(refetched.asked)}, " on all hosts together.");
    const auto& memory = subject.run.trouble.memoryBytes;
    if (memory.known())
        finding.details.emplace_back("The host with least memory has ", findings::Bytes{static_cast<double>(memory.value())}, ".");
    finding.advice =
        "Let each host read its own share of the data in every epoch (sticky shards), stage the data on local disks, or use more memory or "
        "hosts.";
    return finding;
}

}  // namespace flowgauge::diagnoses
