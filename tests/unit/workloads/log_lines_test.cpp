// SPDX-License-Identifier: MIT
#include "workloads/train/log_lines.h"
#include <gtest/gtest.h>

using namespace flowgauge::workloads;

TEST(LogLines, AnMlperfLineIsThatOfRound07)
{
    EXPECT_EQ(mllogLine(1593141083425, LogMoment::Begin, "epoch_start", "null", {{"epoch_num", 3}}),
              ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1593141083425, \"event_type\": \"INTERVAL_START\", \"key\": \"epoch_start\", "
              "\"value\": null, \"metadata\": {\"file\": \"workloads/train/trainer.cpp\", \"epoch_num\": 3}}");
    EXPECT_NE(mllogLine(1, LogMoment::End, "run_stop", "null", {}).find("\"INTERVAL_END\""), std::string::npos);
    EXPECT_NE(mllogLine(1, LogMoment::Point, "seed", "12", {}).find("\"POINT_IN_TIME\", \"key\": \"seed\", \"value\": 12,"),
              std::string::npos);
}

TEST(LogLines, ARateLineIsSpeedometers)
{
    EXPECT_EQ(speedometerLine({0, 20, 40, 5628.231, 0.25, 1.5}),
              "Node[0] Epoch[0] Batch [20-40]\tSpeed: 5628.23 samples/sec\taccuracy=0.250000\tloss=1.5000");
    EXPECT_EQ(speedometerLine({2, 0, 10, 1, {}, {}}), "Node[0] Epoch[2] Batch [0-10]\tSpeed: 1.00 samples/sec");
}
