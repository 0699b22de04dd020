// SPDX-License-Identifier: MIT
#include "instrument/io/file_table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace flowgauge::io {
namespace {

class FileTable : public testing::Test {
protected:
    void SetUp() override
    {
        char name[] = "/tmp/flowgauge-file-table-XXXXXX";
        m_fd = mkostemp(name, 0);
        m_path = name;
        table::forget(m_fd);
    }
    void TearDown() override
    {
        table::forget(m_fd);
        close(m_fd);
        unlink(m_path.c_str());
    }

    int m_fd = -1;
    std::string m_path;
};

TEST_F(FileTable, ResolvesAnUnknownDescriptorAndKnowsItsPositionIsNotOurs)
{
    EXPECT_EQ(table::cached(m_fd).fileClass(), FileClass::Unknown);
    const File file = table::fileOf(m_fd);
    EXPECT_TRUE(file.isData());
    EXPECT_TRUE(file.positionIsShared());
    EXPECT_EQ(file.access(), O_RDWR);
    EXPECT_TRUE(table::cached(m_fd).isData());
}

TEST_F(FileTable, CountsThePositionOfWhatItSawOpenedUntilItIsShared)
{
    EXPECT_FALSE(table::opened(m_fd, m_path.c_str(), O_RDONLY).positionIsShared());
    table::duplicated(m_fd, 900);
    EXPECT_TRUE(table::fileOf(m_fd).positionIsShared());
    EXPECT_TRUE(table::fileOf(900).isData());
    table::forget(900);
    EXPECT_FALSE(table::opened(m_fd, m_path.c_str(), O_RDONLY).positionIsShared());
    table::positionsAreShared();
    EXPECT_TRUE(table::fileOf(m_fd).positionIsShared());
    EXPECT_TRUE(table::opened(m_fd, m_path.c_str(), O_WRONLY | O_APPEND).positionIsShared());
}

TEST_F(FileTable, TellsFilesFromEverythingElse)
{
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    EXPECT_EQ(table::fileOf(ends[0]).fileClass(), FileClass::NotAFile);
    const int folder = open("/tmp", O_RDONLY);
    EXPECT_EQ(table::opened(folder, "/tmp", O_RDONLY).fileClass(), FileClass::NotAFile);
    EXPECT_EQ(table::opened(m_fd, "/home/u/module.py", O_RDONLY).fileClass(), FileClass::Code);
    EXPECT_EQ(table::fileOf(-1).fileClass(), FileClass::NotAFile);
    for (const int fd : {ends[0], ends[1], folder}) {
        table::forget(fd);
        close(fd);
    }
}

TEST_F(FileTable, ForgetsARangeAndShowsItsDataFiles)
{
    table::opened(m_fd, m_path.c_str(), O_RDONLY);
    int seen = 0;
    table::forgetRange(0, 2, [&](const File&) { ++seen; });
    EXPECT_EQ(seen, 0);
    table::forgetRange(static_cast<unsigned>(m_fd), ~0U, [&](const File& file) { seen += file.fd == m_fd ? 1 : 100; });
    EXPECT_EQ(seen, 1);
    EXPECT_EQ(table::cached(m_fd).fileClass(), FileClass::Unknown);
}

}  // namespace
}  // namespace flowgauge::io
