// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_text.h"
#include "tests/unit/analyzer/facts/log_lines.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

using Formats = std::vector<std::string>;

TEST(LogText, IsWhatATerminalShowsLast)
{
    EXPECT_EQ(piecesOf("a\rb\x1b[31mc\x1b[0m"), (Formats{"a", "bc"}));
    EXPECT_EQ(piecesOf("12\b\b34"), Formats{"34"});
    EXPECT_EQ(piecesOf(""), Formats{});
    EXPECT_EQ(objectIn(R"(x {"a": {"b": "}"}} tail })"), R"({"a": {"b": "}"}})");
    EXPECT_EQ(objectIn("{ never closed"), "");
    EXPECT_EQ(wallClockOf("Epoch 3 of 2020-13-45 00:00:00"), std::nullopt);
    EXPECT_EQ(wallClockOf("[1,0]<stdout>:[1970-01-02 00:00:01] x"), 86'401 * second);
}

TEST(MxnetReader, TellsRatesEpochsAndValidation)
{
    const LogFacts log = logOf(
        "2020-06-25 22:11:55,000 Node[0] Epoch[0] Batch [0-20]\tSpeed: 100.50 samples/sec\taccuracy=0.001145\n"
        "2020-06-25 22:12:00,000 Epoch[0] Batch [50]\tSpeed: 101.50 samples/sec\tTrain-accuracy=0.2\n"
        "Iter[1] Batch [20]\tSpeed: 99.5 samples/sec\n"
        "2020-06-25 22:15:41,228 Node[0] Epoch[0] Time cost=220.228\n"
        "2020-06-25 22:27:19,611 Node[0] Epoch[0] Validation-accuracy=0.398800\n");
    EXPECT_EQ(log.formats, Formats{"MXNet Speedometer"});
    ASSERT_EQ(log.rates.size(), 3U);
    EXPECT_DOUBLE_EQ(log.rates[0].samplesPerSecond, 100.5);
    EXPECT_EQ(log.rates[0].of, RateOf::Rank) << "the stock callback prints its own worker's rate";
    EXPECT_EQ(log.firstEpoch(), Measured<Nanos>(220'228'000'000));
    EXPECT_EQ(log.finalAccuracy(), Measured<double>(0.3988));
}

TEST(TfCnnReader, TakesOneTotalAndNeverAddsThem)
{
    const LogFacts log = logOf(
        "Batch size:  32 global\n             16 per device\n1\timages/sec: 135.5 +/- 0.0 (jitter = 0.0)\t8.235\n"
        "INFO|2019|/opt/launcher.py|27| 10\timages/sec: 133.7 +/- 0.9 (jitter = 1.0)\tnan\n"
        "total images/sec: 1656.82\ntotal images/sec: 1656.90\n");
    EXPECT_EQ(log.formats, Formats{"tf_cnn_benchmarks"});
    EXPECT_EQ(log.totalRate, Measured<double>(1656.90));
    EXPECT_EQ(log.globalBatch, Measured<std::int64_t>(32));
    ASSERT_EQ(log.rates.size(), 2U);
    EXPECT_EQ(log.rates[1].step, 10);
    EXPECT_EQ(log.rates[1].of, RateOf::Job);
    const LogFacts two = logOf("[1,0]<stdout>:10\timages/sec: 2304.9\tnan\n[1,1]<stdout>:10\timages/sec: 2300.1\tnan\n");
    EXPECT_EQ(two.rates[0].of, RateOf::Rank) << "with Horovod each rank prints its own";
}

TEST(HorovodReader, TellsTheTotalAndOverHowMany)
{
    const LogFacts log = logOf(
        "Batch size: 128\nIter #0: 354.2 img/sec per GPU\n[1,0]<stdout>:Iter #4: 298.7 img/sec per CPU\n"
        "Img/sec per GPU: 126.5 +-6.4\nTotal img/sec on 32 GPU(s): 4046.6 +-205.2\n");
    EXPECT_EQ(log.formats, Formats{"Horovod"});
    EXPECT_EQ(log.totalRate, Measured<double>(4046.6));
    EXPECT_EQ(log.ranks, Measured<std::int64_t>(32));
    EXPECT_EQ(log.loggedBatch, 128);
    ASSERT_EQ(log.rates.size(), 2U);
    EXPECT_EQ(log.rates[0].of, RateOf::Rank);
}

TEST(DlloggerReader, ReadsBothOfItsForms)
{
    const LogFacts text = logOf(
        "DLL 2020-09-15 14:28:53.498443 - PARAMETER data : /data  epochs : 1  batch_size : 128 \n"
        "DLL 2020-09-15 14:29:13.473765 - Epoch: 0 Iteration: 1  train.loss : 7.09304  train.total_ips : 267.44 img/s\n"
        "DLL 2020-09-15 14:29:14.427490 - Epoch: 0 Iteration: 2  train.loss : 6.93504  train.total_ips : 4294.91 img/s\n"
        "DLL 2020-09-15 14:39:14.427490 - Epoch: 0  val.top1 : 12.50 %\n");
    EXPECT_EQ(text.formats, Formats{"DLLogger"});
    EXPECT_EQ(text.loggedBatch, 128);
    ASSERT_EQ(text.rates.size(), 2U);
    EXPECT_DOUBLE_EQ(text.rates[1].samplesPerSecond, 4294.91);
    EXPECT_EQ(text.finalAccuracy(), Measured<double>(0.125));
    const LogFacts json = logOf(
        R"(DLLL {"timestamp": "1570716921.84", "type": "LOG", "step": [0, 5], "data": {"train.total_ips": 545.2}})"
        "\n"
        R"(DLLL {"timestamp": "1570716921.85", "step": [0, 5], "data": {"train.data_time": 0.25, "train.compute_time": 0.75}})"
        "\n"
        R"(DLLL {"timestamp": "1570716925.97", "type": "LOG", "step": [0, 25, 5], "data": {"val.total_ips": 1899.5, "val.top1": 1.0}})"
        "\n"
        R"(DLLL {"timestamp": "1570716927.41", "type": "LOG", "step": [0], "data": {"train.total_ips": 648.9, "val.top1": 25.0}})"
        "\n");
    EXPECT_EQ(json.formats, Formats{"DLLogger, JSON"});
    ASSERT_EQ(json.rates.size(), 1U) << "one step in two lines is one step; sums of the epoch and evaluation are none";
    EXPECT_DOUBLE_EQ(json.rates[0].waitForDataSeconds, 0.25);
    EXPECT_DOUBLE_EQ(json.rates[0].stepSeconds, 1.0);
    ASSERT_EQ(json.evaluations.size(), 1U);
    EXPECT_DOUBLE_EQ(json.evaluations[0].accuracy, 0.25);
    EXPECT_NEAR(static_cast<double>(json.evaluations[0].at), 5.57e9, 1e3) << "its own stamp";
}

TEST(PytorchReader, TellsStepTimesAndWhatWaitedForData)
{
    const LogFacts log = logOf(
        "Epoch: [0][ 2/53]\tTime  0.363 ( 4.462)\tData  0.114 ( 0.039)\tLoss 3.3840e+01 (2.2378e+01)\tAcc@1   2.34 (  1.56)\n"
        "Test: [ 0/13]\tTime  5.123 ( 5.123)\tLoss 7.0 (7.0)\tAcc@1   0.78 (  0.78)\n"
        " *   Acc@1 75.900 Acc@5 92.710\n");
    EXPECT_EQ(log.formats, Formats{"PyTorch examples"});
    ASSERT_EQ(log.rates.size(), 1U);
    EXPECT_DOUBLE_EQ(log.rates[0].stepSeconds, 0.363);
    EXPECT_DOUBLE_EQ(log.rates[0].waitForDataSeconds, 0.114);
    ASSERT_EQ(log.evaluations.size(), 1U);
    EXPECT_EQ(log.evaluations[0].epoch, 1);
    EXPECT_DOUBLE_EQ(log.evaluations[0].accuracy, 0.759);
}

TEST(TimmReader, TellsTheJobsRate)
{
    const LogFacts log = logOf(
        "Train: 12 [5003/5004 (100%)]  Loss: 1.23 (1.30)  Time: 0.230s, 4450.24/s  (0.234s, 4366.74/s)  LR: 4.000e-01  Data: 0.002 "
        "(0.006)\n"
        "Test: [ 194/195]  Time: 0.1 (0.1)  Loss: 1 (1)  Acc@1: 70.0 ( 77.0)  Acc@5: 90 (93.0)\n"
        "Test: [ 195/195]  Time: 0.1 (0.1)  Loss: 1 (1)  Acc@1: 70.0 ( 78.5)  Acc@5: 90 (94.0)\n");
    EXPECT_EQ(log.formats, Formats{"timm"});
    EXPECT_EQ(log.medianRate(), Measured<double>(4450.24));
    EXPECT_EQ(log.rates[0].epoch, 13);
    EXPECT_DOUBLE_EQ(log.rates[0].waitForDataSeconds, 0.002);
    EXPECT_EQ(log.finalAccuracy(), Measured<double>(0.785));
}

TEST(KerasReader, TakesTheLastRedrawOfEachEpoch)
{
    const LogFacts log = logOf(
        "Epoch 1/10\n 12/500 [....] - ETA: 4s - loss: 3.7 - accuracy: 0.15\r500/500 [====] - 5s 9ms/step - loss: 3.5 - accuracy: 0.2 - "
        "val_accuracy: 0.25\n"
        "Epoch 2/10\n20/20 [====] - 5s 273ms/sample - loss: 2.8 - acc: 0.1\nEpoch 3/10\n2320/2320 [==] - 5s - loss: 5.7 - val_acc: "
        "0.0086\n");
    EXPECT_EQ(log.formats, Formats{"Keras"});
    ASSERT_EQ(log.rates.size(), 2U);
    EXPECT_DOUBLE_EQ(log.rates[0].stepSeconds, 0.009);
    EXPECT_DOUBLE_EQ(log.rates[1].samplesPerSecond, 1 / 0.273);
    EXPECT_EQ(log.epochsLogged, Measured<std::int64_t>(3));
    ASSERT_EQ(log.evaluations.size(), 2U);
    EXPECT_DOUBLE_EQ(log.evaluations[1].accuracy, 0.0086);
}

TEST(LightningReader, TurnsSecondsPerIterationRound)
{
    const LogFacts log = logOf(
        "Epoch 0:   0%|          | 0/12331 [00:00<?, ?it/s]\rEpoch 1:  39%|####      | 4846/12331 [05:59<09:15, 12.50it/s, loss=0.0136, "
        "v_num=1]\n"
        "Epoch 2:  50%|█████     | 10/20 [00:12<00:12,  1.25s/it, loss=2.31]\n");
    EXPECT_EQ(log.formats, Formats{"Lightning"});
    ASSERT_EQ(log.rates.size(), 2U);
    EXPECT_DOUBLE_EQ(log.rates[0].stepSeconds, 0.08);
    EXPECT_DOUBLE_EQ(log.rates[1].stepSeconds, 1.25);
    EXPECT_EQ(log.epochsLogged, Measured<std::int64_t>(3));
}

}  // namespace
}  // namespace flowgauge::facts
