// SPDX-License-Identifier: MIT
// STAND-IN for NCCL: plays one script of profiler events as one version of the interface, and keeps books of what it told.
//
//   fake_nccl_events SCRIPT VERSION [RANKS RANK]
#include "tests/fakes/nccl/profiler_driver.h"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

using namespace fake_nccl;

namespace {

using Call = Communicator::Call;
constexpr std::uint64_t worldHash = 0xF123456789ABCDEF;
int version = 6, ranks = 4, rank = 1;
Books books;

std::uint64_t elementBytes(const Call& call) { return call.typeNumber == 0 || call.typeNumber == 11 ? 1 : call.typeNumber == 9 ? 2 : 4; }

/// AllGather and Broadcast are told in bytes, as ncclInt8, whatever the program's type was.
const Call calls[] = {
    {"AllReduce", 4, 1'000'003, "ncclFloat32", 7, 0},      {"AllGather", 2, 4'096, "ncclInt8", 0, 0},
    {"ReduceScatter", 3, 77, "ncclBfloat16", 9, 0},        {"Broadcast", 0, 12'345, "ncclInt8", 0, 2},
    {"Reduce", 1, 5'000'000'000, "ncclFloat8e5m2", 11, 3},
};
const char* const kinds[] = {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"};

/// One collective as its version tells it, with what its proxies do afterwards.
void* playCollective(Communicator& world, const Call& call, void* api, void* group)
{
    void* const handle = world.coll(call, api, group);
    world.plugin().stop(handle);
    return handle;
}

void steady()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    for (int round = 0; round < 5; ++round)
        for (std::size_t i = 0; i < std::size(calls); ++i) {
            void* const outer = version >= 5 ? world.groupApi() : nullptr;
            void* const api = version >= 5 ? world.collApi(outer, calls[i]) : nullptr;
            if (api != nullptr) plugin.stop(api);
            void* const group = world.group(outer);
            void* const handle = playCollective(world, calls[i], api, group);
            plugin.stop(group);
            if (outer != nullptr) plugin.stop(outer);
            world.proxy(handle, true, (rank + 1) % ranks, 4, 1'000 + i, getpid(), books);
            world.proxy(handle, false, (rank + ranks - 1) % ranks, 4, 2'000 + i, getpid(), books);
            books.add(kinds[i], calls[i].count * elementBytes(calls[i]));
        }
    world.end();
}

/// A send to the next rank and a receive from the one before, each alone in its group.
void messages()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    for (const bool send : {true, false}) {
        void* const outer = version >= 5 ? world.groupApi() : nullptr;
        void* const api = version >= 5 ? world.p2pApi(outer, send ? "Send" : "Recv", 250) : nullptr;
        if (api != nullptr) plugin.stop(api);
        void* const group = world.group(outer);
        void* const handle = world.p2p(send, send ? 2 : 0, 250, api, group);
        plugin.stop(handle);
        plugin.stop(group);
        if (outer != nullptr) plugin.stop(outer);
        world.proxy(handle, send, send ? 2 : 0, 2, 500, getpid(), books);
        books.add(send ? "send" : "recv", 1'000);
    }
    world.end();
}

/// 2n sends and receives in one group. `func`: what the call itself is named, from v5 on. Two plans share them from v5 on, as in
/// large jobs.
void playAllToAll(Communicator& world, const char* func)
{
    const Plugin& plugin = world.plugin();
    void* const outer = version >= 5 ? world.groupApi() : nullptr;
    std::vector<void*> apis;
    for (int i = 0; version >= 5 && i < 2 * ranks; ++i) {
        apis.push_back(world.p2pApi(outer, func != nullptr ? func : i % 2 == 0 ? "Send" : "Recv", 100));
        plugin.stop(apis.back());
    }
    void* group = world.group(outer);
    std::vector<void*> handles;
    for (int peer = 0; peer < ranks; ++peer) {
        if (version >= 5 && peer == ranks / 2) plugin.stop(group), group = world.group(outer);
        for (const bool send : {true, false}) {
            void* const api = apis.empty() ? nullptr : apis[static_cast<std::size_t>(2 * peer + (send ? 0 : 1))];
            handles.push_back(world.p2p(send, peer, 100, api, group));
            plugin.stop(handles.back());
        }
    }
    plugin.stop(group);
    if (outer != nullptr) plugin.stop(outer);
    for (int peer = 0; peer < ranks; ++peer)
        if (peer != rank) world.proxy(handles[static_cast<std::size_t>(2 * peer)], true, peer, 1, 400, getpid(), books);
    books.add("alltoall", static_cast<std::uint64_t>(ranks) * 400);
}

void allToAll()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    if (version <= 3) {  // the communicator's size is not told: only the pattern with the rank itself in it says all-to-all
        playAllToAll(world, nullptr);
    } else {
        playAllToAll(world, nullptr);
        playAllToAll(world, "AlltoAll");
    }
    world.end();
}

/// A halo exchange: both neighbours in one group, which is no all-to-all.
void neighbours()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const outer = version >= 5 ? world.groupApi() : nullptr;
    void* const group = world.group(outer);
    for (const int peer : {(rank + 1) % ranks, (rank + ranks - 1) % ranks})
        for (const bool send : {true, false}) {
            plugin.stop(world.p2p(send, peer, 25, nullptr, group));
            books.add(send ? "send" : "recv", 100);
        }
    plugin.stop(group);
    if (outer != nullptr) plugin.stop(outer);
    world.end();
}

void fused()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const group = world.group();
    for (int i = 0; i < 50; ++i) {
        playCollective(world, calls[0], nullptr, group);
        books.add("allreduce", calls[0].count * 4);
    }
    plugin.stop(group);
    world.end();
}

/// v5 and later: kernels on symmetric memory are told as calls alone; captured calls are none yet, and their replays have no call.
void callsAlone()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    for (int i = 0; i < 3; ++i) {
        void* const outer = world.groupApi();
        plugin.stop(world.collApi(outer, calls[0]));
        plugin.stop(outer);
        books.add("allreduce", calls[0].count * 4);
    }
    void* const outer = world.groupApi();
    void* const captured = world.collApi(outer, calls[0], true);
    plugin.stop(captured);
    plugin.stop(outer);
    for (int replay = 0; replay < 2; ++replay) {
        void* const group = world.group(outer);  // both parents have long ended
        playCollective(world, calls[0], captured, group);
        plugin.stop(group);
        books.add("allreduce", calls[0].count * 4);
    }
    if (version >= 6) {
        plugin.stop(world.ceColl(calls[0], nullptr));
        books.add("allreduce", calls[0].count * 4);
    }
    world.end();
}

/// What NCCL promises never to do, and some releases did.
void malformed()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const noise[] = {nullptr,
                           reinterpret_cast<void*>(1),
                           reinterpret_cast<void*>(~std::uintptr_t{0}),
                           reinterpret_cast<void*>(0x123456789abcdef0),
                           &books,
                           world.context()};
    for (void* const handle : noise) {
        plugin.stop(handle);
        for (int state = -1; state < 40; ++state) plugin.state(handle, state, nullptr);
        world.stepState(handle, 9, 1);
    }
    void* const group = world.group();
    void* const handle = world.coll(calls[0], nullptr, group);
    plugin.state(handle, 23, nullptr);  // group states with no arguments
    plugin.state(handle, 12'345, &books);
    plugin.stop(handle);
    plugin.stop(handle);
    plugin.stop(group);
    plugin.stop(group);
    books.add("allreduce", calls[0].count * 4);
    world.stepState(handle, 9, 55);  // after its end
    for (std::uint64_t type : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{128}, std::uint64_t{255}}) {
        Descriptor unknown(version, type, handle, rank);
        plugin.stop(plugin.start(world.context(), unknown));
    }
    void* const op = world.proxyOp(handle, true, 2, getpid());
    for (int number = 0; number < 100; ++number) world.stepState(world.step(op, number), 9, 10);  // started, never stopped
    books.sent += version >= 4 ? 100 * 10 : 0;
    plugin.stop(op);
    plugin.stop(op);
    void* const late = world.step(op, 5);  // its operation has ended
    world.stepState(late, 9, 1'000'000);
    plugin.stop(late);
    for (void* const parent : noise) world.proxy(parent, true, 2, 1, 7, getpid(), books);
    world.proxy(handle, true, 2, 1, 11, getpid() + 1, books);  // works for another process
    world.end();
    // NCCL goes on with a communicator that has ended, or that was never one.
    void* const contexts[] = {world.context(), nullptr, reinterpret_cast<void*>(0x1111), &books};
    for (void* const context : contexts) {
        Descriptor event(version, fake_nccl::group, nullptr, rank);
        plugin.stop(plugin.start(context, event));
        plugin.finalize(context);
    }
}

void generations()
{
    for (int generation = 0; generation < 5; ++generation) {
        const Plugin plugin(version);  // loaded, and unloaded with the last communicator
        Communicator world(plugin, worldHash + static_cast<std::uint64_t>(generation), ranks, rank);
        for (int i = 0; i < 10; ++i) {
            void* const group = world.group();
            playCollective(world, calls[0], nullptr, group);
            plugin.stop(group);
            books.add("allreduce", calls[0].count * 4);
        }
        world.end();
    }
}

void threads()
{
    const Plugin plugin(version);
    std::vector<std::thread> all;
    for (int thread = 0; thread < 8; ++thread)
        all.emplace_back([&plugin, thread] {
            Communicator world(plugin, worldHash + static_cast<std::uint64_t>(thread), ranks, rank);
            for (int i = 0; i < 200; ++i) {
                void* const group = world.group();
                void* const handle = playCollective(world, calls[0], nullptr, group);
                plugin.stop(group);
                Books own;
                world.proxy(handle, true, 2, 2, 10, getpid(), own);
            }
            world.end();
        });
    for (std::thread& thread : all) thread.join();
    for (int i = 0; i < 1600; ++i) books.add("allreduce", calls[0].count * 4);
    books.sent = 1600 * 20, books.steps = 3200, books.proxies = 1600;
}

/// Two copies of NCCL, of different age, in one process.
void twoCopies()
{
    const int wanted = version;
    for (const int copy : {1, wanted}) {
        version = copy;
        const Plugin plugin(copy);
        Communicator world(plugin, worldHash + static_cast<std::uint64_t>(copy), ranks, rank);
        void* const group = world.group();
        playCollective(world, calls[0], nullptr, group);
        plugin.stop(group);
        books.add("allreduce", calls[0].count * 4);
        world.end();
    }
}

/// A peer that stalls: the same state at every poll. And a message of very many steps.
void flood()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const group = world.group();
    void* const handle = playCollective(world, calls[0], nullptr, group);
    plugin.stop(group);
    books.add("allreduce", calls[0].count * 4);
    void* const op = world.proxyOp(handle, true, 2, getpid());
    void* const step = world.step(op, 0);
    for (int poll = 0; poll < 1'000'000; ++poll) world.stepState(step, 20, 77'777);
    world.stepState(step, 9, 8);
    plugin.stop(step);
    plugin.stop(op);
    books.sent += 8, ++books.proxies, ++books.steps;
    world.proxy(handle, true, 2, 100'000, 524'288, getpid(), books);
    world.end();
}

/// More operations than there are places, by far, and more at once than there are.
void storm()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    for (int i = 0; i < 1'000'000; ++i) {
        void* const group = world.group();
        playCollective(world, calls[0], nullptr, group);
        plugin.stop(group);
    }
    std::vector<void*> open;
    for (int i = 0; i < 20'000; ++i) open.push_back(world.group());
    for (void* const group : open) plugin.stop(group);
    world.end();
}

/// The process ends while NCCL is busy: `how` it ends.
void busyEnd()
{
    auto* const plugin = new Plugin(version);
    auto* const world = new Communicator(*plugin, worldHash, ranks, rank);
    void* const group = world->group();
    static_cast<void>(world->coll(calls[0], nullptr, group));
    books.add("allreduce", calls[0].count * 4);
    void* const op = world->proxyOp(nullptr, true, 2, getpid());
    world->stepState(world->step(op, 0), 9, 640);
    books.sent = version >= 4 ? 640 : 0;
    std::thread([world] {  // a proxy thread that lives on
        for (;;) world->stepState(world->step(nullptr, 1), 9, 1);
    })
        .detach();
    books.write();
    std::exit(0);
}

/// The mask changes while things are under way: NCCL then leaves out parents, steps and replays, and stops again what has ended.
void masked()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const handle = playCollective(world, calls[0], nullptr, nullptr);  // on after its group began
    plugin.stop(world.proxyOp(handle, true, 2, getpid()));                   // off before its first step
    void* const orphan = world.step(nullptr, 0);                             // on after its operation began
    world.stepState(orphan, 9, 640);
    plugin.stop(orphan);
    void* const half = world.proxyOp(handle, true, 2, getpid());  // off after its first step's bytes were told
    world.stepState(world.step(half, 0), 9, 100);
    plugin.stop(half);
    books.sent = version >= 4 ? 100 : 0;  // before, bytes are told of the operation
    books.add("allreduce", calls[0].count * 4);
    if (version >= 5) {
        void* const outer = world.groupApi();
        void* const captured = world.collApi(outer, calls[0], true);
        plugin.stop(captured);
        plugin.stop(outer);
        void* const group = world.group(outer);  // of three replays the mask was on for one
        playCollective(world, calls[0], captured, group);
        plugin.stop(group);
        books.add("allreduce", calls[0].count * 4);
        plugin.stop(captured);  // 2.28 keeps the handle of a call, and stops it once more after a change
    }
    world.end();
}

