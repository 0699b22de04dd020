// SPDX-License-Identifier: MIT
#include "analyzer/open/open_run.h"

#include "collector/foreign/import.h"
#include "collector/ingest/ingest.h"
#include "collector/record/error.h"

namespace flowgauge::open {
namespace {

namespace fs = std::filesystem;

struct Place {
    fs::path folder, database;
};

Place placeOf(const fs::path& path)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (status.type() == fs::file_type::not_found)
        throw Error(path.string(), "there is no such run; `flowgauge run -o ", path.string(), " -- ...` makes one");
    if (fs::is_directory(status)) return {path, path / "run.db"};
    if (fs::is_regular_file(status)) return {path.has_parent_path() ? path.parent_path() : fs::path("."), path};
    throw Error(path.string(), "neither a run's directory nor a run.db (or this user may not look into it)");
}

/// Refuses a file that is not ours before anything is written to it.
void checkDatabase(const fs::path& database)
{
    if (fs::is_regular_file(database) && fs::file_size(database) > 0 && foreign::formatOf(database) == foreign::Format::ChromeTrace)
        throw Error(database.string(), "is a trace of another tool; `flowgauge import ", database.string(), " -o run1` makes a run of it");
    if (fs::exists(database)) static_cast<void>(store::RunStore::openForReading(database));
}

/// Returns whether everything that belongs to the run was there and good.
bool storeSpools(const Place& place, const Progress& progress, std::vector<std::string>& warnings)
{
    const ingest::SpoolFolders spools = ingest::findSpoolFolders(place.folder);
    for (const std::string& host : spools.missing)
        warnings.push_back("spools of host " + host + " are not here yet: run `flowgauge collect " + place.folder.string() + "` on it");
    if (spools.found.empty()) return spools.missing.empty();
    ingest::Summary summary = ingest::ingest(place.folder, spools.found, progress);
    warnings.insert(warnings.end(), summary.warnings.begin(), summary.warnings.end());
    if (summary.running > 0)
        warnings.push_back(std::to_string(summary.running) + " processes are still running: what follows is the run so far");
    return spools.missing.empty() && summary.warnings.empty();
}

}  // namespace

std::string nameOfRun(const std::filesystem::path& path)
{
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(fs::is_directory(path, ignored) ? path / "run.db" : path, ignored);
    const std::string file = whole.stem().string();
    return file == "run" && whole.has_parent_path() ? whole.parent_path().filename().string() : file;
}

OpenedRun openRun(const std::filesystem::path& path, const Progress& progress)
{
    const Place place = placeOf(path);
    std::vector<std::string> warnings;
    checkDatabase(place.database);
    bool whole = true;
    const bool ownDatabase = place.database.filename() == "run.db";
    if (ownDatabase) {
        try {
            whole = storeSpools(place, progress, warnings);
        } catch (const Error& error) {
            if (!fs::exists(place.database)) throw;
            warnings.push_back(std::string(error.what()) + " (shown is what was stored before)");
        }
    }
    if (!fs::exists(place.database))
        throw Error(path.string(), "no recording in it: neither a run.db nor spools were found",
                    warnings.empty() ? std::string() : "; " + warnings.front());
    return {place.database, nameOfRun(place.database), store::RunStore::openForReading(place.database), whole, std::move(warnings)};
}

}  // namespace flowgauge::open
