// SPDX-License-Identifier: MIT
#include "instrument/nccl/communicators.h"

#include "collector/buffer/recorder.h"
#include "instrument/hook/find.h"
#include "instrument/nccl/plugin.h"

namespace flowgauge::nccl::communicators {
namespace {

constexpr Word filling = 1;
constexpr int firstWithPlugin = 22304;  // ncclGetVersion of 2.23.4

struct Known {
    std::atomic<Word> comm;
    std::uint64_t before, hash;
    Handle context;
    std::atomic<std::uint64_t> children;
};
constinit std::array<Known, 512> table{};
constinit std::atomic<std::uint64_t> unseen{0};

Known* find(Word comm)
{
    for (std::size_t step = 0; step < table.size(); ++step) {
        Known& known = table[(comm / 64 + step) % table.size()];
        const Word held = known.comm.load(std::memory_order_acquire);
        if (held == comm) return &known;
        if (step > 32) break;
    }
    return nullptr;
}

Known* take(Word comm)
{
    for (std::size_t step = 0; step <= 32; ++step) {
        Known& known = table[(comm / 64 + step) % table.size()];
        Word free = 0;
        if (known.comm.compare_exchange_strong(free, filling, std::memory_order_acquire)) return &known;
    }
    buffer::lose(DropReason::TableFull);
    return nullptr;
}

template <typename Function, typename... Arguments>
bool ask(const char* name, const void* caller, Arguments... arguments)
{
    const auto function = reinterpret_cast<Function>(hook::findFromCaller(name, caller));
    return function != nullptr && function(arguments...) == 0;
}

/// A child's size and rank are not among the arguments of the call that made it.
void askMembers(Word comm, const void* caller, Context& context)
{
    int ranks = 0, rank = -1;
    if (ask<int (*)(Word, int*)>("pncclCommCount", caller, comm, &ranks))
        context.ranks.store(static_cast<std::uint32_t>(ranks), std::memory_order_relaxed);
    if (ask<int (*)(Word, int*)>("pncclCommUserRank", caller, comm, &rank)) context.rank.store(rank, std::memory_order_relaxed);
}

/// One whose making we did not see: its size and rank can be asked for; that it is the same one on all ranks can only be counted.
void addUnseen(Word comm, const void* caller)
{
    int ranks = 0, rank = -1;
    if (!ask<int (*)(Word, int*)>("pncclCommCount", caller, comm, &ranks)) return;
    if (!ask<int (*)(Word, int*)>("pncclCommUserRank", caller, comm, &rank)) return;
    const std::uint64_t number = unseen.fetch_add(1, std::memory_order_relaxed);
    add(comm, {hashOf(&ranks, sizeof ranks, number), static_cast<std::uint32_t>(ranks), rank}, 0);
}

}  // namespace

std::uint64_t hashOf(const void* bytes, std::size_t size, std::uint64_t seed)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;  // FNV-1a
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3ULL;
    return hash;
}

bool isCovered(std::uint64_t before, const void* caller)
{
    if (plugin::opened() == before) return false;
    int version = 0;
    return ask<int (*)(int*)>("pncclGetVersion", caller, &version) && version >= firstWithPlugin;
}

void add(Word comm, const Members& members, std::uint64_t before)
{
    if (comm == 0) return;
    forget(comm);
    Known* const known = take(comm);
    if (known == nullptr) return;
    known->before = before;
    known->hash = members.hash;
    known->children.store(0, std::memory_order_relaxed);
    if (Context* const context = contexts::open(known->context)) {
        context->ranks.store(members.ranks, std::memory_order_relaxed);
        context->rank.store(members.rank, std::memory_order_relaxed);
    }
    known->comm.store(comm, std::memory_order_release);
}

Context* toRecord(Word comm, const void* caller)
{
    Known* known = find(comm);
    if (known == nullptr) {
        addUnseen(comm, caller);
        known = find(comm);
        if (known == nullptr) return nullptr;
    }
    Context* const context = contexts::find(known->context);
    if (context == nullptr) return nullptr;
    if (context->ranks.load(std::memory_order_relaxed) == 0) askMembers(comm, caller, *context);
    const bool alone = context->ranks.load(std::memory_order_relaxed) == 1;  // NCCL copies, and tells its plugin nothing
    if (!alone && isCovered(known->before, caller)) return nullptr;
    contexts::announce(*context, known->hash, {});
    return context;
}

std::uint64_t childHash(Word parent, std::int64_t color, const void* caller)
{
    Known* known = find(parent);
    if (known == nullptr) {
        addUnseen(parent, caller);
        known = find(parent);
        if (known == nullptr) return 0;
    }
    const std::uint64_t words[] = {known->children.fetch_add(1, std::memory_order_relaxed), static_cast<std::uint64_t>(color)};
    return hashOf(words, sizeof words, known->hash);
}

void forget(Word comm)
{
    Known* const known = find(comm);
    if (known == nullptr) return;
    if (Context* const context = contexts::find(known->context)) contexts::close(*context);
    known->comm.store(0, std::memory_order_release);
}

void forgetAll()
{
    for (Known& known : table) known.comm.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::nccl::communicators