/// A communicator is given up with a collective and its message open; another one goes on.
void aborted()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const group = world.group();
    void* const handle = world.coll(calls[0], nullptr, group);
    world.stepState(world.step(world.proxyOp(handle, true, 2, getpid()), 0), 9, 640);
    world.end();
    books.sent = version >= 4 ? 640 : 0;
    Communicator next(plugin, worldHash + 1, ranks, rank);
    void* const later = next.group();
    playCollective(next, calls[0], nullptr, later);
    plugin.stop(later);
    next.end();
    for (int i = 0; i < 2; ++i) books.add("allreduce", calls[0].count * 4);
}

/// SIGKILL inside a call of NCCL: the books are of what had ended.
void killed()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    for (int i = 0; i < 100; ++i) {
        void* const group = world.group();
        playCollective(world, calls[0], nullptr, group);
        plugin.stop(group);
        books.add("allreduce", calls[0].count * 4);
    }
    static_cast<void>(world.coll(calls[0], nullptr, world.group()));
    books.write();
    static_cast<void>(raise(SIGKILL));
}

/// A child of fork has the parent's numbers and none of its events; it makes a communicator of its own.
void forked()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    const auto play = [&plugin](Communicator& on) {
        void* const group = on.group();
        void* const handle = playCollective(on, calls[0], nullptr, group);
        plugin.stop(group);
        return handle;
    };
    void* const group = world.group();
    void* const open = world.coll(calls[0], nullptr, group);
    const pid_t child = fork();
    if (child == 0) {
        plugin.stop(open);  // the parent's
        plugin.stop(group);
        Communicator own(plugin, worldHash + 1, 2, 0);
        play(own);
        play(own);
        own.end();
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    plugin.stop(open);
    plugin.stop(group);
    world.end();
    for (int i = 0; i < 3; ++i) books.add("allreduce", calls[0].count * 4);
    if (status != 0) std::exit(6);
}

