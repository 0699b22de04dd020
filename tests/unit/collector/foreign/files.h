// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/import.h"
#include "collector/store/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <filesystem>
#include <fstream>
#include <string>

namespace flowgauge::foreign {

/// A folder of its own for files that a test writes and imports.
class ForeignFiles : public testing::Test {
protected:
    ForeignFiles() : folder(std::filesystem::temp_directory_path() / ("flowgauge-foreign-" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }
    ~ForeignFiles() override { std::filesystem::remove_all(folder); }

    std::filesystem::path text(const std::string& name, const std::string& content) const
    {
        std::ofstream(folder / name, std::ios::binary) << content;
        return folder / name;
    }
    std::filesystem::path gzip(const std::string& name, const std::string& content) const
    {
        gzFile file = ::gzopen((folder / name).c_str(), "wb");
        ::gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
        ::gzclose(file);
        return folder / name;
    }
    /// Imports into a new run.
    store::RunStore import(const std::vector<std::filesystem::path>& files, const ImportOptions& options = {})
    {
        database = folder / ("run" + std::to_string(++m_runs) + ".db");
        imported = importFiles(files, database, options, {});
        return store::RunStore::openForReading(database);
    }
    /// What importing says of a bad file; the run must not be there then.
    std::string refusal(const std::vector<std::filesystem::path>& files, const ImportOptions& options = {})
    {
        try {
            static_cast<void>(import(files, options));
        } catch (const std::exception& error) {
            EXPECT_FALSE(std::filesystem::exists(database));
            EXPECT_FALSE(std::filesystem::exists(database.string() + ".new"));
            return error.what();
        }
        return "(no refusal)";
    }

    std::filesystem::path folder, database;
    std::vector<ImportedFile> imported;

private:
    int m_runs = 0;
};

/// All events of a kind, track by track.
inline std::vector<store::StoredEvent> eventsOf(store::RunStore& store, Kind kind)
{
    std::vector<store::StoredEvent> all;
    store.scan({{kind}, {}, {}}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        all.insert(all.end(), events.begin(), events.end());
        return true;
    });
    return all;
}

/// "what state amount" of each line of the ledger, sorted.
inline std::vector<std::string> ledgerOf(store::RunStore& store)
{
    std::vector<std::string> lines;
    store::Statement row = store.database().prepare("SELECT what, state, amount FROM ledger ORDER BY what, state");
    while (row.step()) lines.push_back(row.text(0) + " " + row.text(1) + " " + std::to_string(row.integer(2)));
    return lines;
}

}  // namespace flowgauge::foreign
