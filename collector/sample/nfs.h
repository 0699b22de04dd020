// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/mountstats.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// The NFS mounts that this process sees, each superblock once. Reads /proc/self only: touching a path of a mount whose
/// server is gone would hang.
class NfsSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    /// What one record of the mountstats text is; records come in the same order until something is mounted.
    struct Record {
        std::uint64_t identity = 0;  ///< hash of device and path: another one here means the table is out of date
        std::uint64_t superblock = 0;
        std::uint64_t path = 0;
        Source* source = nullptr;  ///< nullptr: another mount of a superblock that is sampled already
    };
    void learn(const Pass& pass, std::string_view text);
    void addRecord(const Pass& pass, const NfsMount& mount, std::string_view superblock);
    [[nodiscard]] bool putAll(const Pass& pass, const FileReading& reading);
    static void put(const Pass& pass, Ticks at, Source& source, const NfsMount& mount);

    static constexpr std::size_t mostRecords = 1024;
    RereadFile m_stats, m_info;
    Scratch m_infoText;
    std::array<Record, mostRecords> m_records{};
    std::size_t m_count = 0;
    Nanos m_lookedNs = 0;
    bool m_announced = false;
};

}  // namespace flowgauge::sample
