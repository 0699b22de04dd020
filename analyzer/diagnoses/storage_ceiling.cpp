// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/storage_ceiling.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::diagnoses {
namespace {

/// The first epoch has to be slower by this share to say more than a warm-up.
constexpr double slower = 0.05;
/// Rates of the slow epoch that lie this close together (half of them) stand at a ceiling; waiting for single requests scatters.
constexpr double flat = 0.05;
/// Fewer windows do not tell.
constexpr std::size_t enoughRates = 8;
/// ImageNet as record files: 144 GB of 1,281,167 pictures. Only for logs, which do not count bytes.
constexpr std::int64_t imageNetSamples = 1'281'167;
constexpr double imageNetBytesPerSample = 112.4e3;

struct Rates {
    double median = 0, lower = 0, upper = 0;  ///< quartiles
    std::size_t count = 0;
};

/// Of one epoch's windows, or of all later ones; the first window of an epoch holds the pipeline's start.
Rates ratesOf(const facts::LogFacts& log, bool ofFirst)
{
    std::vector<double> values;
    std::int64_t before = 0;
    for (const facts::LogRate& rate : log.rates) {
        const bool starts = rate.epoch != before;
        before = rate.epoch;
        if (starts || rate.of != facts::RateOf::Job || rate.samplesPerSecond <= 0 || (rate.epoch == 1) != ofFirst) continue;
        values.push_back(rate.samplesPerSecond);
    }
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values[values.size() / 4], values[values.size() * 3 / 4], values.size()};
}

}  // namespace

/// From the job's own rates: a first epoch whose windows all stand at one rate, below that of all later ones.
std::optional<findings::Finding> storageCeiling(const Subject& subject)
{
    const facts::LogFacts& log = subject.run.log;
    const Rates first = ratesOf(log, true);
    const Rates later = ratesOf(log, false);
    if (first.count < enoughRates || later.count < enoughRates || first.median > (1 - slower) * later.median) return std::nullopt;
    if (first.upper - first.lower > flat * first.median || log.epochs.size() < 2) return std::nullopt;
    const Measured<Nanos> usual = log.medianEpoch();
    const Nanos extra = log.epochs.front().when.length() - usual.valueOr(log.epochs.front().when.length());
    const Nanos run = log.training.known() ? log.training.value().length() : subject.run.extent.length();
    if (extra <= 0 || run <= 0) return std::nullopt;
    findings::Finding finding;
    finding.title = "Storage ceiling";
    finding.amount = extra;
    finding.outOf = log.epochs.front().when.length();
    finding.outOfWhat = "epoch 1";
    finding.partOfRun = std::min(1.0, static_cast<double>(finding.outOf) / static_cast<double>(run));
    finding.ranks = subject.run.rankNumbers();
    finding.gain = findings::possible({finding.share(), finding.share() * (first.upper - first.lower) / first.median}, finding.share());
    const double bytes = log.trainSamples.valueOr(0) == imageNetSamples ? first.median * imageNetBytesPerSample : 0;
    if (bytes > 0)
        finding.verdict = findings::Sentence("The first epoch is limited by storage at about ", findings::BytesPerSecond{bytes},
                                             ": its cache is cold, and its rate is flat below the later ones'. A warm cache would save ",
                                             finding.gain, " of it.");
    else
        finding.verdict = findings::Sentence(
            "The first epoch stands at one rate below that of all later ones, as behind storage that gives no more; a warm cache would "
            "save ",
            finding.gain, " of it.");
    finding.details.emplace_back("It goes at ", findings::PerSecond{first.median}, " samples a second (middle half ",
                                 findings::PerSecond{first.lower}, " to ", findings::PerSecond{first.upper}, "), later epochs at ",
                                 findings::PerSecond{later.median}, ": ", findings::Share{later.median / first.median - 1}, " more.");
    if (bytes > 0) finding.toBeSure = "The log counts no bytes: 112.4 kB a picture are taken from the size of ImageNet's record files.";
    finding.advice = "Stage the data before the run, or let storage serve the first pass from more disks or servers.";
    return finding;
}

}  // namespace flowgauge::diagnoses