/// A child of vfork shares all memory, and ends while the parent has operations open.
void vforked()
{
    const Plugin plugin(version);
    Communicator world(plugin, worldHash, ranks, rank);
    void* const group = world.group();
    void* const open = world.coll(calls[0], nullptr, group);
    if (vfork() == 0) _exit(0);
    plugin.stop(open);
    plugin.stop(group);
    world.end();
    books.add("allreduce", calls[0].count * 4);
}

/// What the plugin asks NCCL for: no events of kernels' channels, which crash some releases.
void asked()
{
    const Plugin plugin(version);
    const Communicator world(plugin, worldHash, ranks, rank);
    std::printf("%d\n", world.mask());
}

struct Script {
    const char* name;
    void (*play)();
};
const Script scripts[] = {{"steady", steady},    {"messages", messages}, {"alltoall", allToAll},   {"neighbours", neighbours},
                          {"fused", fused},      {"calls", callsAlone},  {"malformed", malformed}, {"generations", generations},
                          {"threads", threads},  {"copies", twoCopies},  {"flood", flood},         {"storm", storm},
                          {"busy-end", busyEnd}, {"fork", forked},       {"vfork", vforked},       {"asked", asked},
                          {"masked", masked},    {"aborted", aborted},   {"killed", killed}};

}  // namespace

int main(int count, char** words)
{
    if (count < 3) return std::fputs("fake_nccl_events SCRIPT VERSION [RANKS RANK]\n", stderr), 2;
    version = std::atoi(words[2]);
    if (count >= 5) ranks = std::atoi(words[3]), rank = std::atoi(words[4]);
    for (const Script& script : scripts) {
        if (std::string(script.name) != words[1]) continue;
        script.play();
        books.write();
        return 0;
    }
    std::fprintf(stderr, "no script %s\n", words[1]);
    return 2;
}
