// SPDX-License-Identifier: MIT
#include "tests/unit/analyzer/facts/log_lines.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flowgauge::facts {
namespace {

std::string v05(double at, const std::string& rest)
{
    std::ostringstream line;
    line.precision(3);
    line << ":::MLPv0.5.0 resnet " << std::fixed << 1541720000 + at << " (/w/log_utils.py:49) " << rest << '\n';
    return line.str();
}

std::string v07(std::int64_t ms, const std::string& key, const std::string& value = "null", const std::string& metadata = "")
{
    return R"(:::MLLOG {"namespace": "", "time_ms": )" + std::to_string(1593141000000 + ms) +
           R"(, "event_type": "POINT_IN_TIME", "key": ")" + key + R"(", "value": )" + value +
           R"(, "metadata": {"file": "t.py", "lineno": 83)" + (metadata.empty() ? "" : ", " + metadata) + "}}\n";
}

std::string epochNum(int number) { return "\"epoch_num\": " + std::to_string(number); }

TEST(LogTraps, ABatchOfTheOldestRoundIsOneProcesssUnlessNoProcessHeldSoMany)
{
    const LogFacts one = logOf(v05(0, "input_batch_size: 208"));
    EXPECT_EQ(one.loggedBatch, 208);
    EXPECT_FALSE(one.globalBatch.known());
    EXPECT_NE(one.globalBatch.reason().find("208"), std::string::npos);
    EXPECT_EQ(logOf(v05(0, "input_batch_size: 2048")).globalBatch, Measured<std::int64_t>(2048));
    EXPECT_EQ(logOf(v05(0, "input_batch_size:  32 ")).loggedBatch, 32);
    EXPECT_EQ(logOf(v05(0, R"(input_batch_size: "DEFERRED: 12ab")")).loggedBatch, 0);
    EXPECT_EQ(logOf(v07(0, "global_batch_size", "208")).globalBatch, Measured<std::int64_t>(208));
}

TEST(LogTraps, EpochLinesWrittenAtTheEndGiveWayToTheTimesBetweenEvaluations)
{
    std::string text = v05(0, "run_start") + v05(0.1, "preproc_num_train_examples: 1000");
    for (int i = 0; i < 4; ++i)
        text += v05(100 + 200 * i, "eval_start") + v05(110 + 200 * i, "eval_stop") +
                v05(110 + 200 * i,
                    R"(eval_accuracy: {"epoch": )" + std::to_string(1 + 2 * i) + R"(, "value": 0.)" + std::to_string(5 + i) + "}");
    for (int i = 0; i < 8; ++i) text += v05(800 + 0.002 * i, "train_epoch: " + std::to_string(i));
    text += v05(800.1, R"(train_epoch: "8, but this epoch only has 0.04% of the examples")") + v05(801, R"(run_stop: {"success": true})");
    const LogFacts log = logOf(text);
    EXPECT_TRUE(log.epochsFromEvaluations);
    EXPECT_EQ(log.epochsLogged, Measured<std::int64_t>(8));
    EXPECT_EQ(log.medianEpoch(), Measured<Nanos>(100 * second));
    EXPECT_EQ(log.rateByEpochs(), Measured<double>(10.0));
    EXPECT_FALSE(log.firstEpoch().known());
    EXPECT_EQ(log.epochs.front().number, 3);  // epochs 2 and 3 as the log counts them, from 0
    EXPECT_EQ(log.epochs.front().epochs, 2);
    EXPECT_EQ(log.status, Measured<std::string>("success"));
    const FoundEpochs found = epochsOfLog(log, {});
    EXPECT_EQ(found.source, EpochSource::LogBlocks);
    EXPECT_EQ(found.perRank.front().size(), 6U);
}

TEST(LogTraps, EpochLinesWrittenAtTheEndWithoutEvaluationsTellNothing)
{
    std::string text = v05(0, "run_start");
    for (int i = 0; i < 10; ++i) text += v05(1000 + 0.01 * i, "train_epoch: " + std::to_string(i));
    const LogFacts log = logOf(text + v05(1001, "run_stop"));
    EXPECT_TRUE(log.epochs.empty());
    EXPECT_EQ(epochsOfLog(log, {0, 1001 * second}).source, EpochSource::None);
}

TEST(LogTraps, OneEpochLineAloneTellsNoEpochsWhereEvaluationsDo)
{
    const LogFacts log = logOf(v05(0, "run_start") + v05(0, "train_epoch: 0") + v05(100, R"(eval_accuracy: {"epoch": 0, "value": 0.1})") +
                               v05(500, R"(eval_accuracy: {"epoch": 4, "value": 0.2})") + v05(501, "run_stop: {\"success\": \"true\"}"));
    EXPECT_FALSE(log.epochsLogged.known());
    EXPECT_EQ(log.medianEpoch(), Measured<Nanos>(100 * second));
    EXPECT_EQ(log.status, Measured<std::string>("success"));
}

TEST(LogTraps, BlocksAreMatchedByTheirNumberNotByOrder)
{
    // The next block's begin is written before the end of the one before.
    const auto block = [](std::int64_t ms, const char* key, int first) {
        return v07(ms, key, "null", "\"first_epoch_num\": " + std::to_string(first) + ", \"epoch_count\": 4");
    };
    const LogFacts log = logOf(block(0, "block_start", 4) + block(4'000, "block_start", 8) + block(4'001, "block_stop", 4) +
                               block(12'000, "block_stop", 8) + v07(0, "train_samples", "100"));
    EXPECT_EQ(log.epochsLogged, Measured<std::int64_t>(8));
    EXPECT_EQ(log.epochs.front().when, (Interval{0, 4'001'000'000}));
    EXPECT_EQ(log.medianEpoch(), Measured<Nanos>((4'001'000'000 / 4 + 2 * second) / 2));
    EXPECT_FALSE(log.firstEpoch().known());
}

TEST(LogTraps, EpochsCountFromOneWhateverTheFormatCountsFrom)
{
    const LogFacts oldest = logOf(v05(0, "run_start") + v05(1, "train_epoch: 0") + v05(11, "train_epoch: 1") + v05(21, "eval_start") +
                                  v05(22, R"(eval_accuracy: {"epoch": 1, "value": 0.25})") + v05(30, "run_stop"));
    ASSERT_EQ(oldest.epochs.size(), 2U);
    EXPECT_EQ(oldest.epochs[0].number, 1);
    EXPECT_EQ(oldest.epochs[1].when, (Interval{21 * second - 10 * second, 21 * second})) << "an epoch ends where evaluation begins";
    EXPECT_EQ(oldest.evaluations.front().epoch, 2);
    const LogFacts later = logOf(v07(0, "epoch_start", "null", epochNum(1)) + v07(900, "epoch_stop", "null", epochNum(1)));
    EXPECT_EQ(later.epochs.front().number, 1);
    const LogFacts speedometer = logOf("2020-06-25 22:11:55,654 Node[0] Epoch[0] Batch [0-20]\tSpeed: 50.00 samples/sec\n");
    EXPECT_EQ(speedometer.epochs.front().number, 1);
}

TEST(LogTraps, RanksAndNodesRepeatLinesAndSoCountThemselves)
{
    std::string text;
    for (int rank = 0; rank < 8; ++rank) text += std::to_string(rank) + ": " + v07(rank, "init_start");
    for (int node = 0; node < 2; ++node) text += v07(20 + node, "cache_clear", "true");
    for (int rank = 0; rank < 8; ++rank) text += "[1," + std::to_string(rank) + "]<stdout>:" + v07(30 + rank, "run_start");
    for (int rank = 0; rank < 8; ++rank) text += v07(1000 + rank, "run_stop", "null", "\"status\": \"aborted\"");
    const LogFacts log = logOf(text);
    EXPECT_EQ(log.ranks, Measured<std::int64_t>(8));
    EXPECT_EQ(log.nodes, Measured<std::int64_t>(2));
    EXPECT_EQ(log.training, Measured<Interval>(Interval{30'000'000, 1'007'000'000})) << "first begin to last end";
    EXPECT_EQ(log.status, Measured<std::string>("aborted"));
    EXPECT_EQ(logOf(v07(0, "submission_platform", "\"4xSERVER\"") + v07(1, "cache_clear")).nodes, Measured<std::int64_t>(4));
    EXPECT_FALSE(logOf(":::MLPv0.5.0 resnet 0000000000 (empty:0) run_clear_caches\n").nodes.known())
        << "once for all nodes, without a time";
}

TEST(LogTraps, CountsOfOneRankAreNoAccuracyOfTheJob)
{
    const LogFacts log = logOf("Validation-correct-count=4985 of 12500\n" + v07(5, "eval_accuracy", "0.397", epochNum(4)) +
                               "2020-06-25 22:27:19,611 Node[0] Epoch[3] Validation-accuracy=0.398800\n");
    ASSERT_EQ(log.evaluations.size(), 1U);
    EXPECT_DOUBLE_EQ(log.evaluations.front().accuracy, 0.397);
}

TEST(LogTraps, TrainingAccuracyOfSpeedometerIsNoEvaluation)
{
    const LogFacts log = logOf("Node[0] Epoch[0] Batch [0-20]\tSpeed: 5232.31 samples/sec\taccuracy=0.001145\n");
    EXPECT_TRUE(log.evaluations.empty());
    EXPECT_EQ(log.rates.size(), 1U);
}

TEST(LogTraps, LocalTimesGetTheZoneThatLinesInUniversalTimeShow)
{
    // 22:11 where the log was written, 03:11 UTC of the next day.
    std::string text = "STARTING TIMING RUN AT 2020-06-25 10:11:18 PM\n";
    text += ":::MLLOG {\"time_ms\": 1593141115000, \"key\": \"epoch_start\", \"value\": null, \"metadata\": {\"epoch_num\": 1}}\n";
    text += "2020-06-25 22:11:56,500 Node[0] Epoch[0] Batch [0-20]\tSpeed: 5232.31 samples/sec\n";
    text += "no time of its own: Iter[0] Batch [40]\tSpeed: 5000.0 samples/sec\n";
    std::vector<PrintedLine> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back({-1, line});
    EXPECT_EQ(timeLines(lines), 1'593'141'078 * second);
    EXPECT_EQ(lines[0].at, 0);
    EXPECT_EQ(lines[1].at, 37 * second);
    EXPECT_EQ(lines[2].at, 38'500'000'000);
    EXPECT_EQ(lines[3].at, lines[2].at);
}

TEST(LogTraps, AResultLineThatCountsTheStartUpIsNotTheTimeToTrain)
{
    const LogFacts log =
        logOf("RESULT,IMAGE_CLASSIFICATION,,9282,root,2020-06-25 10:11:18 PM\n" + v07(0, "run_start") + v07(9'231'111, "run_stop"));
    ASSERT_TRUE(log.training.known());
    EXPECT_EQ(log.training.value().length(), 9'231'111'000'000);
}

TEST(LogTraps, TimesAreWholeOrFractionalMillisecondsAndMayBeMissing)
{
    const LogFacts log =
        logOf(R"(:::MLLOG {"namespace": 0, "time_ms": 1592878316890.947021, "key": "run_start", "value": null})"
              "\n"
              R"(:::MLL 0.0 submission_org: {"value": "google", "metadata": {}})"
              "\n"
              R"(:::MLLOG {"namespace": "main", "time_ms": 1592878317890, "key": "run_stop", "metadata": {"status": "success"}} tail)"
              "\n:::MLLOG not json\n:::MLLOG {\"key\": \"run_stop\", \"time_ms\": 1592878999\n");
    EXPECT_EQ(log.organisation, "google");
    ASSERT_TRUE(log.training.known());
    EXPECT_NEAR(static_cast<double>(log.training.value().length()), 999'052'979.0, 1000.0);
}

TEST(LogTraps, FreeFormIsNotJson)
{
    const LogFacts log = logOf(
        "MLPerf: resnet [06/13/19 00:30:56], run_start\nMLPerf: resnet [06/13/19 00:30:57], run_start\n"
        "MLPerf: resnet [06/13/19 00:30:58], train_epoch:0\nMLPerf: resnet [06/13/19 00:31:23], train_epoch:1\n"
        "MLPerf: resnet [06/13/19 00:31:41], eval_start\n"
        "MLPerf: resnet [06/13/19 00:31:43], eval_accuracy: {\"value\": 75.98000%, \"epoch\": 1}\n"
        "MLPerf: resnet [06/13/19 00:31:43], run_stop\n");
    EXPECT_EQ(log.formats, std::vector<std::string>{"MLPerf, free form"});
    EXPECT_EQ(log.training, Measured<Interval>(Interval{0, 47 * second}));
    EXPECT_EQ(log.firstEpoch(), Measured<Nanos>(25 * second));
    ASSERT_EQ(log.evaluations.size(), 1U);
    EXPECT_NEAR(log.evaluations.front().accuracy, 0.7598, 1e-9);
    EXPECT_EQ(log.evaluations.front().epoch, 2);
}

TEST(LogTraps, TheTargetIsReachedAtTheFirstEvaluationThatHasIt)
{
    const LogFacts log =
        logOf(v05(10, "run_start") + v05(11, "eval_target: 0.749") + v05(50, R"(eval_accuracy: {"epoch": 3, "value": 0.70})") +
              v05(90, R"(eval_accuracy: {"epoch": 7, "value": 0.752})") + v05(130, R"(eval_accuracy: {"epoch": 11, "value": 0.76})"));
    EXPECT_FALSE(log.timeToTarget.known()) << "there is no run_stop, and so no whole run";
    EXPECT_EQ(log.epochsToTarget, Measured<std::int64_t>(8));
    EXPECT_EQ(log.finalAccuracy(), Measured<double>(0.76));
}

TEST(LogTraps, OfARecordedRunTheTimesOfPrintingCount)
{
    const std::vector<PrintedLine> lines{{5 * second, "Epoch: [0][ 1/53]\tTime  0.970 ( 6.512)\tData  0.002 ( 0.001)\tLoss 2.6"},
                                         {9 * second, "Epoch: [1][ 1/53]\tTime  0.970 ( 6.512)\tData  0.002 ( 0.001)\tLoss 2.6"}};
    const LogFacts log = readLog(lines, 1000 * second, {0, 20 * second});
    ASSERT_EQ(log.epochs.size(), 2U);
    EXPECT_EQ(log.epochs[0].when, (Interval{5 * second, 9 * second}));
    EXPECT_EQ(log.epochs[1].when, (Interval{9 * second, 20 * second}));
    EXPECT_TRUE(log.epochs[1].open);
}

TEST(LogTraps, NoLogIsAnEmptyOne)
{
    const LogFacts log = logOf("loss 0.3\nhello\n");
    EXPECT_TRUE(log.empty());
    EXPECT_FALSE(log.medianEpoch().known());
    EXPECT_FALSE(log.medianRate().known());
    EXPECT_FALSE(log.finalAccuracy().known());
    EXPECT_EQ(epochsOfLog(log, {}).source, EpochSource::None);
}

}  // namespace
}  // namespace flowgauge::facts
