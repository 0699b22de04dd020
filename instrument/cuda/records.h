// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/cuda/abi.h"

#include <array>
#include <cstring>

namespace flowgauge::cuda {

/// Where a field lies in its record, and how wide it is in bytes.
struct Field {
    std::uint32_t offset, width;
};

/// The fields, as field::Kernel::start.
namespace field {
#define FLOWGAUGE_RECORD(record, least)
#define FLOWGAUGE_FIELD(record, name, offset, width) \
    namespace record {                               \
    inline constexpr Field name{offset, width};      \
    }
#include "instrument/cuda/records.def"
#undef FLOWGAUGE_RECORD
#undef FLOWGAUGE_FIELD
}  // namespace field

/// A record of which this library has `stride` bytes. A field beyond them reads as 0, never as what lies behind the record.
class Record {
public:
    Record(const std::uint8_t* at, std::uint32_t stride) : m_at(at), m_stride(stride) {}

    [[nodiscard]] Activity kind() const { return static_cast<Activity>(read({0, 4})); }
    [[nodiscard]] std::uint64_t read(Field field) const
    {
        std::uint64_t value = 0;  // little-endian machines only, as CUPTI itself
        if (field.offset + field.width <= m_stride) std::memcpy(&value, m_at + field.offset, field.width);
        return value;
    }

private:
    const std::uint8_t* m_at;
    std::uint32_t m_stride;
};

/// Bytes between records of each kind in this library; 0: the kind is unknown to it, or shorter than what we understand.
class Strides {
public:
    [[nodiscard]] std::uint32_t of(Activity kind) const
    {
        const auto number = static_cast<std::uint32_t>(kind);
        return number < m_bytes.size() ? m_bytes[number] : 0;
    }
    void set(Activity kind, std::uint32_t bytes) { m_bytes[static_cast<std::size_t>(kind)] = bytes; }

private:
    std::array<std::uint32_t, 64> m_bytes{};
};

using NextRecord = Status (*)(std::uint8_t* buffer, std::size_t validBytes, std::uint8_t** record);

/// The kinds that are understood.
inline constexpr std::array knownActivities{
    Activity::Memcpy,   Activity::Memset,     Activity::Kernel,          Activity::Driver,           Activity::Runtime,
    Activity::Overhead, Activity::MemcpyPeer, Activity::Synchronization, Activity::ConcurrentKernel, Activity::GraphTrace};

/// Asks the library's own walker how far apart two records of a kind lie: it works without a driver, and in every version.
/// Under 1 ms. Not for two threads at once.
[[nodiscard]] Strides probeStrides(NextRecord next);

/// Hands each record of a buffer to `each`. False when the walker met a kind that it does not know: what follows is unreadable.
/// `validBytes` beyond the buffer's own size is cut.
template <typename Each>
bool walkRecords(NextRecord next, std::uint8_t* buffer, std::size_t validBytes, Each each)
{
    std::uint8_t* record = nullptr;
    for (;;) {
        const Status status = next(buffer, validBytes, &record);
        if (status != statusSuccess) return status == statusMaxLimit;
        each(record);
    }
}

}  // namespace flowgauge::cuda
