// SPDX-License-Identifier: MIT
#include "workloads/simulate/job.h"
#include "workloads/simulate/books.h"
#include "workloads/simulate/faults.h"

#include <gtest/gtest.h>

#include <array>

namespace flowgauge::simulate {
namespace {

Books played(const Parameters& parameters)
{
    Books books(parameters);
    const std::array<Observer*, 1> observers{&books};
    play(parameters, observers);
    return books;
}

/// The virtualised A100 job: no overlap, 32-bit gradients in a ring, synthetic data.
Parameters a100(int nodes, double gbps)
{
    Parameters parameters;
    parameters.cluster = {nodes, 1, 32, 64, "A100"};
    parameters.link.gbps = gbps;
    parameters.link.latencyUs = 0;
    parameters.data.bytes = 0;
    parameters.model.gradientMb = 102.228128;
    parameters.model.computeMs = 415;
    parameters.model.jitter = 0;
    parameters.model.overlap = false;
    parameters.training.epochs = 1;
    parameters.training.stepsPerEpoch = 10;
    return parameters;
}

double gainOf100OverA25GbitLink(int nodes) { return played(a100(nodes, 25)).parts().wall / played(a100(nodes, 100)).parts().wall - 1; }

TEST(Job, WithoutOverlapAFasterLinkGainsWhatTheModelSays)
{
    EXPECT_NEAR(gainOf100OverA25GbitLink(2), 0.058, 0.0005);
    EXPECT_NEAR(gainOf100OverA25GbitLink(4), 0.086, 0.0005);
}

Parameters small()
{
    Parameters parameters;
    parameters.cluster.nodes = 2;
    parameters.cluster.gpusPerNode = 2;
    parameters.model.computeMs = 100;
    parameters.training.epochs = 3;
    parameters.training.stepsPerEpoch = 50;
    return parameters;
}

TEST(Job, EqualParametersGiveEqualJobs)
{
    const Books first = played(small());
    const Books second = played(small());
    EXPECT_EQ(first.end(), second.end());
    EXPECT_EQ(first.parts().exposedCommunication, second.parts().exposedCommunication);
    Parameters other = small();
    other.seed = 2;
    EXPECT_NE(played(other).end(), first.end());
}

TEST(Job, SlowStorageHoldsUpTheColdEpochOnly)
{
    Parameters parameters = small();
    const double bytesOfStep = parameters.bytesPerSample() * parameters.model.batchPerGpu * 4;
    parameters.storage.bandwidthMbPerS = bytesOfStep / 0.2 / 1e6;  // 200 ms for the batches of a step that computes 100 ms
    const Books books = played(parameters);
    EXPECT_NEAR(static_cast<double>(books.epochs()[0].when.length()) / 1e9, 50 * 0.2, 0.3);
    EXPECT_LT(books.epochs()[2].when.length(), books.epochs()[0].when.length());
}

TEST(Job, AStragglerCostsTheOthersWhatItIsSlower)
{
    Parameters parameters = small();
    parameters.faults = {{"straggler", 0.2, 1}};
    const Books books = played(withFaults(parameters));
    const double perRank = books.parts().wall / parameters.ranks();
    EXPECT_NEAR(books.awaitedMost() / perRank, 0.2 * 0.98 / 1.2, 0.02);
}

TEST(Job, TheTargetIsReachedInTheLastEpochAndNotBefore)
{
    Parameters parameters = small();
    parameters.training.epochs = 61;
    EXPECT_LT(accuracyAfter(parameters, 60), parameters.training.target);
    EXPECT_GE(accuracyAfter(parameters, 61), parameters.training.target);
}

TEST(Job, WhatAFaultCostsIsTheTimeTheJobTakesWithoutIt)
{
    Parameters parameters = small();
    parameters.faults = {{"shuffle_pause", 5, 0}};
    const Books books = played(withFaults(parameters));
    const double share = 10e9 / static_cast<double>(books.end());  // two borders
    EXPECT_NE(truthOf(parameters, books).find("\"kind\": \"shuffle_pause\""), std::string::npos);
    EXPECT_NEAR(1 - static_cast<double>(played(withFaults(parameters, 0)).end()) / static_cast<double>(books.end()), share, 1e-9);
}

}  // namespace
}  // namespace flowgauge::simulate
