// SPDX-License-Identifier: MIT
#include "analyzer/facts/visit_collector.h"

#include <algorithm>

namespace flowgauge::facts {

void VisitCollector::beginTrack(std::int64_t process)
{
    ++m_track;
    m_process = process;
}

VisitBuilder& VisitCollector::builderOf(std::int64_t file)
{
    const auto [at, isNew] = m_folderOf.try_emplace(file);
    if (isNew) {
        const std::string path = m_store.nameText(file);
        const std::size_t slash = path.rfind('/');
        at->second = &m_folders[path.substr(0, slash == std::string::npos ? 0 : slash)];
    }
    Folder& folder = *at->second;
    if (folder.track != m_track) folder.builders.emplace_back(m_process, m_sample);
    folder.track = m_track;
    return folder.builders.back();
}

void VisitCollector::read(std::int64_t file, Interval when, std::int64_t offset, std::int64_t bytes)
{
    VisitBuilder& builder = builderOf(file);
    const std::size_t before = builder.size();
    builder.read(file, when, offset, bytes);
    m_visits += builder.size() - before;
    if (m_visits > m_most) thin();
}

void VisitCollector::thin()
{
    constexpr unsigned fewest = 40;  // each track keeps its first visit, however many tracks there are
    for (; m_visits > m_most / 2 && m_sample.halvings < fewest;) {
        ++m_sample.halvings;
        m_visits = 0;
        for (auto& [name, folder] : m_folders)
            for (VisitBuilder& builder : folder.builders) {
                builder.thin(m_sample);
                m_visits += builder.size();
            }
    }
}

std::vector<Visit> VisitCollector::takeMainDataSet()
{
    Folder* most = nullptr;
    std::size_t largest = 0;
    for (auto& [name, folder] : m_folders) {
        std::size_t visits = 0;
        for (const VisitBuilder& builder : folder.builders) visits += builder.size();
        if (visits <= largest) continue;
        most = &folder;
        largest = visits;
    }
    std::vector<Visit> all;
    if (most == nullptr) return all;
    for (VisitBuilder& builder : most->builders) {
        const std::vector<Visit> visits = builder.take();
        all.insert(all.end(), visits.begin(), visits.end());
    }
    m_folders.clear();
    m_folderOf.clear();
    return all;
}

}  // namespace flowgauge::facts
