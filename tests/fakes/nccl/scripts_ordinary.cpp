// SPDX-License-Identifier: MIT
#include "tests/fakes/nccl/scripts.h"

#include <unistd.h>
#include <cstdio>
#include <iterator>
#include <thread>
#include <vector>

namespace fake_nccl::scripts {
namespace {

std::uint64_t elementBytes(const Call& call) { return call.typeNumber == 0 || call.typeNumber == 11 ? 1 : call.typeNumber == 9 ? 2 : 4; }

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

/// What the plugin asks NCCL for: no events of kernels' channels, which crash some releases.
void asked()
{
    const Plugin plugin(version);
    const Communicator world(plugin, worldHash, ranks, rank);
    std::printf("%d\n", world.mask());
}

}  // namespace

const Script ordinary[10] = {{"steady", steady},    {"messages", messages}, {"alltoall", allToAll},       {"neighbours", neighbours},
                             {"fused", fused},      {"calls", callsAlone},  {"generations", generations}, {"threads", threads},
                             {"copies", twoCopies}, {"asked", asked}};

}  // namespace fake_nccl::scripts
