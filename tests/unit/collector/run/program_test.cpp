// SPDX-License-Identifier: MIT
#include "collector/run/program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <cstdlib>
#include <fstream>

namespace flowgauge::run {
namespace {

namespace fs = std::filesystem;

struct ProgramTest : testing::Test {
    fs::path folder;
    ProgramTest()
    {
        std::string pattern = (fs::temp_directory_path() / "program_test_XXXXXX").string();
        folder = mkdtemp(pattern.data());
    }
    ~ProgramTest() override { fs::remove_all(folder); }
    fs::path make(const std::string& name, const std::string& text, mode_t mode = 0755) const
    {
        std::ofstream(folder / name) << text;
        ::chmod((folder / name).c_str(), mode);
        return folder / name;
    }
};

TEST_F(ProgramTest, AWordIsFoundAlongThePath)
{
    const fs::path file = make("train", "#!/bin/sh\n");
    const Program program = findProgram("train", "/nowhere:" + folder.string());
    EXPECT_EQ(program.status, 0);
    EXPECT_EQ(program.file, file);
    EXPECT_EQ(program.warning, "");
}

TEST_F(ProgramTest, WhatIsNowhereIs127AsInAShell)
{
    const Program program = findProgram("no-such-program", folder.string());
    EXPECT_EQ(program.status, 127);
    EXPECT_EQ(program.problem, "no-such-program: not found");
}

TEST_F(ProgramTest, WhatMayNotRunIs126)
{
    const fs::path file = make("data", "text", 0644);
    const Program program = findProgram(file.string(), "");
    EXPECT_EQ(program.status, 126);
    EXPECT_EQ(program.problem, file.string() + ": is not executable");
    EXPECT_EQ(findProgram(folder.string(), "").problem, folder.string() + ": is a directory");
}

TEST_F(ProgramTest, AnOrdinaryProgramOfThisMachineCanBeRecorded) { EXPECT_EQ(findProgram("/proc/self/exe", "").warning, ""); }

TEST_F(ProgramTest, AScriptsInterpreterIsWhatCounts)
{
    const fs::path alien = make("alien", std::string("\177ELF\1\1\1", 7) + std::string(60, '\0'));  // a 32-bit ELF header
    const fs::path script = make("script", "#!" + alien.string() + " -x\n");
    EXPECT_EQ(findProgram(script.string(), "").warning,
              alien.string() + " is a 32-bit program, our library is 64-bit: nothing can be recorded in it");
}

}  // namespace
}  // namespace flowgauge::run
