// SPDX-License-Identifier: MIT
#include "instrument/hook/patch.h"

#include "collector/record/raw.h"

#include <limits>

namespace flowgauge::hook {
namespace {

constexpr std::uint64_t nearJump = 0xe9;  // followed by 32 bits, relative to the end of these five bytes
constexpr std::int64_t jumpBytes = 5;
constexpr std::uint64_t jumpMask = (1ULL << 40) - 1;

std::uint64_t* entryOf(void* function)
{
    const bool aligned = reinterpret_cast<std::uintptr_t>(function) % sizeof(std::uint64_t) == 0;
    return aligned ? static_cast<std::uint64_t*>(function) : nullptr;
}

std::uint64_t firstOf(const std::uint64_t* entry) { return __atomic_load_n(entry, __ATOMIC_RELAXED); }

/// One store, so that a thread that comes by meets the old bytes or the new ones. The kernel keeps the page's other rights.
bool store(std::uint64_t* entry, std::uint64_t bytes)
{
    constexpr std::uintptr_t page = 4096;
    void* const from = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(entry) & ~(page - 1));
    if (raw::call(SYS_mprotect, from, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    __atomic_store_n(entry, bytes, __ATOMIC_SEQ_CST);
    raw::call(SYS_mprotect, from, page, PROT_READ | PROT_EXEC);
    return true;
}

/// Where a near jump at `entry` leads.
std::int64_t targetOf(const std::uint64_t* entry, std::uint64_t bytes)
{
    const auto distance = static_cast<std::int32_t>(static_cast<std::uint32_t>(bytes >> 8));
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(entry)) + jumpBytes + distance;
}

bool writeJump(std::uint64_t* entry, std::int64_t target)
{
    const std::int64_t distance = target - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(entry)) - jumpBytes;
    if (distance < std::numeric_limits<std::int32_t>::min() || distance > std::numeric_limits<std::int32_t>::max()) return false;
    const std::uint64_t jump = nearJump | std::uint64_t{static_cast<std::uint32_t>(distance)} << 8;
    return store(entry, (firstOf(entry) & ~jumpMask) | jump);
}

constexpr bool isNearJump(std::uint64_t bytes) { return (bytes & 0xff) == nearJump; }

/// How compilers spell eight bytes that do nothing: GCC eight times nop, clang one long nop. 0: not known.
constexpr std::uint64_t unpatched(std::uint64_t found)
{
    for (const std::uint64_t nothing : {0x9090909090909090ULL, 0x0000000000841f0fULL})
        if (found == nothing || (isNearJump(found) && ((found ^ nothing) & ~jumpMask) == 0)) return nothing;
    return 0;
}

}  // namespace

void PatchedFunction::watch(void* ours)
{
#if defined(__x86_64__)
    std::uint64_t* const entry = entryOf(ours);
    m_first = entry != nullptr ? unpatched(firstOf(entry)) : 0;
    m_ours = m_first != 0 ? entry : nullptr;
#else
    static_cast<void>(ours);
#endif
}

bool PatchedFunction::isPatched() const
{
    if (m_ours == nullptr) return false;
    const std::uint64_t found = firstOf(m_ours);
    return isNearJump(found) && ((found ^ m_first) & ~jumpMask) == 0;
}

void PatchedFunction::handOn(void* real)
{
    std::uint64_t* const entry = entryOf(real);
    if (entry == nullptr || entry == m_ours || m_busy.exchange(true, std::memory_order_acquire)) return;
    // The real one first: at each moment both ways lead to the patcher, and none leads round in a circle.
    if (isPatched() && writeJump(entry, targetOf(m_ours, firstOf(m_ours)))) store(m_ours, m_first);
    m_busy.store(false, std::memory_order_release);
}

}  // namespace flowgauge::hook
