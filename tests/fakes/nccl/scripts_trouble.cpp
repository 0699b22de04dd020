// SPDX-License-Identifier: MIT
#include "tests/fakes/nccl/scripts.h"

#include <unistd.h>
#include <cstdint>
#include <memory>
#include <vector>

namespace fake_nccl::scripts {
namespace {

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

}  // namespace

const Script trouble[5] = {{"malformed", malformed}, {"flood", flood}, {"storm", storm}, {"masked", masked}, {"aborted", aborted}};

}  // namespace fake_nccl::scripts
