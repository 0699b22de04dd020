// SPDX-License-Identifier: MIT
#include "collector/remote/secret.h"

#include "collector/record/error.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace flowgauge::remote {
namespace {

namespace fs = std::filesystem;

struct SecretTest : testing::Test {
    fs::path file = fs::temp_directory_path() / ("secret_test_" + std::to_string(::getpid()));
    SecretTest()
    {
        std::ofstream(file) << "of the file\nsecond line\n";
        fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    }
    ~SecretTest() override { fs::remove(file); }
};

TEST_F(SecretTest, TheFilesFirstLineGoesBeforeTheVariables)
{
    ::setenv("ANY_PASSWORD", "of the variable", 1);
    EXPECT_EQ(takeSecret(file, "ANY_PASSWORD"), "of the file");
    EXPECT_EQ(std::getenv("ANY_PASSWORD"), nullptr) << "a child would inherit it";
    ::setenv("ANY_PASSWORD", "of the variable", 1);
    EXPECT_EQ(takeSecret({}, "ANY_PASSWORD"), "of the variable");
    ::setenv("ANY_PASSWORD_FILE", file.c_str(), 1);
    EXPECT_EQ(takeSecret({}, "ANY_PASSWORD"), "of the file");
    EXPECT_EQ(takeSecret({}, "ANY_PASSWORD"), "");
}

TEST_F(SecretTest, AFileThatOthersMayReadIsRefused)
{
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_THROW((void)takeSecret(file, "ANY_PASSWORD"), Error);
    EXPECT_THROW((void)takeSecret(file.native() + ".none", "ANY_PASSWORD"), Error);
}

}  // namespace
}  // namespace flowgauge::remote
