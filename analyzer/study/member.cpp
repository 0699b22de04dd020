// SPDX-License-Identifier: MIT
#include "analyzer/study/member.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::study {
namespace {

using facts::RunFacts;

double secondsOf(Nanos ns) { return static_cast<double>(ns) / 1e9; }

template <typename T>
Measured<double> median(std::vector<T> values, const char* why)
{
    if (values.empty()) return Measured<double>::missing(why);
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const double upper = static_cast<double>(values[middle]);
    return values.size() % 2 == 1 ? upper : (static_cast<double>(values[middle - 1]) + upper) / 2;
}

std::vector<double> ratesOf(const RunFacts& run)
{
    std::vector<double> rates;
    for (const facts::Epoch& epoch : run.epochs)
        if (epoch.complete && epoch.samples > 0 && !epoch.when.empty())
            rates.push_back(static_cast<double>(epoch.samples) / secondsOf(epoch.when.length()));
    return rates;
}

void putThroughput(const RunFacts& run, Member& member)
{
    const std::vector<double> rates = ratesOf(run);
    member.throughput = median(rates, "no sample counts of epochs");
    if (!rates.empty()) member.firstThroughput = rates.front();
    const bool byLog = run.epochs.empty() || run.epochs.front().source == facts::EpochSource::Log;
    if (!run.log.empty() && byLog && run.log.rateByEpochs().known()) {
        member.throughput = run.log.rateByEpochs();  // the log tells training from evaluation
        const auto first = run.log.firstEpoch();
        if (first.known() && run.log.trainSamples.known() && first.value() > 0)
            member.firstThroughput = static_cast<double>(run.log.trainSamples.value()) / secondsOf(first.value());
    }
    if (!member.throughput.known() && !run.log.empty()) member.throughput = run.log.medianRate();
    if (!member.firstThroughput.known()) member.firstThroughput = Measured<double>::missing(member.throughput.reason());
}

/// Nine tenths of the rate lines of the first epoch lie within a tenth of their median: something gives all the time what it can.
bool isEven(const facts::LogFacts& log, std::int64_t epoch)
{
    std::vector<double> rates;
    for (const facts::LogRate& rate : log.rates)
        if (rate.epoch == epoch && rate.samplesPerSecond > 0) rates.push_back(rate.samplesPerSecond);
    constexpr std::size_t enough = 5;
    if (rates.size() < enough) return false;
    std::sort(rates.begin(), rates.end());
    const double middle = rates[rates.size() / 2];
    const auto inside = std::count_if(rates.begin(), rates.end(), [middle](double rate) { return std::abs(rate - middle) < 0.1 * middle; });
    return static_cast<double>(inside) >= 0.9 * static_cast<double>(rates.size());
}

/// Mean record of ImageNet's training set in the record files of its trainers: 1,448,283,629,516 bytes / 12,811,670 images of the tenfold
/// set.
constexpr double imageNetRecord = 113'044;
constexpr std::int64_t imageNetSamples = 1'281'167;

void putColdFirst(const RunFacts& run, Member& member)
{
    constexpr double slower = 0.95;
    member.firstDemand = Measured<double>::missing("bytes of the first epoch are not known");
    if (!member.throughput.known() || !member.firstThroughput.known() || member.epochs < 3) return;
    const facts::Epoch* first = run.epochs.empty() ? nullptr : &run.epochs.front();
    if (first != nullptr && first->asked.known() && first->asked.value() > 0 && !first->when.empty())
        member.firstDemand = static_cast<double>(first->asked.value()) / secondsOf(first->when.length());
    else if (run.log.trainSamples.valueOr(0) == imageNetSamples)
        member.firstDemand = member.firstThroughput.value() * imageNetRecord;
    const bool recorded = !run.ranks.empty();
    const std::int64_t number = first == nullptr ? 1 : first->number;
    member.coldFirst = member.firstThroughput.value() < slower * member.throughput.value() && (recorded || isEven(run.log, number));
}

void putAccuracy(const RunFacts& run, Member& member)
{
    const char* why = "the job's output tells no accuracy";
    member.target = run.log.empty() ? Measured<double>::missing(why) : run.log.target;
    member.timeToTarget = run.log.empty() ? Measured<Nanos>::missing(why) : run.log.timeToTarget;
    member.epochsToTarget = run.log.empty() ? Measured<std::int64_t>::missing(why) : run.log.epochsToTarget;
    // The official time to train of a log that names no target: from run_start to run_stop of a run that ended well.
    if (!member.timeToTarget.known() && run.log.status.valueOr("") == "success" && run.log.training.known()) {
        member.timeToTarget = run.log.training.value().length();
        if (!member.epochsToTarget.known()) member.epochsToTarget = run.log.epochsLogged;
    }
    Interval trained;
    for (const facts::Epoch& epoch : run.epochs)
        trained = trained.empty() ? epoch.when : Interval{std::min(trained.begin, epoch.when.begin), std::max(trained.end, epoch.when.end)};
    const Nanos whole = run.log.training.known() ? run.log.training.value().length()
                        : trained.empty()        ? run.extent.length()
                                                 : trained.length();
    member.wall = member.timeToTarget.valueOr(whole);
}

/// The parts of all steps, in the proportions in which they fill the epochs; what is between epochs apart.
void putUses(const diagnoses::Subject& subject, Member& member)
{
    const double gpus = static_cast<double>(std::max<std::int64_t>(member.ranks, 1));
    const double whole = secondsOf(member.wall) * gpus;
    double inEpochs = 0;
    for (const facts::Epoch& epoch : subject.run.epochs) inEpochs += secondsOf(epoch.when.length()) * gpus;
    inEpochs = std::min(inEpochs, whole);
    facts::TimeParts parts;
    for (const diagnoses::RankView& view : subject.ranks)
        for (const Interval window : view.windows) parts += view.parts.within(window);
    const bool known = parts.wall > 0 && inEpochs > 0;
    member.uses[static_cast<std::size_t>(Use::BetweenEpochs)] = inEpochs > 0 ? whole - inEpochs : 0;
    if (!known) {
        member.uses[static_cast<std::size_t>(Use::Unknown)] = whole - (inEpochs > 0 ? whole - inEpochs : 0);
        return;
    }
    const auto put = [&](Use use, Nanos time) {
        member.uses[static_cast<std::size_t>(use)] = inEpochs * static_cast<double>(time) / static_cast<double>(parts.wall);
    };
    put(Use::Compute, parts.compute);
    put(Use::ExposedCommunication, parts.exposedCommunication);
    put(Use::ExposedCopy, parts.exposedCopy);
    put(Use::InputStall, parts.inputStall);
    put(Use::OtherIdle, parts.otherIdle);
}

void putStorage(const RunFacts& run, Member& member)
{
    std::vector<double> demands;
    for (const facts::Epoch& epoch : run.epochs) {
        if (epoch.asked.known() && !epoch.when.empty())
            demands.push_back(static_cast<double>(epoch.asked.value()) / secondsOf(epoch.when.length()));
        if (!epoch.fetched.known()) break;
        member.fetched.push_back(static_cast<double>(epoch.fetched.value()));
    }
    member.demand = median(demands, "no bytes asked for are known");
    member.quietFrom = Measured<std::int64_t>::missing(member.fetched.empty() ? "what was fetched is not known" : "not within this run");
    for (std::size_t i = 1; i < member.fetched.size(); ++i)
        if (member.fetched[i] < quietBelow * member.fetched.front()) {
            member.quietFrom = run.epochs[i].number;
            break;
        }
}

/// Of the slices that lie in epochs.
Measured<double> meanInEpochs(const RunFacts& run, Interval when, const std::vector<double>& values)
{
    if (values.empty()) return Measured<double>::missing("no counters of the hosts' ports");
    double sum = 0;
    double covered = 0;
    const double slice = static_cast<double>(when.length()) / static_cast<double>(values.size());
    for (const facts::Epoch& epoch : run.epochs)
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double begin = static_cast<double>(when.begin) + slice * static_cast<double>(i);
            const double part =
                std::min(begin + slice, static_cast<double>(epoch.when.end)) - std::max(begin, static_cast<double>(epoch.when.begin));
            if (part <= 0) continue;
            sum += values[i] * part;
            covered += part;
        }
    if (covered <= 0) return Measured<double>::missing("no epochs are known");
    return sum / covered;
}

