// SPDX-License-Identifier: MIT
#include "collector/sample/data_set.h"

#include "tests/unit/collector/sample/notebook.h"
#include "tests/unit/collector/sample/page_file.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <memory>

namespace flowgauge::sample {
namespace {

/// A folder of 20 files of a page each, none of which is in memory, and a spool folder.
class DataSet : public testing::Test {
protected:
    DataSet()
    {
        std::string pattern = testing::TempDir() + "datasetXXXXXX";
        m_folder = ::mkdtemp(pattern.data());
        for (int number = 0; number < 20; ++number)
            m_files.push_back(std::make_unique<PageFile>(m_folder + "/" + std::to_string(number) + ".jpeg", m_page));
        m_sources.create(8);
        m_set.open(m_folder);
    }
    ~DataSet() override
    {
        m_set.close();
        m_files.clear();
        std::filesystem::remove_all(m_folder);
        m_sources.release();
    }
    void openFirst(int count)
    {
        for (int number = 0; number < count; ++number) {
            const struct stat about = m_files[static_cast<std::size_t>(number)]->status();
            m_offers.offer(m_files[static_cast<std::size_t>(number)]->path(), about.st_dev, about.st_ino);
        }
        m_offers.flush(m_folder);
    }
    /// Beats until the thread has put something at that place.
    [[nodiscard]] bool await(const std::string& place)
    {
        for (int beat = 1; beat < 400; ++beat) {
            m_sink.beginPass(Nanos{beat} * 10'000'000);
            m_set.sample({m_root, m_scratch, m_sources, m_sink});
            if (value(place, Counter::DataSetLookedFiles)) return true;
            ::usleep(10'000);
        }
        return false;
    }
    [[nodiscard]] std::optional<std::uint64_t> value(const std::string& place, Counter counter) const
    {
        return m_notebook.value(place, counter);
    }

    std::uint64_t m_page = static_cast<std::uint64_t>(::getpagesize());
    std::string m_folder;
    std::vector<std::unique_ptr<PageFile>> m_files;
    Notebook m_notebook;
    SysRoot m_root;
    Scratch m_scratch;
    SourceTable m_sources;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    DataFileOffers m_offers;
    DataSetSampler m_set;
};

TEST_F(DataSet, IsLookedAtByWhatIsOpenAndAtFirstByWhatIsNot)
{
    if (!m_files[0]->trouble().empty()) GTEST_SKIP() << m_files[0]->trouble();
    for (const int number : {0, 1, 2, 10, 11}) m_files[static_cast<std::size_t>(number)]->read(0, 1);
    openFirst(4);
    ASSERT_TRUE(await("data set"));
    EXPECT_EQ(value("data set", Counter::DataSetFiles), 4U);
    EXPECT_EQ(value("data set", Counter::DataSetLookedFiles), 4U);
    EXPECT_EQ(value("data set", Counter::DataSetLookedBytes), 4 * m_page);
    EXPECT_EQ(value("data set", Counter::DataSetResidentBytes), 3 * m_page) << "0, 1 and 2";
    EXPECT_EQ(value("data set", Counter::DataSetVariance), 0U);
    EXPECT_EQ(value("data set, unopened", Counter::DataSetLookedFiles), 16U) << "the table of files has another ending";
    EXPECT_EQ(value("data set, unopened", Counter::DataSetResidentBytes), 2 * m_page) << "10 and 11";
    EXPECT_EQ(m_notebook.found("data set in memory").substr(0, 9), "measured\t");
}

TEST_F(DataSet, WithoutAFileThatWasOpenedNothingStarts)
{
    m_sink.beginPass(1);
    m_set.sample({m_root, m_scratch, m_sources, m_sink});
    EXPECT_TRUE(m_notebook.events.empty());
    EXPECT_TRUE(m_notebook.ledger.empty());
}

TEST_F(DataSet, OtherFilesUnderTheNamesAreNotMeasured)
{
    const struct stat about = m_files[0]->status();
    m_offers.offer(m_files[0]->path(), about.st_dev, about.st_ino + 1);
    m_offers.flush(m_folder);
    for (int beat = 1; beat < 400 && m_notebook.ledger.empty(); ++beat) {
        m_sink.beginPass(Nanos{beat} * 10'000'000);
        m_set.sample({m_root, m_scratch, m_sources, m_sink});
        ::usleep(10'000);
    }
    EXPECT_EQ(m_notebook.found("data set in memory").substr(0, 7), "absent\t");
    EXPECT_FALSE(value("data set", Counter::DataSetLookedFiles));
}

}  // namespace
}  // namespace flowgauge::sample
