// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/diagnosis.h"

#include "analyzer/diagnoses/cold_epoch.h"
#include "analyzer/diagnoses/exposed_communication.h"
#include "analyzer/diagnoses/input_stall.h"
#include "analyzer/diagnoses/lost_events.h"
#include "analyzer/diagnoses/own_cost.h"
#include "analyzer/diagnoses/shuffle_gap.h"
#include "analyzer/diagnoses/slow_storage.h"
#include "analyzer/diagnoses/small_reads.h"
#include "analyzer/diagnoses/straggler.h"

#include <array>

namespace flowgauge::diagnoses {

std::span<const Diagnosis> diagnoses()
{
    static constexpr std::array rows{
        Diagnosis{"lost_events", "Is so much missing that the other answers are doubtful?", lostEvents},
        Diagnosis{"exposed_communication", "How much communication does compute not hide?", exposedCommunication},
        Diagnosis{"straggler", "Do the ranks wait for one that always comes last?", straggler},
        Diagnosis{"slow_storage", "Does the step wait for data because reads wait for storage?", slowStorage},
        Diagnosis{"small_reads", "Does the step wait for data because each read asks for too little?", smallReads},
        Diagnosis{"input_stall", "Does the step wait for data although reading is fast?", inputStall},
        Diagnosis{"cold_epoch", "How much longer did an epoch take because the page cache was cold?", coldEpoch},
        Diagnosis{"shuffle_gap", "How long did the job stand between epochs?", shuffleGap},
        Diagnosis{"own_cost", "Did recording itself slow the job?", ownCost},
    };
    return rows;
}

std::vector<findings::Finding> diagnose(const Subject& subject)
{
    std::vector<findings::Finding> answers;
    for (const Diagnosis& diagnosis : diagnoses()) {
        std::optional<findings::Finding> answer = diagnosis.answer(subject);
        if (!answer) continue;
        answer->diagnosis = diagnosis.name;
        if (answer->outOfWhat == "step time") answer->partOfRun = subject.stepsOfRun();
        answers.push_back(std::move(*answer));
    }
    return findings::ranked(std::move(answers));
}

}  // namespace flowgauge::diagnoses
