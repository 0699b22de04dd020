// SPDX-License-Identifier: MIT
#include "analyzer/facts/visit_collector.h"

#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

class Visits : public SmallRun {
protected:
    static constexpr int records = 4'000;
    static constexpr Nanos pass = records * 10;

    /// Three passes by two workers over 4,000 records each of one file, in another order each time; the first also reads validation files.
    void readAll(VisitCollector& into)
    {
        const store::Id data = store.name("/data/train/all.rec");
        const store::Id other = store.name("/data/val/some.rec");
        constexpr std::int64_t strides[] = {1, 3, 7};
        for (std::int64_t worker = 0; worker < 2; ++worker) {
            into.beginTrack(worker);
            Nanos t = worker;
            for (std::int64_t number = 0; number < 3; ++number)
                for (std::int64_t i = 0; i < records; ++i, t += 10) {
                    const std::int64_t record = (i * strides[number] + number) % records;
                    into.read(data, {t, t + 5}, (2 * record + worker) * 1000, 100);
                    if (worker == 0 && i % 100 == 0) into.read(other, {t + 5, t + 6}, i, 7);
                }
        }
    }
    static ReadCount sumOf(const std::vector<CoverageEpoch>& epochs)
    {
        ReadCount sum;
        for (const CoverageEpoch& epoch : epochs) sum += epoch.reads;
        return sum;
    }
};

TEST_F(Visits, AreThoseOfTheFolderWithMostOfThem)
{
    VisitCollector visits(store);
    readAll(visits);
    EXPECT_EQ(visits.everyPlace(), 1);
    const auto epochs = epochsOfVisits(visits.takeMainDataSet(), 3 * pass);
    ASSERT_EQ(epochs.size(), 3U);
    EXPECT_EQ(epochs[1].epoch.when, (Interval{pass, 2 * pass}));
    for (const CoverageEpoch& epoch : epochs) EXPECT_EQ(epoch.reads.calls, 2 * records);
}

TEST_F(Visits, OfAFewPlacesStillFindTheEpochsAndLoseNoRead)
{
    VisitCollector visits(store, 1000);
    readAll(visits);
    EXPECT_EQ(visits.everyPlace(), 32);  // 24,000 visits: after 1 in 32 no more than 750
    std::vector<Visit> kept = visits.takeMainDataSet();
    EXPECT_LE(kept.size(), 1000U);
    const auto epochs = epochsOfVisits(std::move(kept), 3 * pass);
    ASSERT_EQ(epochs.size(), 3U);
    EXPECT_EQ(sumOf(epochs).calls, 3 * 2 * records);
    EXPECT_EQ(sumOf(epochs).bytes, 3 * 2 * records * 100);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_GE(epochs[i].epoch.when.begin, static_cast<Nanos>(i) * pass);
        EXPECT_LE(epochs[i].epoch.when.begin, static_cast<Nanos>(i) * pass + 10 * 4 * visits.everyPlace());
    }
    for (const CoverageEpoch& epoch : epochs) EXPECT_NEAR(static_cast<double>(epoch.reads.calls), 2.0 * records, 8.0 * 32);
}

}  // namespace
}  // namespace flowgauge::facts
