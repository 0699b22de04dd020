// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/memory.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// What one file of a parallel file system's client says, in bytes since it was mounted, or since somebody cleared it.
struct FileSystemNumbers {
    MaybeNumber asked, askedWrites;  ///< by calls of programs, hits of the client's cache included
    MaybeNumber fetched, sent;       ///< from and to servers
};

/// llite.*.stats of Lustre: "read_bytes  34 samples [bytes] 0 59 1003" with count, least, most and sum; newer versions add the sum of
/// squares. A counter without a sample has no line, as after `stats=clear`: 0. One without a sum is not known.
[[nodiscard]] FileSystemNumbers parseLustreClient(std::string_view text);
/// osc.*.stats of Lustre, a file for each storage target: the same lines for what went over the wire.
[[nodiscard]] FileSystemNumbers parseLustreTarget(std::string_view text);
/// metrics/size of CephFS: "read  5  4194304  4194304  4194304  20971520" with count, mean, least, most and sum of what its client
/// asked of storage daemons (fs/ceph/debugfs.c, addr.c).
[[nodiscard]] FileSystemNumbers parseCephSizes(std::string_view text);

/// Clients of Lustre and CephFS, where their statistics can be read; of other parallel file systems that are mounted, the ledger says what
/// to run instead. Reads /proc and /sys only. About once a second, and a twentieth of a processor at most: a Lustre has hundreds of
/// targets.
class FileSystemSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    /// A client that was found, by the name of its folder.
    struct Client {
        std::uint64_t folder = 0;
        Source* source = nullptr;
    };
    void sampleFolder(const Pass& pass, const struct ClientFolder& kind);
    [[nodiscard]] Source* sourceOf(const Pass& pass, std::string_view type, std::string_view instance);

    static constexpr std::size_t mostClients = 16;
    std::array<Client, mostClients> m_clients{};
    std::size_t m_count = 0;
    Nanos m_dueNs = 0;
};

}  // namespace flowgauge::sample
