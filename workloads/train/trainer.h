// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include "workloads/train/communicator.h"
#include "workloads/train/model.h"
#include "workloads/train/options.h"
#include "workloads/train/schedule.h"

namespace flowgauge::workloads {

/// Trains a model on this rank's share of the data: shuffle, epoch, evaluation and checkpoint in turn, with marks around each.
class Trainer {
public:
    Trainer(const Options& options, Communicator& communicator, Model& model, Ledger& ledger);
    void run();
    [[nodiscard]] const BucketPlan& buckets() const { return m_gradients.plan(); }

private:
    void shareState();
    void trainEpoch(EpochEntry& entry);
    void trainStep(EpochEntry& entry);
    void evaluate(EpochEntry& entry);
    void checkpoint(std::uint64_t epoch);
    [[nodiscard]] std::vector<std::uint32_t> shuffled(std::uint64_t epoch) const;
    void logRate(const EpochEntry& entry);
    void log(const std::string& line) const;
    [[nodiscard]] bool slow() const { return m_options.slowRank == m_communicator.rank() && m_options.slowMs > 0; }

    const Options& m_options;
    Communicator& m_communicator;
    Model& m_model;
    Ledger& m_ledger;
    ShardSet m_train, m_validation;
    GradientReducer m_gradients;
    std::unique_ptr<Loader> m_loader, m_validationLoader;
    std::uint64_t m_stepsPerEpoch = 0, m_step = 0;
    Schedule m_schedule;
    struct Window {
        std::int64_t beginNs = 0;
        std::uint64_t firstBatch = 0;
        int correct = 0, samples = 0;
        double loss = 0;
    } m_window;
};

}  // namespace flowgauge::workloads
