// SPDX-License-Identifier: MIT
#include "analyzer/facts/fitting_question.h"

#include "analyzer/facts/questions.h"
#include "analyzer/facts/run.h"
#include "analyzer/facts/summary_tables.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

class FittingQuestion : public SmallRun {
protected:
    /// Of the run as it is, and that it has an answer.
    std::string asked(store::RunStore& run)
    {
        const std::string question = fittingQuestion(run);
        EXPECT_TRUE(run.database().prepare(question).step() || question == questions::ledger) << question;
        return question;
    }
};

TEST_F(FittingQuestion, OfARunWithoutAnythingIsWhatWasNotMeasured) { EXPECT_EQ(asked(finished()), questions::ledger); }

TEST_F(FittingQuestion, OfCountersThatAreNoPortsIsWhichTheyAre)
{
    sample(0, Counter::PageCache, 10, 4, "");
    sample(0, Counter::NicRxBytes, 10, 4, "eth0");  // one reading has moved nothing
    EXPECT_EQ(asked(finished()), questions::counters);
}

TEST_F(FittingQuestion, OfPortsAloneIsWhatTheyMoved)
{
    sample(0, Counter::NicRxBytes, 10, 4, "eth0");
    sample(0, Counter::NicRxBytes, 20, 9, "eth0");
    EXPECT_EQ(asked(finished()), questions::portMinutes);
}

TEST_F(FittingQuestion, OfAJobWithoutEpochsIsWhatItsCallsDid)
{
    read(process(100, 0), "/data/a", {10, 20}, 64);
    sample(0, Counter::NicRxBytes, 10, 4, "eth0");
    sample(0, Counter::NicRxBytes, 20, 9, "eth0");
    EXPECT_EQ(asked(finished()), questions::calls);
}

TEST_F(FittingQuestion, OfAJobWithEpochsIsHowTheyWent)
{
    const store::Id id = process(100, 0);
    read(id, "/data/a", {10, 20}, 64);
    mark(id, Kind::EpochMark, {5, 100}, 1, 8);
    const RunFacts facts = factsOf(finished(), "small");
    store::Database database(file(), store::Database::Mode::Write);
    writeSummary(database, facts, {});
    store::RunStore written = store::RunStore::openForReading(file());
    EXPECT_EQ(asked(written), questions::epochs);
}

}  // namespace
}  // namespace flowgauge::facts
