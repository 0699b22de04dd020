// SPDX-License-Identifier: MIT
#include "instrument/mpi/watch.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "instrument/mpi/communicators.h"

#include <atomic>

namespace flowgauge::mpi {

constinit thread_local unsigned depth = 0;

namespace {

enum class Life : std::uint8_t { Before, During, After };
std::atomic<Life> life{Life::Before};

/// MPI_Init was called before our library saw it, or by a way that we do not see.
void noteInitialized(const Library& library)
{
    int initialized = 0, finalized = 0;
    if (library.call.initialized(&initialized) != 0 || initialized == 0) return;
    if (library.call.finalized == nullptr || library.call.finalized(&finalized) != 0 || finalized != 0) return;
    const Ticks at = now();
    recordInit(library, {at, at}, 0, flagIncomplete);
}

/// 0 single, 1 funneled, 2 serialized, 3 multiple; the ABI of MPI 5 numbers them 0, 1024, 2048, 4096.
int plainLevel(int level)
{
    if (level <= 3) return level;
    return level >= 4096 ? 3 : level / 1024;
}

}  // namespace

const Library* watch(const void* caller)
{
    if (depth != 0 || !buffer::enabled() || life.load(std::memory_order_relaxed) == Life::After) return nullptr;
    const Library* const library = libraryOf(caller);
    if (library != nullptr && life.load(std::memory_order_relaxed) == Life::Before) noteInitialized(*library);
    return library;
}

void recordInit(const Library& library, Span span, int level, std::uint16_t flags)
{
    Life expected = Life::Before;
    if (!life.compare_exchange_strong(expected, Life::During, std::memory_order_relaxed)) return;
    adoptWorld();
    int size = 0, rank = -1;
    (void)library.call.commSize(library.abi.world, &size);
    if (library.call.commRank != nullptr) (void)library.call.commRank(library.abi.world, &rank);
    Event event = mpiInit(span, static_cast<std::uint64_t>(size), rank, plainLevel(level));
    event.flags |= flags;
    if (buffer::wants(Kind::MpiInit)) buffer::record(event);
    (void)communicators::find(library, library.abi.world);
}

void stopWatching() { life.store(Life::After, std::memory_order_relaxed); }

void watchAnew() { life.store(Life::Before, std::memory_order_relaxed); }

}  // namespace flowgauge::mpi
