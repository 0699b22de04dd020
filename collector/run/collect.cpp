// SPDX-License-Identifier: MIT
#include "collector/ingest/ingest.h"
#include "collector/ingest/liveness.h"
#include "collector/ingest/spool_reader.h"
#include "collector/record/error.h"
#include "collector/run/launcher.h"

#include <unistd.h>

namespace flowgauge::run {
namespace {

namespace fs = std::filesystem;

/// A copy has its name only once it is whole.
void copyWhole(const fs::path& from, const fs::path& to)
{
    std::error_code problem;
    fs::path draft = to;
    draft += ".copying";
    fs::copy_file(from, draft, fs::copy_options::overwrite_existing, problem);
    if (!problem) fs::rename(draft, to, problem);
    if (problem) throw Error(to.native(), "cannot be copied from ", from.native(), ": ", problem.message());
}

bool stillRecords(const fs::path& spoolFile)
{
    try {
        return ingest::isAlive(ingest::SpoolReader(spoolFile).header());
    } catch (const Error&) {
        return false;  // copied all the same: ingest says what is wrong with it
    }
}

void collectFolder(const fs::path& folder, const fs::path& target, Collected& done)
{
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".spool") continue;
        if (stillRecords(entry.path())) {
            ++done.running;
            continue;
        }
        const fs::path rings = fs::path(entry.path()).replace_extension(".rings");
        if (fs::exists(rings)) copyWhole(rings, target / rings.filename());  // first: a spool without its rings would lack events
        copyWhole(entry.path(), target / entry.path().filename());
        fs::remove((target / entry.path().stem()) += ".recording");
        ++done.copied;
    }
}

}  // namespace

Collected collect(const fs::path& run)
{
    const std::string host = ingest::hostName();
    const std::vector<fs::path> folders = ingest::spoolFoldersOf(run, host);
    if (folders.empty())
        throw Error((run / "hosts" / (host + ".spool")).native(),
                    "expected the place of this host's spools, found none: no process of host ", host,
                    " has recorded for this run, or it was stored already");
    const fs::path target = run / "spool" / host;
    fs::create_directories(target);
    Collected done;
    for (const fs::path& folder : folders)
        if (fs::is_directory(folder)) collectFolder(folder, target, done);
    return done;
}

}  // namespace flowgauge::run
