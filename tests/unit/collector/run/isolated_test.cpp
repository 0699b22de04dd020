// SPDX-License-Identifier: MIT
#include "collector/run/isolated.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace flowgauge::run {
namespace {

TEST(Isolated, WorkThatGoesWellLeavesItsFilesAndNothingElse)
{
    const std::filesystem::path file = std::filesystem::temp_directory_path() / ("isolated_test_" + std::to_string(::getpid()));
    int here = 0;
    EXPECT_EQ(isolated([&] {
                  std::ofstream(file) << "done";
                  here = 1;
              }),
              "");
    EXPECT_EQ(here, 0);
    std::string word;
    std::ifstream(file) >> word;
    EXPECT_EQ(word, "done");
    std::filesystem::remove(file);
}

TEST(Isolated, AnExceptionComesBackAsItsWords)
{
    EXPECT_EQ(isolated([] { throw std::runtime_error("run.db: no room"); }), "run.db: no room");
}

TEST(Isolated, WordsLongerThanAPipeHoldsComeBackWhole)
{
    const std::string words(200'000, 'x');
    EXPECT_EQ(isolated([&] { throw std::runtime_error(words); }), words);
}

TEST(Isolated, ACrashIsTheChildsAndIsNamed)
{
    const std::string text = isolated([] { ::raise(SIGKILL); });
    EXPECT_TRUE(text.starts_with("ended by signal 9")) << text;
}

}  // namespace
}  // namespace flowgauge::run
