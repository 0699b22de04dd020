// SPDX-License-Identifier: MIT
// The tables that NCCL looks up, one a version of the interface, each native: NCCL's own conversions from a newer version to an older
// one lose names, sizes and types. There is no v7 here: more than one layout goes by that name.
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/nccl/theirs.h"
#include "instrument/nccl/translate.h"

namespace flowgauge::nccl {
namespace {

template <int number>
struct Version;
#define FLOWGAUGE_NCCL_TABLE(number, init, states)     \
    template <>                                        \
    struct Version<number> {                           \
        using Table = abi::v##number::Table;           \
        using Descriptor = abi::v##number::Descriptor; \
        using StateArgs = abi::states;                 \
    };
#include "instrument/nccl/tables.def"
#undef FLOWGAUGE_NCCL_TABLE

/// The other plugin's table, once a communicator was opened with it; nullptr where there is no other.
template <int version>
constinit std::atomic<typename Version<version>::Table*> other{nullptr};
/// What the other plugin asks for. It keeps the address and may change the number at any time.
template <int version>
constinit int otherMask = 0;

/// What NCCL would tell the other plugin: what it asks for, and what that hangs on.
std::uint64_t withParents(std::uint64_t mask)
{
    if ((mask & abi::typeNetPlugin) != 0) mask |= abi::typeProxyStep;
    if ((mask & abi::typeProxyStep) != 0) mask |= abi::typeProxyOp;
    if ((mask & (abi::typeProxyOp | abi::typeKernelCh)) != 0) mask |= abi::typeColl | abi::typeP2p;
    if ((mask & abi::typeColl) != 0) mask |= abi::typeCollApi;
    if ((mask & abi::typeP2p) != 0) mask |= abi::typeP2pApi;
    if ((mask & (abi::typeColl | abi::typeP2p)) != 0) mask |= abi::typeGroup;
    if ((mask & (abi::typeCollApi | abi::typeP2pApi | abi::typeKernelLaunch | abi::typeGroup)) != 0) mask |= abi::typeGroupApi;
    return mask;
}

/// The same event with the parents that one of the two plugins knows.
template <typename Descriptor, typename Pick>
Descriptor withParentsOf(const Descriptor& told, Pick pick)
{
    Descriptor event = told;
    event.parentObj = pick(told.parentObj);
    if constexpr (requires { event.coll.parentGroup; }) {
        if (told.type == abi::typeColl) event.coll.parentGroup = pick(told.coll.parentGroup);
        if (told.type == abi::typeP2p) event.p2p.parentGroup = pick(told.p2p.parentGroup);
    }
    return event;
}

template <int version>
void* startOther(const Context& known, const typename Version<version>::Descriptor& told)
{
    auto* const table = other<version>.load(std::memory_order_acquire);
    const int asked = __atomic_load_n(&otherMask<version>, __ATOMIC_RELAXED);
    if (known.mask != nullptr && (asked & ~__atomic_load_n(known.mask, __ATOMIC_RELAXED)) != 0)
        __atomic_fetch_or(known.mask, asked, __ATOMIC_RELAXED);
    if (table == nullptr || known.theirs == nullptr || (withParents(static_cast<std::uint64_t>(asked)) & told.type) == 0) return nullptr;
    auto event = withParentsOf(told, [](void* parent) { return theirs::split(parent).theirs; });
    void* handle = nullptr;
    static_cast<void>(table->startEvent(known.theirs, &handle, &event));
    return handle;
}

template <int version>
int startEvent(void* context, void** handle, typename Version<version>::Descriptor* told)
{
    const raw::KeepErrno keep;
    if (handle == nullptr) return abi::success;
    *handle = given(makeHandle(0, 0, lostPlace));
    if (told == nullptr) return abi::success;
    if (other<version>.load(std::memory_order_relaxed) == nullptr) {
        if (buffer::enabled()) *handle = given(translate::begin(context, *told));
        return abi::success;
    }
    const auto mine = withParentsOf(*told, [](void* parent) { return given(theirs::split(parent).ours); });
    const Handle ours = buffer::enabled() ? translate::begin(context, mine) : makeHandle(0, 0, lostPlace);
    const Context* const known = contexts::find(context);
    *handle = given(theirs::join({ours, known != nullptr ? startOther<version>(*known, *told) : nullptr}));
    return abi::success;
}

template <int version>
int stopEvent(void* handle)
{
    const raw::KeepErrno keep;
    auto* const table = other<version>.load(std::memory_order_relaxed);
    if (table == nullptr) return plugin::stop(handleOf(handle)), abi::success;
    const theirs::Pair pair = theirs::split(handle);
    plugin::stop(pair.ours);
    if (pair.theirs != nullptr) static_cast<void>(table->stopEvent(pair.theirs));
    return abi::success;
}

/// Before v4 bytes are those of a proxy operation so far, told when it has moved some; from v4 on those of a step.
void takeState(Handle handle, int state, const abi::EarlyStateArgs* args)
{
    const bool moved = state == abi::opSendDone || state == abi::opRecvDone;
    if (!moved) return plugin::stepState(handle, state, 0);
    if (args != nullptr) plugin::proxyBytes(handle, args->proxyOp.transSize);
}
void takeState(Handle handle, int state, const abi::LateStateArgs* args)
{
    plugin::stepState(handle, state, args != nullptr ? args->proxyStep.transSize : 0);
}

template <int version>
int recordState(void* handle, int state, typename Version<version>::StateArgs* args)
{
    const raw::KeepErrno keep;
    auto* const table = other<version>.load(std::memory_order_relaxed);
    if (table == nullptr) return takeState(handleOf(handle), state, args), abi::success;
    const theirs::Pair pair = theirs::split(handle);
    takeState(pair.ours, state, args);
    if (pair.theirs != nullptr) static_cast<void>(table->recordEventState(pair.theirs, state, args));
    return abi::success;
}

/// Never fails, and never leaves the context NULL: some releases crash on a plugin that does, and all go on calling it.
Context* open(void** context, int* mask, int version)
{
    Handle handle = 0;
    Context* const opened = contexts::open(handle);
    plugin::countOpened();
    if (context != nullptr) *context = given(handle);
    if (opened != nullptr) opened->mask = mask;
    // Several communicators of one library share the mask: what is on stays on.
    if (mask != nullptr) __atomic_fetch_or(mask, plugin::maskFor(version), __ATOMIC_RELAXED);
    return opened;
}

/// Opens the communicator with the other plugin too. `init` is called with its table, where its context goes, and its mask.
template <int version, typename Init>
void openOther(Context* context, int* mask, Init init)
{
    auto* const table = static_cast<typename Version<version>::Table*>(theirs::table(version));
    if (table == nullptr || context == nullptr) return;
    if (init(*table, &context->theirs, &otherMask<version>) != abi::success) context->theirs = nullptr;
    if (mask != nullptr) __atomic_fetch_or(mask, __atomic_load_n(&otherMask<version>, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    other<version>.store(table, std::memory_order_release);
}

template <int version>
int initAlone(void** context, int* mask)
{
    const raw::KeepErrno keep;
    Context* const opened = open(context, mask, version);
    openOther<version>(opened, mask, [](auto& table, void** into, int* theirMask) { return table.init(into, theirMask); });
    return abi::success;
}

struct Told {
    const char* name;
    std::uint64_t hash;
    int nodes, ranks, rank;
    abi::Logger log;
};

void takeTold(Context* context, const Told& told)
{
    if (context == nullptr) return;
    context->ranks.store(static_cast<std::uint32_t>(told.ranks), std::memory_order_relaxed);
    context->rank.store(told.rank, std::memory_order_relaxed);
    contexts::announce(*context, told.hash, told.name != nullptr ? std::string_view(told.name) : std::string_view());
}

template <int version>
int initTold(void** context, int* mask, const Told& told)
{
    const raw::KeepErrno keep;
    Context* const opened = open(context, mask, version);
    takeTold(opened, told);
    openOther<version>(opened, mask, [&told](auto& table, void** into, int* theirMask) {
        if constexpr (version == 4)
            return table.init(into, theirMask, told.name, told.hash, told.nodes, told.ranks, told.rank, told.log);
        else
            return table.init(into, told.hash, theirMask, told.name, told.nodes, told.ranks, told.rank, told.log);
    });
    return abi::success;
}

int initV4(void** context, int* mask, const char* name, std::uint64_t hash, int nodes, int ranks, int rank, abi::Logger log)
{
    return initTold<4>(context, mask, {name, hash, nodes, ranks, rank, log});
}

template <int version>
int initV5(void** context, std::uint64_t hash, int* mask, const char* name, int nodes, int ranks, int rank, abi::Logger log)
{
    return initTold<version>(context, mask, {name, hash, nodes, ranks, rank, log});
}

template <int version>
int finalize(void* context)
{
    const raw::KeepErrno keep;
    Context* const known = contexts::find(context);
    if (known == nullptr) return abi::success;
    auto* const table = other<version>.load(std::memory_order_relaxed);
    if (table != nullptr && known->theirs != nullptr) static_cast<void>(table->finalize(known->theirs));
    plugin::finish(*known);
    return abi::success;
}

constexpr const char* pluginName = "Flowgauge";

}  // namespace
}  // namespace flowgauge::nccl

extern "C" {
using namespace flowgauge::nccl;
// Not const: read-only data is no place where every tool looks for data symbols.
#define FLOWGAUGE_NCCL_TABLE(number, init, states)                                                                                  \
    FLOWGAUGE_EXPORT extern abi::v##number::Table ncclProfiler_v##number;                                                           \
    abi::v##number::Table ncclProfiler_v##number{pluginName,      init, startEvent<number>, stopEvent<number>, recordState<number>, \
                                                 finalize<number>};
#include "instrument/nccl/tables.def"
#undef FLOWGAUGE_NCCL_TABLE
}
