// SPDX-License-Identifier: MIT
#include "analyzer/facts/fitting_question.h"

#include "analyzer/facts/questions.h"

#include <array>

namespace flowgauge::facts {

namespace {

/// A question, and what has a row where it has an answer and is cheap to ask of any run.
struct FirstQuestion {
    const char *question, *probe;
};
constexpr std::array firstQuestions{
    FirstQuestion{questions::epochs, "SELECT 1 FROM epoch_bytes LIMIT 1"},
    FirstQuestion{questions::calls, "SELECT 1 FROM name_stat s JOIN track t ON t.id = s.track_id LIMIT 1"},
    FirstQuestion{questions::portMinutes,
                  "SELECT 1 FROM track t JOIN counter_kind k USING (counter) WHERE k.family IN ('nic', 'ib') AND "
                  "k.unit = 'bytes' AND t.events > 1 LIMIT 1"},
    FirstQuestion{questions::counters, "SELECT 1 FROM track WHERE lane = 'counter' LIMIT 1"},
};

}  // namespace

std::string fittingQuestion(store::RunStore& store)
{
    for (const FirstQuestion& row : firstQuestions)
        if (store.database().prepare(row.probe).step()) return row.question;
    return questions::ledger;
}

}  // namespace flowgauge::facts
