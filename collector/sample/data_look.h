// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/data_files.h"
#include "collector/sample/data_mounts.h"
#include "collector/sample/data_round.h"

#include <atomic>

namespace flowgauge::sample {

/// Looks at the files of the table, and at first at those beside them. For one thread that nobody waits for: an open may hang with its
/// file server.
class DataLook {
public:
    /// stop: not 0 ends a round early.
    DataLook(const SysRoot& root, const std::atomic<std::uint32_t>& stop) : m_root(root), m_stop(&stop) {}
    DataLook(const DataLook&) = delete;
    DataLook& operator=(const DataLook&) = delete;
    ~DataLook() { release(); }

    /// Maps its memory (some 600 KiB, touched as needed).
    [[nodiscard]] bool create();
    void release();
    /// Reads the table of a spool folder. False while it is empty.
    bool readTable(std::string_view folder);
    /// One round over the table's files. Of those on network mounts at most 64 are looked at.
    [[nodiscard]] DataRound round();
    /// A round over files that lie in the folders of the table's files and are not in it: nobody has read them yet. How many there are
    /// in `found`.
    [[nodiscard]] DataRound roundBeside(double& found);
    [[nodiscard]] double filesInAll() const { return m_files.filesInAll(); }

    void setRules(const LookRules& rules) { m_rules = rules; }

private:
    struct Known {
        std::uint64_t hash = 0;
        MountRules rules;
    };
    [[nodiscard]] MountRules rulesOfPlace(std::size_t place, const DataFile& file);
    [[nodiscard]] FileLook look(const DataFile& file, const MountRules& rules) const;
    void addBeside(const DataFile& file);
    [[nodiscard]] bool isFolderKnown(std::size_t place) const;
    [[nodiscard]] static bool isAmongFirst(const DataFiles& files, std::uint64_t hash);
    [[nodiscard]] bool isStopped() const { return m_stop->load(std::memory_order_acquire) != 0; }

    static constexpr std::size_t mostNetworkFiles = 64;
    const SysRoot& m_root;
    const std::atomic<std::uint32_t>* m_stop;
    LookRules m_rules;
    DataFiles m_files, m_beside;
    Known* m_known = nullptr;  ///< by the place in the table
    Scratch m_scratch;
    std::uint64_t m_turn = 0;
};

}  // namespace flowgauge::sample
