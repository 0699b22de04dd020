// SPDX-License-Identifier: MIT
#include "instrument/mpi/requests.h"

#include <array>

namespace flowgauge::mpi::requests {

namespace {

enum State : std::uint32_t { stateFree, stateClaimed, stateOpen };

constexpr std::size_t perBucket = 16;
constexpr std::size_t buckets = capacity / perBucket;

/// A bucket's own requests that did not fit into it lie in the buckets behind; `away` counts them, so that a search for a handle
/// that is in no bucket ends at once in the common case.
struct Bucket {
    std::array<Request, perBucket> requests;
    std::atomic<std::uint32_t> away;
};
constinit std::array<Bucket, buckets> table{};

std::size_t homeOf(Word handle) { return static_cast<std::size_t>((handle * 0x9E3779B97F4A7C15ULL) >> 32) % buckets; }

Request* take(Bucket& bucket, std::uint32_t from)
{
    for (Request& request : bucket.requests) {
        std::uint32_t expected = from;
        if (request.state.load(std::memory_order_relaxed) == from &&
            request.state.compare_exchange_strong(expected, stateClaimed, std::memory_order_acquire))
            return &request;
    }
    return nullptr;
}

Request* takeOpen(Bucket& bucket, Word handle)
{
    for (Request& request : bucket.requests) {
        if (request.state.load(std::memory_order_acquire) != stateOpen || request.handle.load(std::memory_order_relaxed) != handle)
            continue;
        std::uint32_t expected = stateOpen;
        if (!request.state.compare_exchange_strong(expected, stateClaimed, std::memory_order_acquire)) continue;
        if (request.handle.load(std::memory_order_relaxed) == handle) return &request;
        release(&request);  // the place was given to another handle in between
    }
    return nullptr;
}

}  // namespace

Request* open(Word handle)
{
    const std::size_t home = homeOf(handle);
    for (std::size_t step = 0; step < buckets; ++step) {
        Request* const request = take(table[(home + step) % buckets], stateFree);
        if (request == nullptr) continue;
        request->handle.store(handle, std::memory_order_relaxed);
        if (step > 0) table[home].away.fetch_add(1, std::memory_order_relaxed);
        return request;
    }
    return nullptr;
}

Request* claim(Word handle)
{
    const std::size_t home = homeOf(handle);
    for (std::size_t step = 0; step < buckets; ++step) {
        if (Request* const request = takeOpen(table[(home + step) % buckets], handle)) return request;
        if (step == 0 && table[home].away.load(std::memory_order_relaxed) == 0) return nullptr;
    }
    return nullptr;
}

void release(Request* request) { request->state.store(stateOpen, std::memory_order_release); }

void close(Request* request)
{
    const std::size_t home = homeOf(request->handle.load(std::memory_order_relaxed));
    const std::size_t lies =
        static_cast<std::size_t>(reinterpret_cast<char*>(request) - reinterpret_cast<char*>(table.data())) / sizeof(Bucket);
    if (lies != home) table[home].away.fetch_sub(1, std::memory_order_relaxed);
    request->state.store(stateFree, std::memory_order_release);
}

void closeAll(void (*show)(const Request&))
{
    for (Bucket& bucket : table)
        while (Request* const request = take(bucket, stateOpen)) {
            show(*request);
            close(request);
        }
}

}  // namespace flowgauge::mpi::requests
