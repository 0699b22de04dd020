// SPDX-License-Identifier: MIT
#include "instrument/mpi/communicators.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"

#include <array>

namespace flowgauge::mpi::communicators {

namespace {

constexpr std::size_t places = 1024;
constexpr std::size_t reach = 32;  // places that are looked at for one handle
constexpr Word filling = Word{1} << 63;

constinit std::array<Communicator, places> table{};

/// How many communicators with the same members were seen whose making was not.
struct Unseen {
    std::atomic<std::uint64_t> members, count;
};
constinit std::array<Unseen, 256> unseen{};

struct Window {
    std::atomic<Word> window, communicator;
};
constinit std::array<Window, 256> windows{};

constexpr std::uint64_t mix(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;  // the finalizer of splitmix64: every bit moves every other
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

std::uint64_t idOf(std::uint64_t members, std::uint64_t parent, std::uint64_t number)
{
    const std::uint64_t id = mix(mix(members) + mix(parent + 0x9E3779B97F4A7C15) * 3 + number);
    return (id >> 1) | 1;  // fits SQLite's signed integers, and never 0, which reads "unknown"
}

std::size_t homeOf(Word handle) { return static_cast<std::size_t>(mix(handle)) % places; }
Communicator& placeAt(Word handle, std::size_t step) { return table[(homeOf(handle) + step) % places]; }

/// A sum over the ranks' hashes: the same in whatever order a group lists them, and for both sides of an intercommunicator.
std::uint64_t hashOfGroup(const Library& library, Word group)
{
    int size = 0;
    if (library.call.groupSize == nullptr || library.call.groupSize(group, &size) != 0) return 0;
    if (library.worldGroup == 0 || library.call.groupTranslate == nullptr) return mix(static_cast<std::uint64_t>(size));
    std::uint64_t sum = 0;
    std::array<int, 128> own, world;
    for (int done = 0; done < size;) {
        int count = 0;
        for (; count < static_cast<int>(own.size()) && done + count < size; ++count) own[static_cast<std::size_t>(count)] = done + count;
        if (library.call.groupTranslate(group, count, own.data(), library.worldGroup, world.data()) != 0) return sum;
        for (int i = 0; i < count; ++i) sum += mix(static_cast<std::uint64_t>(world[static_cast<std::size_t>(i)]) + 1);
        done += count;
    }
    return sum;
}

std::uint64_t hashOf(const Library& library, Word handle, int (*groupOf)(Word, Word*))
{
    Word group = 0;
    if (groupOf == nullptr || groupOf(handle, &group) != 0) return 0;
    const std::uint64_t hash = hashOfGroup(library, group);
    if (library.call.groupFree != nullptr) (void)library.call.groupFree(&group);
    return hash;
}

void askLibrary(const Library& library, Word handle, Communicator& into)
{
    int rank = -1, size = 0, inter = 0;
    if (library.call.commRank != nullptr) (void)library.call.commRank(handle, &rank);
    (void)library.call.commSize(handle, &size);
    if (library.call.commTestInter != nullptr) (void)library.call.commTestInter(handle, &inter);
    into.rank = rank;
    into.size = into.peers = static_cast<std::uint32_t>(size);
    into.members = hashOf(library, handle, library.call.commGroup);
    into.outdegree = 0;
    if (inter == 0) return;
    if (library.call.commRemoteSize != nullptr && library.call.commRemoteSize(handle, &size) == 0)
        into.peers = static_cast<std::uint32_t>(size);
    into.members += hashOf(library, handle, library.call.commRemoteGroup);
}

std::uint64_t nextUnseen(std::uint64_t members)
{
    for (std::size_t step = 0; step < unseen.size(); ++step) {
        Unseen& place = unseen[(members + step) % unseen.size()];
        std::uint64_t expected = 0;
        const bool free = place.members.compare_exchange_strong(expected, members | 1, std::memory_order_relaxed);
        if (free || expected == (members | 1)) return place.count.fetch_add(1, std::memory_order_relaxed);
    }
    buffer::lose(DropReason::TableFull);
    return 0;
}

void announce(const Communicator& communicator, std::string_view name)
{
    if (!buffer::wants(Kind::Communicator)) return;
    const NameKey key = name.empty() ? 0 : buffer::name(NameClass::Communicator, name);
    buffer::record(flowgauge::communicator(now(), {communicator.id, communicator.rank, communicator.size, key}, flagMpi));
}

/// A place for the handle, marked as being filled; nullptr when there is none, or when another thread is filling it.
Communicator* takePlace(Word handle)
{
    for (std::size_t step = 0; step < reach; ++step) {
        Communicator& place = placeAt(handle, step);
        Word expected = 0;
        if (!place.key.compare_exchange_strong(expected, handle | filling, std::memory_order_acquire)) {
            if (expected == (handle | filling)) return nullptr;
            continue;
        }
        place.sequence.store(0, std::memory_order_relaxed);
        place.children.store(0, std::memory_order_relaxed);
        return &place;
    }
    buffer::lose(DropReason::TableFull);
    return nullptr;
}

void publish(Communicator& place, Word handle, std::string_view name)
{
    place.key.store(handle, std::memory_order_release);
    announce(place, name);
}

/// The other thread asks a handful of local questions; it is not waited for longer than those can take.
Communicator* awaitFilled(Word handle)
{
    for (int tries = 0; tries < 100'000; ++tries)
        if (Communicator* const known = findKnown(handle)) return known;
    return nullptr;
}

Communicator* addUnseen(const Library& library, Word handle)
{
    Communicator* const place = takePlace(handle);
    if (place == nullptr) return awaitFilled(handle);
    askLibrary(library, handle, *place);
    place->id = idOf(place->members, 0, nextUnseen(place->members));
    publish(*place, handle, handle == library.abi.world ? std::string_view("MPI_COMM_WORLD") : std::string_view());
    return place;
}

}  // namespace

Communicator* findKnown(Word handle)
{
    for (std::size_t step = 0; step < reach; ++step) {
        Communicator& place = placeAt(handle, step);
        if (place.key.load(std::memory_order_acquire) == handle) return &place;
    }
    return nullptr;
}

Communicator* find(const Library& library, Word handle)
{
    if (handle == 0) return nullptr;
    if (Communicator* const known = findKnown(handle)) return known;
    return addUnseen(library, handle);
}

void addCopy(const Library& library, Word parent, Word handle)
{
    Communicator* const from = find(library, parent);
    if (from == nullptr || handle == 0) return;
    forget(handle);
    Communicator* const place = takePlace(handle);
    if (place == nullptr) return;
    place->members = from->members;
    place->rank = from->rank;
    place->size = from->size;
    place->peers = from->peers;
    place->outdegree = from->outdegree;
    place->id = idOf(from->members, from->id, from->children.fetch_add(1, std::memory_order_relaxed));
    publish(*place, handle, {});
}

Communicator* addChild(const Library& library, Word parent, Word handle)
{
    Communicator* const from = find(library, parent);
    if (from == nullptr) return nullptr;
    const std::uint64_t number = from->children.fetch_add(1, std::memory_order_relaxed);
    if (handle == 0) return nullptr;
    forget(handle);
    Communicator* const place = takePlace(handle);
    if (place == nullptr) return nullptr;
    askLibrary(library, handle, *place);
    place->id = idOf(place->members, from->id, number);
    publish(*place, handle, {});
    return place;
}

void rename(const Library& library, Word handle, std::string_view name)
{
    if (Communicator* const known = find(library, handle)) announce(*known, name);
}

void forget(Word handle)
{
    if (Communicator* const known = findKnown(handle)) known->key.store(0, std::memory_order_release);
}

void openWindow(Word window, Word communicator)
{
    for (Window& place : windows) {
        Word expected = 0;
        if (!place.window.compare_exchange_strong(expected, window, std::memory_order_acquire) && expected != window) continue;
        place.communicator.store(communicator, std::memory_order_release);
        return;
    }
    buffer::lose(DropReason::TableFull);
}

Word communicatorOfWindow(Word window)
{
    for (const Window& place : windows)
        if (place.window.load(std::memory_order_acquire) == window) return place.communicator.load(std::memory_order_acquire);
    return 0;
}

void closeWindow(Word window)
{
    for (Window& place : windows)
        if (place.window.load(std::memory_order_relaxed) == window) place.window.store(0, std::memory_order_release);
}

void clear()
{
    for (Communicator& place : table) place.key.store(0, std::memory_order_relaxed);
    for (Unseen& place : unseen) {
        place.members.store(0, std::memory_order_relaxed);
        place.count.store(0, std::memory_order_relaxed);
    }
    for (Window& place : windows) place.window.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::mpi::communicators
