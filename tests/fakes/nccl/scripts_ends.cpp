// SPDX-License-Identifier: MIT
#include "tests/fakes/nccl/scripts.h"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace fake_nccl::scripts {
namespace {

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

}  // namespace

const Script ends[4] = {{"busy-end", busyEnd}, {"killed", killed}, {"fork", forked}, {"vfork", vforked}};

}  // namespace fake_nccl::scripts
