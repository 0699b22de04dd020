// SPDX-License-Identifier: MIT
#include "tests/fakes/nccl/profiler_driver.h"

#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>

namespace fake_nccl {

void Books::add(const std::string& kind, std::uint64_t bytes)
{
    auto& sums = kinds[kind];
    ++sums[0];
    sums[1] += bytes;
}

void Books::write() const
{
    const char* const path = std::getenv("FLOWGAUGE_LEDGER");
    std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, R"({"sent": %llu, "received": %llu, "steps": %llu, "proxies": %llu, "kinds": {)",
                 static_cast<unsigned long long>(sent), static_cast<unsigned long long>(received), static_cast<unsigned long long>(steps),
                 static_cast<unsigned long long>(proxies));
    const char* before = "";
    for (const auto& [kind, sums] : kinds) {
        std::fprintf(file, "%s\"%s\": [%llu, %llu]", before, kind.c_str(), static_cast<unsigned long long>(sums[0]),
                     static_cast<unsigned long long>(sums[1]));
        before = ", ";
    }
    std::fputs("}}\n", file);
    std::fclose(file);
}

Plugin::Plugin(int version) : m_version(version)
{
    const char* const name = std::getenv("NCCL_PROFILER_PLUGIN");
    m_library = dlopen(name != nullptr ? name : "libnccl-profiler.so", RTLD_NOW | RTLD_LOCAL);
    const std::string symbol = "ncclProfiler_v" + std::to_string(version);
    void** const table = m_library != nullptr ? static_cast<void**>(dlsym(m_library, symbol.c_str())) : nullptr;
    if (table == nullptr) {
        std::fprintf(stderr, "no %s in %s\n", symbol.c_str(), name != nullptr ? name : "libnccl-profiler.so");
        std::exit(3);
    }
    m_init = table[1];
    m_start = reinterpret_cast<int (*)(void*, void**, void*)>(table[2]);
    m_stop = reinterpret_cast<int (*)(void*)>(table[3]);
    m_state = reinterpret_cast<int (*)(void*, int, void*)>(table[4]);
    m_finalize = reinterpret_cast<int (*)(void*)>(table[5]);
}

Plugin::~Plugin() { dlclose(m_library); }

void Plugin::check(int result)
{
    if (result == 0) return;
    std::fprintf(stderr, "the plugin failed: %d\n", result);
    std::exit(4);
}

void* Plugin::init(std::uint64_t hash, const char* name, int ranks, int rank, int* mask) const
{
    void* context = nullptr;
    const int nodes = 2;
    if (m_version <= 3)
        check(reinterpret_cast<int (*)(void**, int*)>(m_init)(&context, mask));
    else if (m_version == 4)
        check(reinterpret_cast<int (*)(void**, int*, const char*, std::uint64_t, int, int, int, void*)>(m_init)(
            &context, mask, name, hash, nodes, ranks, rank, nullptr));
    else
        check(reinterpret_cast<int (*)(void**, std::uint64_t, int*, const char*, int, int, int, void*)>(m_init)(
            &context, hash, mask, name, nodes, ranks, rank, nullptr));
    if (context == nullptr) {
        std::fputs("init left the context NULL\n", stderr);
        std::exit(4);
    }
    return context;
}

void* Plugin::start(void* context, Descriptor& event) const
{
    void* handle = nullptr;
    check(m_start(context, &handle, event.bytes()));
    if (handle == nullptr) {
        std::fputs("startEvent left the handle NULL: children of it would be suppressed\n", stderr);
        std::exit(4);
    }
    return handle;
}

Communicator::Communicator(const Plugin& plugin, std::uint64_t hash, int ranks, int rank)
    : m_plugin(plugin), m_hash(hash), m_ranks(ranks), m_rank(rank)
{
    m_context = plugin.init(hash, "world", ranks, rank, &m_mask);
}

void Communicator::end() { m_plugin.finalize(m_context); }

void* Communicator::group(void* parent) const
{
    Descriptor event(m_plugin.version(), fake_nccl::group, parent, m_rank);
    return m_plugin.start(m_context, event);
}

void* Communicator::groupApi() const
{
    Descriptor event(m_plugin.version(), fake_nccl::groupApi, nullptr, m_rank);
    event.put(24, false);
    event.put(28, 1);
    return m_plugin.start(m_context, event);
}

void* Communicator::collApi(void* group, const Call& call, bool captured) const
{
    Descriptor event(m_plugin.version(), fake_nccl::collApi, group, m_rank);
    event.put(24, call.func);
    event.put(32, call.count);
    event.put(40, call.type);
    event.put(48, call.root);
    event.put(56, static_cast<void*>(nullptr));
    event.put(64, captured);
    return m_plugin.start(m_context, event);
}

