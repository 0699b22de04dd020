// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epoch_coverage.h"
#include "collector/store/run_store.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace flowgauge::facts {

/// One rank's visits, by folder. Where there are too many to keep, fewer places are looked at: borders of epochs are then late by up to
/// that many visits, and sums of reads by what lies between.
class VisitCollector {
public:
    static constexpr std::size_t mostVisits = std::size_t{1} << 19U;  ///< with what finding epochs needs: 100 MB

    explicit VisitCollector(store::RunStore& store, std::size_t most = mostVisits) : m_store(store), m_most(most) {}
    void beginTrack(std::int64_t process);  ///< its reads follow, in order of begin
    void open(std::int64_t file) { builderOf(file).open(file); }
    void read(std::int64_t file, Interval when, std::int64_t offset, std::int64_t bytes);
    /// Those of the data set that has most of them: validation files and the like live in other folders.
    [[nodiscard]] std::vector<Visit> takeMainDataSet();
    [[nodiscard]] std::int64_t everyPlace() const { return std::int64_t{1} << m_sample.halvings; }

private:
    struct Folder {
        std::size_t track = 0;  ///< of the last builder, counted from 1
        std::vector<VisitBuilder> builders;
    };
    [[nodiscard]] VisitBuilder& builderOf(std::int64_t file);
    void thin();

    store::RunStore& m_store;
    std::size_t m_most;
    PlaceSample m_sample;
    std::size_t m_track = 0, m_visits = 0;
    std::int64_t m_process = 0;
    std::unordered_map<std::string, Folder> m_folders;
    std::unordered_map<std::int64_t, Folder*> m_folderOf;  ///< by file
};

}  // namespace flowgauge::facts
