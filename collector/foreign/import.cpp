// SPDX-License-Identifier: MIT
#include "collector/foreign/import.h"

#include "collector/foreign/import_context.h"
#include "collector/foreign/text_source.h"
#include "collector/foreign/trace_clock.h"
#include "collector/record/error.h"
#include "collector/store/draft.h"
#include "collector/store/ingest_rows.h"

#include <algorithm>
#include <string_view>

namespace flowgauge::foreign {
namespace {

namespace fs = std::filesystem;

/// A file with what has to be known before any is read: all of them share one zero.
struct Source {
    fs::path file;
    Format format;
    TraceClock clock;
};

/// The share of the work that lies before the reading proper, and that of the end.
constexpr double clockShare = 0.1;
constexpr double readShare = 0.8;

Progress part(const Progress& whole, double from, double length)
{
    return [whole, from, length](double share) { return !whole || whole(from + length * share); };
}

Source sourceOf(const fs::path& file, const Progress& progress)
{
    const auto format = formatOf(file);
    if (!format)
        throw Error(file.string(),
                    "neither a Chrome trace (JSON, plain or gzip) nor an SQLite export of Nsight Systems; `nsys export -t sqlite` "
                    "makes one of an .nsys-rep");
    if (*format == Format::ChromeTrace) return {file, *format, clockOf(file, progress)};
    return {file, *format, {0, nsightStart(file)}};
}

ImportedFile importOne(ImportContext& context, const Source& source, std::optional<std::int64_t> rank, const Progress& progress)
{
    store::Transaction transaction(context.store.database());
    ImportedFile imported = source.format == Format::ChromeTrace ? importKineto(context, source.file, rank, source.clock.baseNs, progress)
                                                                 : importNsight(context, source.file, rank, progress);
    putAbsences(context, imported.format);
    transaction.commit();
    return imported;
}

std::optional<Nanos> firstOf(const std::vector<Source>& sources)
{
    std::optional<Nanos> first;
    for (const Source& source : sources)
        if (source.clock.firstNs && (!first || *source.clock.firstNs < *first)) first = source.clock.firstNs;
    return first;
}

}  // namespace

std::optional<Format> formatOf(const fs::path& file)
{
    if (!fs::exists(file)) throw Error(file.string(), "no such file");
    TextSource source(file);
    if (!source.fill()) throw Error(file.string(), "is empty");
    const std::string_view text(source.begin(), static_cast<std::size_t>(source.end() - source.begin()));
    if (text.starts_with("SQLite format 3")) return Format::NsightSqlite;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return Format::ChromeTrace;
    return std::nullopt;
}

void ImportContext::take(std::int64_t rank, const fs::path& file)
{
    if (!ranks.insert(rank).second)
        throw Error(file.string(), "is rank ", rank, ", as an earlier file is; --ranks says which file is which rank, as --ranks 0,1");
}

void putAbsences(ImportContext& context, std::string_view tool)
{
    context.store.putLedger({0, 0, "file reads, NFS traffic and network ports", "absent",
                             "imported from a recording of " + std::string(tool) + ", which has none of them", 0});
}

std::vector<ImportedFile> importFiles(const std::vector<fs::path>& files, const fs::path& database, const ImportOptions& options,
                                      const Progress& progress)
{
    if (!options.ranks.empty() && options.ranks.size() != files.size())
        throw Error("--ranks", options.ranks.size(), " ranks for ", files.size(), " files; expected one a file");
    if (fs::exists(database)) throw Error(database.string(), "exists already; an import makes a new run, choose another directory");
    const store::Draft draft(database);
    const double each = 1.0 / static_cast<double>(files.size());
    std::vector<Source> sources;
    for (std::size_t i = 0; i < files.size(); ++i)
        sources.push_back(sourceOf(files[i], part(progress, clockShare * each * static_cast<double>(i), clockShare * each)));
    const Nanos zero = firstOf(sources).value_or(0);
    std::vector<ImportedFile> imported;
    {
        store::RunStore store = store::RunStore::create(draft.file(), zero);
        ImportContext context{store, options, zero, {}};
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto rank = options.ranks.empty() ? std::nullopt : std::optional(options.ranks[i]);
            imported.push_back(importOne(context, sources[i], rank,
                                         part(progress, clockShare + readShare * each * static_cast<double>(i), readShare * each)));
        }
        store.finalize([&](double share) {
            if (progress) static_cast<void>(progress(clockShare + readShare + (1 - clockShare - readShare) * share));
        });
    }
    draft.keep();
    return imported;
}

}  // namespace flowgauge::foreign
