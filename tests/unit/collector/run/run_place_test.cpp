// SPDX-License-Identifier: MIT
#include "collector/run/run_place.h"

#include "collector/record/error.h"
#include "collector/run/job_environment.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace flowgauge::run {
namespace {

namespace fs = std::filesystem;

struct RunPlaceTest : testing::Test {
    fs::path folder;
    RunPlaceTest()
    {
        std::string pattern = (fs::temp_directory_path() / "place_test_XXXXXX").string();
        folder = mkdtemp(pattern.data());
    }
    ~RunPlaceTest() override { fs::remove_all(folder); }
    std::string complaint(const fs::path& output) const
    {
        try {
            (void)makePlace(output, folder / "spools");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(RunPlaceTest, ThePointerFileLeadsToTheSpoolFolder)
{
    const RunPlace place = makePlace(folder / "run1", folder / "spools");
    std::string line;
    std::ifstream pointer(place.run / "hosts" / (place.spoolFolder.filename().string() + ".spool"));
    std::getline(pointer, line);
    EXPECT_EQ(line, place.spoolFolder.string());
    EXPECT_TRUE(fs::is_directory(place.spoolFolder));
}

TEST_F(RunPlaceTest, ARunIsNeverOverwritten)
{
    fs::create_directory(folder / "run1");
    std::ofstream(folder / "run1" / "precious") << "data";
    EXPECT_EQ(complaint(folder / "run1"),
              (folder / "run1").string() + ": exists and is not empty; choose another name with -o, or remove it");
    EXPECT_EQ(fs::file_size(folder / "run1" / "precious"), 4U);
}

TEST_F(RunPlaceTest, TwoRunsOfOnePathHaveDifferentSpools)
{
    const RunPlace first = makePlace(folder / "run1", folder / "spools");
    fs::remove_all(first.run);
    const RunPlace second = makePlace(folder / "run1", folder / "spools");
    EXPECT_NE(first.spoolFolder, second.spoolFolder);
}

TEST_F(RunPlaceTest, RemovingSpoolsLeavesThoseOfOtherRuns)
{
    const RunPlace first = makePlace(folder / "run1", folder / "spools");
    const RunPlace second = makePlace(folder / "run2", folder / "spools");
    removeSpools(first);
    EXPECT_FALSE(fs::exists(first.spoolFolder));
    EXPECT_TRUE(fs::exists(second.spoolFolder));
    removeSpools(second);
    EXPECT_TRUE(fs::is_empty(folder / "spools"));
}

TEST_F(RunPlaceTest, TheLibraryStandsBeforeWhatWasPreloadedAlready)
{
    const RunPlace place = makePlace(folder / "run1", folder / "spools");
    Options options;
    options.library = folder / "libflowgauge.so";
    std::ofstream(options.library) << "";
    const auto environment = jobEnvironment({"A=1", "LD_PRELOAD=/other.so", "FLOWGAUGE_RUN=/old"}, options, place);
    const auto has = [&](const std::string& text) { return std::count(environment.begin(), environment.end(), text); };
    EXPECT_EQ(has("A=1"), 1);
    EXPECT_EQ(has("LD_PRELOAD=" + options.library.string() + ":/other.so"), 1);
    EXPECT_EQ(has("FLOWGAUGE_RUN=" + place.run.string()), 1);
    EXPECT_EQ(has("FLOWGAUGE_RUN=/old"), 0);
    EXPECT_EQ(has("FLOWGAUGE_RUN_ID=" + place.runId), 1);
}

TEST_F(RunPlaceTest, ALibraryThatLdPreloadCannotNameIsRefused)
{
    const RunPlace place = makePlace(folder / "run1", folder / "spools");
    Options options;
    options.library = folder / "my lib.so";
    EXPECT_THROW((void)jobEnvironment({}, options, place), Error);
}

}  // namespace
}  // namespace flowgauge::run