void* Communicator::p2pApi(void* group, const char* func, std::size_t count) const
{
    Descriptor event(m_plugin.version(), fake_nccl::p2pApi, group, m_rank);
    event.put(24, func);
    event.put(32, count);
    event.put(40, "ncclFloat32");
    event.put(48, static_cast<void*>(nullptr));
    event.put(56, false);
    return m_plugin.start(m_context, event);
}

void* Communicator::coll(const Call& call, void* api, void* group)
{
    const bool nested = m_plugin.version() >= 5;
    Descriptor event(m_plugin.version(), fake_nccl::coll, nested ? api : group, m_rank);
    const Layout& at = event.at();
    event.put(at.collName, "world");
    event.put(at.collHash, m_hash);
    event.put(at.collSeq, m_sequence++);
    event.word(at.collFunc, call.func, call.number);
    event.put(at.collCount, call.count);
    event.put(at.collRoot, call.root);
    event.word(at.collType, call.type, call.typeNumber);
    event.put(at.collChannels, static_cast<std::uint8_t>(12));
    event.word(at.collAlgo, "RING", 1);
    event.word(at.collProto, "SIMPLE", 2);
    event.put(at.collGroup, group);
    return m_plugin.start(m_context, event);
}

void* Communicator::p2p(bool send, int peer, std::size_t count, void* api, void* group)
{
    const bool nested = m_plugin.version() >= 5;
    Descriptor event(m_plugin.version(), fake_nccl::p2p, nested ? api : group, m_rank);
    const Layout& at = event.at();
    event.put(at.p2pName, "world");
    event.put(at.p2pHash, m_hash);
    event.word(at.p2pFunc, send ? "Send" : "Recv", send ? 6 : 7);
    event.word(at.p2pType, "ncclFloat32", 7);
    event.put(at.p2pCount, count);
    event.put(at.p2pPeer, peer);
    event.put(at.p2pChannels, static_cast<std::uint8_t>(4));
    event.put(at.p2pGroup, group);
    return m_plugin.start(m_context, event);
}

void* Communicator::ceColl(const Call& call, void* api)
{
    Descriptor event(m_plugin.version(), fake_nccl::ceColl, api, m_rank);
    event.put(24, m_sequence++);
    event.put(32, call.func);
    event.put(56, call.count);
    event.put(64, call.root);
    event.put(72, call.type);
    event.put(80, "MC");
    return m_plugin.start(m_context, event);
}

void* Communicator::proxyOp(void* parent, bool send, int peer, int pid) const
{
    Descriptor event(m_plugin.version(), fake_nccl::proxyOp, parent, m_rank);
    event.put(24, pid);
    event.put(28, static_cast<std::uint8_t>(3));
    event.put(32, peer);
    event.put(36, 4);
    event.put(40, 1 << 19);
    event.put(44, send ? 1 : 0);
    return m_plugin.start(m_context, event);
}

void* Communicator::step(void* op, int number) const
{
    Descriptor event(m_plugin.version(), fake_nccl::proxyStep, op, m_rank);
    event.put(24, number);
    return m_plugin.start(m_context, event);
}

void Communicator::stepState(void* step, int state, std::size_t bytes) const
{
    struct {
        std::size_t bytes;
        int steps;
    } args{bytes, 1};
    m_plugin.state(step, state, &args);
}

// From v4 on a step's bytes are told in two of its states and are stale in the others.
void Communicator::sendStep(void* op, int number, std::size_t bytes) const
{
    void* const handle = step(op, number);
    const bool late = m_plugin.version() >= 4;
    stepState(handle, 8, 77'777);
    if (late) stepState(handle, 20, 77'777);
    if (late) stepState(handle, 20, 77'777);
    stepState(handle, 9, late ? bytes : 0);
    m_plugin.stop(handle);
}

void Communicator::receiveStep(void* op, int number, std::size_t bytes) const
{
    void* const handle = step(op, number);
    stepState(handle, 10, 77'777);
    stepState(handle, 11, m_plugin.version() >= 4 ? bytes : 0);
    stepState(handle, 12, 77'777);
    m_plugin.stop(handle);
}

void Communicator::proxy(void* parent, bool send, int peer, int steps, std::size_t bytes, int pid, Books& books)
{
    void* const op = proxyOp(parent, send, peer, pid);
    for (int number = 0; number < steps; ++number) {
        if (send)
            sendStep(op, number, bytes);
        else
            receiveStep(op, number, bytes);
        // Before v4 an operation's bytes are told as a running sum.
        if (m_plugin.version() <= 3) stepState(op, send ? 3 : 7, bytes * static_cast<std::size_t>(number + 1));
    }
    m_plugin.stop(op);
    (send ? books.sent : books.received) += bytes * static_cast<std::size_t>(steps);
    books.steps += static_cast<std::uint64_t>(steps);
    ++books.proxies;
}

}  // namespace fake_nccl
