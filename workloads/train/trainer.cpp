// SPDX-License-Identifier: MIT
#include "workloads/train/trainer.h"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include "workloads/failure.h"
#include "workloads/marks.h"
#include "workloads/train/burn.h"
#include "workloads/train/checkpoint.h"
#include "workloads/train/log_lines.h"

namespace flowgauge::workloads {

static std::string mllog(LogMoment moment, std::string_view key, const std::string& value = "null",
                         std::initializer_list<LogNumber> more = {})
{
    return mllogLine(unixNs() / 1'000'000, moment, key, value, more);
}

static BucketLimits limitsOf(const Options& options, double scale)
{
    BucketLimits limits;
    const double cap = options.bucketMib * (1 << 20), first = std::min(cap, static_cast<double>(limits.firstBytes));
    limits.capBytes = static_cast<std::uint64_t>(cap * scale);
    limits.firstBytes = static_cast<std::uint64_t>(first * scale);
    return limits;
}

Trainer::Trainer(const Options& options, Communicator& communicator, Model& model, Ledger& ledger)
    : m_options(options),
      m_communicator(communicator),
      m_model(model),
      m_ledger(ledger),
      m_train(openShardSet(options.data, "train", options.load.read, ledger)),
      m_validation{},
      m_gradients(communicator, planBuckets(model.tensors(), limitsOf(options, model.scale())), !options.noOverlap)
{
    if (options.evaluateEvery > 0) m_validation = openShardSet(options.data, "val", options.load.read, ledger);
    m_loader = std::make_unique<Loader>(m_train, options.load, ledger);
    if (options.evaluateEvery > 0) m_validationLoader = std::make_unique<Loader>(m_validation, options.load, ledger);
    const auto perStep = static_cast<std::uint64_t>(options.load.batch);
    m_stepsPerEpoch = m_train.entries.size() / static_cast<std::uint64_t>(communicator.size()) / perStep;
    if (options.steps > 0) m_stepsPerEpoch = std::min(m_stepsPerEpoch, static_cast<std::uint64_t>(options.steps));
    if (m_stepsPerEpoch == 0)
        throw Failure(m_train.indexPath(), "has ", m_train.entries.size(), " records, too few for one batch of ", perStep, " on each of ",
                      communicator.size(), " ranks");
    const double perUpdate = static_cast<double>(perStep) * communicator.size();
    m_schedule = {options.learningRate * perUpdate / 256,
                  static_cast<std::uint64_t>(options.warmupEpochs * static_cast<double>(m_stepsPerEpoch)),
                  m_stepsPerEpoch * static_cast<std::uint64_t>(options.epochs)};
}

void Trainer::log(const std::string& line) const
{
    if (m_communicator.rank() != 0) return;
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

void Trainer::run()
{
    log(mllog(LogMoment::Begin, "init_start"));
    if (m_options.dropCache) {
        for (unsigned shard = 0; shard < m_train.header.shards; ++shard) dropCached(m_train.shardPath(shard), m_ledger);
        log(mllog(LogMoment::Point, "cache_clear", "true"));
    }
    shareState();
    m_communicator.barrier();
    log(mllog(LogMoment::End, "init_stop"));
    log(mllog(LogMoment::Point, "global_batch_size", std::to_string(m_options.load.batch * m_communicator.size())));
    log(mllog(LogMoment::Point, "train_samples", std::to_string(m_train.entries.size())));
    log(mllog(LogMoment::Point, "eval_samples", std::to_string(m_validation.entries.size())));
    log(mllog(LogMoment::Begin, "run_start"));
    for (std::uint64_t number = 1; number <= static_cast<std::uint64_t>(m_options.epochs); ++number) {
        EpochEntry entry;
        entry.number = number;
        trainEpoch(entry);
        if (m_options.evaluateEvery > 0 && number % static_cast<std::uint64_t>(m_options.evaluateEvery) == 0) evaluate(entry);
        m_ledger.epoch(entry);
        if (!m_options.checkpoint.empty()) checkpoint(number);
    }
    log(mllog(LogMoment::End, "run_stop", "null"));
}

void Trainer::shareState()
{
    std::vector<float> state = m_model.state();
    m_communicator.broadcast(state);
    m_model.setState(state);
}

std::vector<std::uint32_t> Trainer::shuffled(std::uint64_t epoch) const
{
    const PhaseMark phase("shuffle");
    auto order = epochOrder({shardRuleOf(m_options.shardRule), static_cast<std::uint32_t>(m_train.entries.size()), m_communicator.rank(),
                             m_communicator.size(), m_options.seed, epoch});
    order.resize(m_stepsPerEpoch * static_cast<std::uint64_t>(m_options.load.batch));
    if (m_options.shufflePauseMs > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(m_options.shufflePauseMs));
    return order;
}

void Trainer::trainEpoch(EpochEntry& entry)
{
    auto order = shuffled(entry.number);
    entry.samples = order.size();
    log(mllog(LogMoment::Begin, "epoch_start", "null", {{"epoch_num", entry.number}}));
    {
        const EpochMark mark(static_cast<long long>(entry.number), entry.samples);
        const Tally before = m_ledger.reads();
        entry.beginUnixNs = unixNs();
        m_window = {entry.beginUnixNs, 0, 0, 0, 0};
        m_loader->begin(std::move(order), m_options.seed * 31 + entry.number);
        while (entry.steps < m_stepsPerEpoch) trainStep(entry);
        entry.endUnixNs = unixNs();
        const Tally after = m_ledger.reads();
        entry.reads = {after.count - before.count, after.bytes - before.bytes};
        entry.loss /= static_cast<double>(entry.steps);
    }
    log(mllog(LogMoment::End, "epoch_stop", "null", {{"epoch_num", entry.number}}));
}

void Trainer::trainStep(EpochEntry& entry)
{
    const StepMark mark(static_cast<long long>(++m_step), static_cast<std::uint64_t>(m_options.load.batch));
    const Batch* batch = nullptr;
    {
        const PhaseMark phase("input");
        batch = m_loader->next();
    }
    if (batch == nullptr) throw Failure("loader", "gave ", entry.steps, " batches, expected ", m_stepsPerEpoch);
    BatchScore score;
    {
        const PhaseMark phase("forward");
        score = m_model.forward(*batch);
        if (slow()) burnCpu(m_options.slowMs * 1e-3);
    }
    {
        const PhaseMark phase("backward");
        m_gradients.begin();
        m_model.backward(m_gradients);
    }
    {
        const PhaseMark phase("communication");
        m_gradients.finish();
    }
    {
        const PhaseMark phase("optimizer");
        m_model.update(m_gradients, m_schedule.rateAt(m_step));
    }
    m_ledger.step();
    ++entry.steps;
    entry.loss += score.loss;
    m_window.loss += score.loss;
    m_window.correct += score.correct;
    m_window.samples += batch->samples;
    if (entry.steps % static_cast<std::uint64_t>(m_options.logEvery) == 0) logRate(entry);
}

void Trainer::logRate(const EpochEntry& entry)
{
    const std::int64_t now = unixNs();
    const double seconds = static_cast<double>(now - m_window.beginNs) * 1e-9;
    const double samples = m_window.samples;
    RateLine rate{entry.number - 1, m_window.firstBatch, entry.steps, samples * m_communicator.size() / seconds, {}, {}};
    if (m_model.learns()) {
        rate.accuracy = m_window.correct / samples;
        rate.loss = m_window.loss / static_cast<double>(entry.steps - m_window.firstBatch);
    }
    log(speedometerLine(rate));
    m_window = {now, entry.steps, 0, 0, 0};
}

void Trainer::evaluate(EpochEntry& entry)
{
    const PhaseMark phase("evaluation");
    log(mllog(LogMoment::Begin, "eval_start", "null", {{"epoch_num", entry.number}}));
    const Tally before = m_ledger.reads();
    std::array<double, 3> sums{};  // samples, correct, loss
    m_validationLoader->begin(
        wholeOrder(static_cast<std::uint32_t>(m_validation.entries.size()), m_communicator.rank(), m_communicator.size()), 0);
    while (const Batch* batch = m_validationLoader->next()) {
        const BatchScore score = m_model.evaluate(*batch);
        sums[0] += batch->samples;
        sums[1] += score.correct;
        sums[2] += score.loss * batch->samples;
    }
    const Tally after = m_ledger.reads();
    entry.evaluationReads = {after.count - before.count, after.bytes - before.bytes};
    m_communicator.sum(std::span<double>(sums));
    if (sums[0] > 0 && m_model.learns()) {
        entry.accuracy = sums[1] / sums[0];
        log(mllog(LogMoment::Point, "eval_accuracy", fmt::format("{:.6f}", *entry.accuracy), {{"epoch_num", entry.number}}));
    }
    log(mllog(LogMoment::End, "eval_stop", "null", {{"epoch_num", entry.number}}));
}

void Trainer::checkpoint(std::uint64_t epoch)
{
    const PhaseMark phase("checkpoint");
    if (m_communicator.rank() == 0) writeCheckpoint(m_options.checkpoint, epoch, m_model.state(), m_ledger);
    m_communicator.barrier();
}

}  // namespace flowgauge::workloads
