// SPDX-License-Identifier: MIT
#include "instrument/nccl/theirs.h"

#include "collector/buffer/recorder.h"
#include "collector/buffer/text.h"
#include "collector/record/raw.h"
#include "instrument/hook/vendor.h"

#include <array>
#include <atomic>

namespace flowgauge::nccl::theirs {
namespace {

constexpr std::size_t places = 65536;

struct Place {
    std::atomic<Handle> handle;
    Handle ours;
    void* theirs;
};
constinit std::array<Place, places> all{};
constinit std::atomic<std::uint64_t> made{1};

constinit buffer::Text<256> name;
enum class Stage : std::uint8_t { Unknown, Loading, Known };
constinit std::atomic<Stage> stage{Stage::Unknown};
constinit std::atomic<void*> library{nullptr};

/// What NCCL tries for a name: as it stands, then as a short name.
void* load(const char* wanted)
{
    if (void* const found = hook::openLibrary(wanted)) return found;
    buffer::Text<512> longer;
    return hook::openLibrary(longer.add("libnccl-profiler-").add(wanted).add(".so").text());
}

void loadOnce(const char* wanted, bool named)
{
    Stage expected = Stage::Unknown;
    if (!stage.compare_exchange_strong(expected, Stage::Loading, std::memory_order_acquire)) {
        // Another communicator is being made at this moment; loading takes as long as it takes, and NCCL waits for it as well.
        while (stage.load(std::memory_order_acquire) != Stage::Known) static_cast<void>(raw::call(SYS_sched_yield));
        return;
    }
    library.store(load(wanted), std::memory_order_relaxed);
    if (named && library.load(std::memory_order_relaxed) == nullptr)
        buffer::ledger("NCCL profiler plugin of the user", "absent", "NCCL_PROFILER_PLUGIN names a library that cannot be loaded");
    stage.store(Stage::Known, std::memory_order_release);
}

}  // namespace

void setName(const char* given)
{
    name.clear();
    name.add(given);
}

void* table(int version)
{
    // Where nobody named one, NCCL 2.26 and later look for this.
    constexpr int firstWithDefault = 3;
    const bool named = name.length() != 0;
    if (!named && version < firstWithDefault) return nullptr;
    loadOnce(named ? name.text() : "libnccl-profiler.so", named);
    void* const plugin = library.load(std::memory_order_relaxed);
    if (plugin == nullptr) return nullptr;
    buffer::Text<32> symbol;
    symbol.add("ncclProfiler_v").add(static_cast<std::uint64_t>(version));
    void* const found = hook::findIn(plugin, symbol.text());
    if (found == nullptr)
        buffer::ledger("NCCL profiler plugin of the user", "absent", "it lacks the version of the interface that this NCCL speaks");
    return found;
}

Handle join(Pair pair)
{
    const std::uint64_t number = made.fetch_add(1, std::memory_order_relaxed);
    Place& place = all[number % places];
    place.handle.store(0, std::memory_order_relaxed);
    place.ours = pair.ours;
    place.theirs = pair.theirs;
    // Above what any handle of ours is: those have 58 bits below their check, and this number has a check of its own kind.
    const Handle low = (number & (~std::uint64_t{0} >> 6));
    const Handle handle = (checkOf(~low) << 58) | low;
    place.handle.store(handle, std::memory_order_release);
    return handle;
}

Pair split(const void* given)
{
    const Handle handle = handleOf(given);
    const Place& place = all[(handle & (~std::uint64_t{0} >> 6)) % places];
    if (handle == 0 || place.handle.load(std::memory_order_acquire) != handle) return {handle, nullptr};
    return {place.ours, place.theirs};
}

void forget()
{
    for (Place& place : all) place.handle.store(0, std::memory_order_relaxed);
    library.store(nullptr, std::memory_order_relaxed);
    stage.store(Stage::Unknown, std::memory_order_relaxed);
}

}  // namespace flowgauge::nccl::theirs
