// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/join_accounts.h"

#include "analyzer/facts/log/log_epochs.h"
#include "analyzer/facts/log/log_text.h"

#include <algorithm>
#include <set>

namespace flowgauge::facts {
namespace {

using Accounts = std::span<const LogAccount>;

std::string textOf(Accounts accounts, const std::string& name)
{
    for (const LogAccount& account : accounts)
        if (const auto found = account.texts.find(name); found != account.texts.end()) return found->second;
    return {};
}

Measured<double> numberOf(Accounts accounts, const std::string& name, const std::string& why)
{
    for (const LogAccount& account : accounts)
        if (const auto found = account.numbers.find(name); !account.format.empty() && found != account.numbers.end()) return found->second;
    return Measured<double>::missing(why);
}

Measured<std::int64_t> countOf(Accounts accounts, const std::string& name, const std::string& why)
{
    const Measured<double> number = numberOf(accounts, name, why);
    if (number.known() && number.value() > 0) return static_cast<std::int64_t>(number.value());
    return Measured<std::int64_t>::missing(why);
}

void putRun(Accounts accounts, LogFacts& log)
{
    log.benchmark = textOf(accounts, "benchmark");
    log.organisation = textOf(accounts, "organisation");
    log.platform = textOf(accounts, "platform");
    const std::string status = textOf(accounts, "status");
    log.status = status.empty() ? Measured<std::string>::missing("the log does not say how the run ended") : Measured<std::string>(status);
    log.training = Measured<Interval>::missing("the log has no run_start and run_stop");
    for (const LogAccount& account : accounts)
        if (!log.training.known() && account.runStart && account.runStop) log.training = Interval{*account.runStart, *account.runStop};
}

/// "4xC4140" says it; else each node clears its cache once. One line alone may come from the first node only.
Measured<std::int64_t> nodesOf(const LogAccount& mlperf, const std::string& platform)
{
    const auto digits = platform.find_first_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && platform[digits] == 'x')
        return static_cast<std::int64_t>(numberAt(platform).value_or(1));
    if (mlperf.cacheClears >= 2 || (mlperf.cacheClears == 1 && mlperf.inits >= 2)) return mlperf.cacheClears;
    return Measured<std::int64_t>::missing("the log does not say on how many nodes");
}

void putSizes(Accounts accounts, LogFacts& log)
{
    const LogAccount& mlperf = accounts.front();
    log.trainSamples = countOf(accounts, "train_samples", "the log does not say how many samples an epoch has");
    log.evalSamples = countOf(accounts, "eval_samples", "the log does not say how many samples an evaluation has");
    if (!log.trainSamples.known() && log.benchmark == "resnet" && !mlperf.format.empty()) {
        log.trainSamples = 1'281'167;  // ImageNet, which the rules of all rounds prescribe
        log.remarks.emplace_back("an epoch has the 1,281,167 pictures of the rules' data set: the log does not say");
    }
    log.nodes = nodesOf(mlperf, log.platform);
    log.ranks = countOf(accounts, "ranks", "the log does not say how many ranks there were");
    if (mlperf.inits >= 2) log.ranks = mlperf.inits;
    if (!log.ranks.known() && mlperf.cacheClears >= 2 && mlperf.seeds >= mlperf.cacheClears) {
        log.ranks = mlperf.seeds;  // some ranks' lines may be torn
        log.remarks.emplace_back("the number of ranks is that of the lines that set a seed");
    }
}

/// MLPerf v0.5 and most benchmarks print the batch of one process; some print the global one under the same key.
void putBatch(Accounts accounts, LogFacts& log)
{
    constexpr std::int64_t noProcessHeldSoMany = 1024;  // the largest of one GPU in that round's results is 256
    const Measured<std::int64_t> global = countOf(accounts, "global_batch", "the log has no batch size");
    const Measured<std::int64_t> one = countOf(accounts, "batch", "the log has no batch size");
    log.loggedBatch = global.valueOr(one.valueOr(0));
    log.globalBatch = global;
    if (global.known() || !one.known()) return;
    if (one.value() >= noProcessHeldSoMany) {
        log.globalBatch = one;
        log.remarks.emplace_back("the logged batch size is taken for the global one: no single process held so many samples");
    } else {
        log.globalBatch = Measured<std::int64_t>::missing("the log gives the batch of one process, " + std::to_string(one.value()));
    }
}

void putEpochs(Accounts accounts, Interval recorded, LogFacts& log)
{
    log.epochsLogged = Measured<std::int64_t>::missing("the log has no line for each epoch");
    for (const LogAccount& account : accounts) {
        EpochsOfAccount found = epochsOf(account, recorded);
        if (found.epochs.empty() && !found.logged.known()) continue;
        log.epochs = std::move(found.epochs);
        log.epochsLogged = found.logged;
        log.epochsFromEvaluations = found.fromEvaluations;
        return;
    }
}

/// A line that comes again for the same step comes from another rank, and then each has its own rate.
bool stepsRepeat(const std::vector<LogRate>& rates)
{
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    return std::any_of(rates.begin(), rates.end(), [&](const LogRate& rate) { return !seen.emplace(rate.epoch, rate.step).second; });
}

/// MLPerf submissions let the first rank print the job's rate, in whatever form; tf_cnn_benchmarks prints that of its own devices,
/// which are all there are where nobody else prints.
void putRates(Accounts accounts, LogFacts& log)
{
    for (const LogAccount& account : accounts) {
        if (account.rates.empty()) continue;
        log.rates = account.rates;
        const bool ofJob = !accounts.front().format.empty() || account.format == "tf_cnn_benchmarks";
        if (ofJob && !stepsRepeat(log.rates))
            for (LogRate& rate : log.rates) rate.of = RateOf::Job;
        break;
    }
    log.totalRate = Measured<double>::missing("the log does not sum its rate up");
    for (const LogAccount& account : accounts)
        if (account.totalRate) log.totalRate = *account.totalRate;
}

void putTarget(Accounts accounts, LogFacts& log)
{
    log.target = numberOf(accounts, "target", "the log has no target");
    const std::string& format = accounts.front().format;
    if (!log.target.known() && log.benchmark == "resnet" && !format.empty()) {
        log.target = 0.759;  // MLPerf training rules v0.6 and later; the logs of these rounds do not hold it
        log.remarks.emplace_back("the target is that of the round's rules, 75.9 %: the log does not hold it");
    }
    log.timeToTarget = Measured<Nanos>::missing(log.target.known() ? "no evaluation reached the target" : log.target.reason());
    log.epochsToTarget = Measured<std::int64_t>::missing(log.timeToTarget.reason());
    if (!log.target.known()) return;
    const auto reached = std::find_if(log.evaluations.begin(), log.evaluations.end(),
                                      [&](const LogEvaluation& evaluation) { return evaluation.accuracy >= log.target.value(); });
    if (reached == log.evaluations.end()) return;
    log.epochsToTarget = reached->epoch;
    log.timeToTarget = log.training.known() && reached->at >= log.training.value().begin
                           ? Measured<Nanos>(reached->at - log.training.value().begin)
                           : Measured<Nanos>::missing("the log does not say when training began");
}

}  // namespace

LogFacts joinAccounts(std::span<const LogAccount> accounts, Interval recorded)
{
    LogFacts log;
    for (const LogAccount& account : accounts) {
        if (account.format.empty()) continue;
        log.formats.push_back(account.format);
        log.remarks.insert(log.remarks.end(), account.remarks.begin(), account.remarks.end());
        if (log.evaluations.empty()) log.evaluations = account.evaluations;
    }
    putRun(accounts, log);
    putSizes(accounts, log);
    putBatch(accounts, log);
    putEpochs(accounts, recorded, log);
    putRates(accounts, log);
    putTarget(accounts, log);
    if (log.epochsFromEvaluations)
        log.remarks.emplace_back("epochs are from evaluation to evaluation: the log's own lines do not tell when they were");
    return log;
}

}  // namespace flowgauge::facts
