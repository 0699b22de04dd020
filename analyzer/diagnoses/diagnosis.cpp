// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/diagnosis.h"

#include "analyzer/diagnoses/cache_too_small.h"
#include "analyzer/diagnoses/checkpoint_stall.h"
#include "analyzer/diagnoses/cold_epoch.h"
#include "analyzer/diagnoses/congestion.h"
#include "analyzer/diagnoses/evaluation_stall.h"
#include "analyzer/diagnoses/exposed_communication.h"
#include "analyzer/diagnoses/exposed_copies.h"
#include "analyzer/diagnoses/gpudirect.h"
#include "analyzer/diagnoses/host_bound.h"
#include "analyzer/diagnoses/imbalance.h"
#include "analyzer/diagnoses/input_stall.h"
#include "analyzer/diagnoses/late_bucket.h"
#include "analyzer/diagnoses/link_errors.h"
#include "analyzer/diagnoses/lost_events.h"
#include "analyzer/diagnoses/own_cost.h"
#include "analyzer/diagnoses/pause.h"
#include "analyzer/diagnoses/saturated_link.h"
#include "analyzer/diagnoses/shuffle_gap.h"
#include "analyzer/diagnoses/slow_link.h"
#include "analyzer/diagnoses/slow_storage.h"
#include "analyzer/diagnoses/small_reads.h"
#include "analyzer/diagnoses/storage_ceiling.h"
#include "analyzer/diagnoses/storage_outage.h"
#include "analyzer/diagnoses/straggler.h"
#include "analyzer/diagnoses/unusual_epoch.h"

#include <array>

namespace flowgauge::diagnoses {

std::span<const Diagnosis> diagnoses()
{
    static constexpr std::array rows{
        Diagnosis{"lost_events", "Is so much missing that the other answers are doubtful?", lostEvents},
        Diagnosis{"exposed_communication", "How much communication does compute not hide?", exposedCommunication},
        Diagnosis{"late_bucket", "Is it the last reduction of a step alone that nothing hides?", lateBucket},
        Diagnosis{"slow_link", "Would faster links between the hosts shorten the step?", slowLink},
        Diagnosis{"gpudirect", "Do gradients pass through the hosts' memory?", gpuDirect},
        Diagnosis{"link_errors", "Did network ports lose or repeat traffic?", linkErrors},
        Diagnosis{"congestion", "Were ports held back from sending?", congestion},
        Diagnosis{"saturated_link", "Did ports move all that their links carry?", saturatedLink},
        Diagnosis{"straggler", "Do the ranks wait for one that always comes last?", straggler},
        Diagnosis{"imbalance", "Do the ranks wait for another one in each step?", imbalance},
        Diagnosis{"exposed_copies", "How long do copies keep a GPU from computing?", exposedCopies},
        Diagnosis{"host_bound", "Is a GPU idle because its work is launched late?", hostBound},
        Diagnosis{"storage_outage", "Did storage stop answering while the job waited for it?", storageOutage},
        Diagnosis{"slow_storage", "Does the step wait for data because reads wait for storage?", slowStorage},
        Diagnosis{"small_reads", "Does the step wait for data because each read asks for too little?", smallReads},
        Diagnosis{"input_stall", "Does the step wait for data although reading is fast?", inputStall},
        Diagnosis{"cold_epoch", "How much longer did an epoch take because the page cache was cold?", coldEpoch},
        Diagnosis{"cache_too_small", "Does the step wait because the page cache does not hold the data?", cacheTooSmall},
        Diagnosis{"storage_ceiling", "Did the first epoch stand at what storage gives and no more?", storageCeiling},
        Diagnosis{"unusual_epoch", "Did a later epoch take far longer than the others?", unusualEpoch},
        Diagnosis{"evaluation_stall", "How long does training stand while the job evaluates?", evaluationStall},
        Diagnosis{"checkpoint_stall", "How long does training stand while a checkpoint is written?", checkpointStall},
        Diagnosis{"shuffle_gap", "How long did the job stand between epochs?", shuffleGap},
        Diagnosis{"pauses", "How long did all ranks stand still within epochs?", pauses},
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