void putPeaks(const RunFacts& run, Member& member)
{
    const findings::OverTime& time = member.overTime;
    const auto peak = [](const std::vector<double>& values, const char* why) {
        return values.empty() ? Measured<double>::missing(why) : Measured<double>(*std::max_element(values.begin(), values.end()));
    };
    member.peakDisk = peak(time.disks, "no disk of the storage was sampled");
    member.peakFetched = peak(time.fetched, "no storage counters");
    const double nodes = static_cast<double>(std::max<std::int64_t>(member.nodes, 1));
    const auto perNode = [nodes](const Measured<double>& all) { return all.known() ? Measured<double>(all.value() / nodes) : all; };
    member.sentPerNode = perNode(meanInEpochs(run, time.when, time.sent));
    member.receivedPerNode = perNode(meanInEpochs(run, time.when, time.received));
}

}  // namespace

Member memberOf(const diagnoses::Subject& subject, findings::OverTime overTime)
{
    const RunFacts& run = subject.run;
    Member member;
    member.name = run.name;
    for (const facts::LedgerRow& row : run.ledger)
        if (row.state == "simulated") member.simulated = row.reason;
    member.nodes = run.ranks.empty() ? run.log.nodes.valueOr(0) : run.hosts;
    member.ranks = run.ranks.empty() ? run.log.ranks.valueOr(0) : std::max(run.worldSize, static_cast<std::int64_t>(run.ranks.size()));
    if (member.nodes == 0) member.nodes = 1;
    member.epochs = run.epochs.empty() ? run.log.epochsLogged.valueOr(0) : static_cast<std::int64_t>(run.epochs.size());
    member.overTime = std::move(overTime);
    putThroughput(run, member);
    putColdFirst(run, member);
    putAccuracy(run, member);
    putUses(subject, member);
    putStorage(run, member);
    putPeaks(run, member);
    return member;
}

}  // namespace flowgauge::study
