// SPDX-License-Identifier: MIT
#pragma once
#include "tests/fakes/nccl/profiler_layout.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

/// STAND-IN for NCCL, no NCCL: it loads the profiler plugin that the environment names, as NCCL does, and plays events to it.
namespace fake_nccl {

/// What the plugin was told, to be compared with what was recorded: kind -> calls and bytes, and bytes on the wire.
struct Books {
    std::map<std::string, std::array<std::uint64_t, 2>> kinds;
    std::uint64_t sent = 0, received = 0, steps = 0, proxies = 0;
    void add(const std::string& kind, std::uint64_t bytes);
    void write() const;  ///< as JSON to the file that FLOWGAUGE_LEDGER names
};

/// The plugin, loaded as one version of the interface; unloaded by its end.
class Plugin {
public:
    explicit Plugin(int version);
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    [[nodiscard]] void* init(std::uint64_t hash, const char* name, int ranks, int rank, int* mask) const;
    [[nodiscard]] void* start(void* context, Descriptor& event) const;
    void stop(void* handle) const { check(m_stop(handle)); }
    void state(void* handle, int number, void* args) const { check(m_state(handle, number, args)); }
    void finalize(void* context) const { check(m_finalize(context)); }
    [[nodiscard]] int version() const { return m_version; }

private:
    static void check(int result);
    int m_version;
    void* m_library;
    void* m_init;
    int (*m_start)(void*, void**, void*);
    int (*m_stop)(void*);
    int (*m_state)(void*, int, void*);
    int (*m_finalize)(void*);
};

/// One rank's communicator, and what happens on it.
class Communicator {
public:
    Communicator(const Plugin& plugin, std::uint64_t hash, int ranks, int rank);
    void end();

    struct Call {
        const char* func;
        int number;  ///< of v1
        std::size_t count;
        const char* type;
        int typeNumber;
        int root;
    };
    [[nodiscard]] void* group(void* parent = nullptr) const;
    [[nodiscard]] void* groupApi() const;
    [[nodiscard]] void* collApi(void* group, const Call& call, bool captured = false) const;
    [[nodiscard]] void* p2pApi(void* group, const char* func, std::size_t count) const;
    [[nodiscard]] void* coll(const Call& call, void* api, void* group);
    [[nodiscard]] void* p2p(bool send, int peer, std::size_t count, void* api, void* group);
    [[nodiscard]] void* ceColl(const Call& call, void* api);
    /// A proxy operation from start to stop, of `steps` steps of that many bytes.
    void proxy(void* parent, bool send, int peer, int steps, std::size_t bytes, int pid, Books& books);
    [[nodiscard]] void* proxyOp(void* parent, bool send, int peer, int pid) const;
    [[nodiscard]] void* step(void* op, int number) const;
    void stepState(void* step, int state, std::size_t bytes) const;

    [[nodiscard]] const Plugin& plugin() const { return m_plugin; }
    [[nodiscard]] void* context() const { return m_context; }
    [[nodiscard]] int mask() const { return m_mask; }
    [[nodiscard]] int ranks() const { return m_ranks; }
    [[nodiscard]] int rank() const { return m_rank; }

private:
    void sendStep(void* op, int number, std::size_t bytes) const;
    void receiveStep(void* op, int number, std::size_t bytes) const;
    const Plugin& m_plugin;
    std::uint64_t m_hash, m_sequence = 0;
    int m_ranks, m_rank, m_mask = 0;
    void* m_context = nullptr;
};

}  // namespace fake_nccl
