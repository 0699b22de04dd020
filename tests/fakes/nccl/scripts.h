// SPDX-License-Identifier: MIT
#pragma once
#include "tests/fakes/nccl/profiler_driver.h"

#include <cstddef>
#include <cstdint>

/// The scripts of fake_nccl_events, each of which plays one kind of job to the plugin, and what they share.
namespace fake_nccl::scripts {

using Call = Communicator::Call;
constexpr std::uint64_t worldHash = 0xF123456789ABCDEF;

extern int version, ranks, rank;  ///< of the interface; of the job; which of them this process is
extern Books books;

extern const Call calls[5];         ///< one of each collective, the allreduce first
extern const char* const kinds[5];  ///< what each of them is recorded as

/// One collective as its version tells it, within `group` and, from v5 on, `api`.
void* playCollective(Communicator& world, const Call& call, void* api, void* group);

struct Script {
    const char* name;
    void (*play)();
};
/// What ordinary jobs do; what NCCL promises never to do; how processes end and multiply.
extern const Script ordinary[10], trouble[5], ends[4];

}  // namespace fake_nccl::scripts
