// SPDX-License-Identifier: MIT
#include "analyzer/open/open_run.h"

#include "collector/record/error.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <fstream>

namespace flowgauge::open {
namespace {

namespace fs = std::filesystem;

class OpenRun : public facts::SmallRun {
protected:
    /// What openRun says of a path that it refuses.
    static std::string refusalOf(const fs::path& path)
    {
        try {
            (void)openRun(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "opened";
    }
    void finish()
    {
        read(process(100, 0), "/data/a", {100, 200}, 10);
        (void)finished();
    }
};

TEST_F(OpenRun, TakesTheDirectoryOrTheFile)
{
    finish();
    for (const fs::path& path : {folder, file()}) {
        const OpenedRun run = openRun(path);
        EXPECT_EQ(run.database.filename(), "run.db");
        EXPECT_EQ(run.name, folder.filename());
        EXPECT_TRUE(run.warnings.empty());
    }
}

TEST_F(OpenRun, ACopiedDatabaseIsNamedByItsFile)
{
    finish();
    const fs::path copy = folder / "tuesday.db";
    fs::copy_file(file(), copy);
    EXPECT_EQ(openRun(copy).name, "tuesday");
}

TEST_F(OpenRun, SaysWhatToDoWhereThereIsNoRun)
{
    const std::string words = refusalOf(folder / "absent");
    EXPECT_NE(words.find((folder / "absent").string()), std::string::npos) << words;
    EXPECT_NE(words.find("flowgauge run -o"), std::string::npos) << words;
}

TEST_F(OpenRun, AnEmptyDirectoryIsNoRecording)
{
    fs::create_directory(folder / "nothing");
    EXPECT_NE(refusalOf(folder / "nothing").find("no recording in it"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(folder / "nothing")) << "looking must not write";
}

TEST_F(OpenRun, AForeignFileIsRefusedAndLeftAsItIs)
{
    const fs::path foreign = folder / "notes.db";
    std::ofstream(foreign) << "These are my notes.";
    EXPECT_NE(refusalOf(foreign), "opened");
    std::ifstream left(foreign);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(left), {}), "These are my notes.");
}

TEST_F(OpenRun, ADeviceIsNeitherDirectoryNorFile)
{
    EXPECT_NE(refusalOf("/dev/null").find("neither a run's directory"), std::string::npos);
}

}  // namespace
}  // namespace flowgauge::open
