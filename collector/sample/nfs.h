// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/mountstats.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// The NFS mounts that this process sees, each superblock once, and their connections to servers, each server once. Reads
/// /proc and /sys only: touching a path of a mount whose server is gone would hang.
///
/// The kernel prints all mounts or none, at 20 to 30 us each: with thousands of them the sampler takes its time, so that it
/// uses a twentieth of a processor at most.
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
        std::uint64_t ageSeconds = 0;
        Source* source = nullptr;     ///< nullptr: another mount of a superblock that is sampled already
        Source* transport = nullptr;  ///< nullptr: another mount of a server whose connections are sampled already
    };
    void learn(const Pass& pass, std::string_view text);
    void addRecord(const Pass& pass, const NfsMount& mount, const MountInfo& info);
    [[nodiscard]] Source* sourceOf(const Pass& pass, const NfsMount& mount, const Record& record, std::string_view superblock);
    [[nodiscard]] Source* transportOf(const Pass& pass, const NfsMount& mount, const MountInfo& info);
    void describe(const Pass& pass, const NfsMount& mount, const MountInfo& info);
    void tellDetached(const Pass& pass);
    [[nodiscard]] bool putAll(const Pass& pass, const FileReading& reading);
    [[nodiscard]] static bool wasMountedAnew(Record& record, const NfsMount& mount);

    static constexpr std::size_t mostRecords = 8192, mostDescribed = 64;
    RereadFile m_stats, m_info;
    Scratch m_infoText;
    Record* m_records = nullptr;  ///< mapped when there is an NFS mount
    std::size_t m_count = 0;
    std::size_t m_described = 0;
    Nanos m_dueNs = 0;
    bool m_announced = false, m_toldMany = false, m_toldDetached = false;
};

}  // namespace flowgauge::sample
