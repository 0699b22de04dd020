// SPDX-License-Identifier: MIT
#include "collector/run/run_place.h"

#include "collector/ingest/ingest.h"
#include "collector/ingest/liveness.h"
#include "collector/record/error.h"

#include <unistd.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace flowgauge::run {
namespace {

namespace fs = std::filesystem;

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 16> text{};
    (void)std::strftime(text.data(), text.size(), "%Y%m%d", &local);
    return text.data();
}

/// Makes ./flowgauge-<date>-<n> with the first n that nobody has: mkdir itself decides, so two launchers never share one.
fs::path makeDefaultRun()
{
    const fs::path here = fs::current_path();
    for (int n = 1; n < 10000; ++n) {
        fs::path run = here / ("flowgauge-" + today() + '-' + std::to_string(n));
        std::error_code problem;
        if (fs::create_directory(run, problem)) return run;
        if (problem) throw Error(run.native(), "cannot be made: ", problem.message(), "; choose another place with -o");
    }
    throw Error(here.native(), "has 9,999 runs of today; choose a name with -o");
}

fs::path makeRun(const fs::path& output)
{
    if (output.empty()) return makeDefaultRun();
    fs::path run = fs::absolute(output).lexically_normal();
    std::error_code problem;
    if (fs::exists(run, problem) && !fs::is_directory(run, problem))
        throw Error(run.native(), "is a file, expected a directory for the run; choose another name with -o");
    fs::create_directories(run, problem);
    if (problem) throw Error(run.native(), "cannot be made: ", problem.message(), "; choose another place with -o");
    const bool empty = fs::is_empty(run, problem);
    if (problem) throw Error(run.native(), "cannot be read: ", problem.message());
    if (!empty) throw Error(run.native(), "exists and is not empty; choose another name with -o, or remove it");
    if (::access(run.c_str(), W_OK) != 0) throw Error(run.native(), "cannot be written; choose another place with -o");
    return run;
}

/// FNV-1a over path and moment, 16 hex digits.
std::string makeRunId(const fs::path& run)
{
    timespec at{};
    clock_gettime(CLOCK_REALTIME, &at);
    const std::string text =
        run.native() + '@' + std::to_string(at.tv_sec) + '.' + std::to_string(at.tv_nsec) + '.' + std::to_string(::getpid());
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    std::array<char, 17> digits{};
    (void)std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return digits.data();
}

}  // namespace

fs::path spoolRootOf(const fs::path& asked)
{
    if (!asked.empty()) return fs::absolute(asked).lexically_normal();
    for (const char* const variable : {"FLOWGAUGE_SPOOL", "SLURM_TMPDIR", "TMPDIR"}) {
        const char* const value = std::getenv(variable);
        if (value != nullptr && *value != '\0') return fs::absolute(value).lexically_normal();
    }
    return "/tmp";
}

RunPlace makePlace(const fs::path& output, const fs::path& spoolRoot)
{
    RunPlace place{makeRun(output), spoolRootOf(spoolRoot), {}, {}};
    place.runId = makeRunId(place.run);
    const std::string host = ingest::hostName();
    place.spoolFolder = place.spoolRoot / ("flowgauge-" + std::to_string(::getuid())) / place.runId / host;
    std::error_code problem;
    fs::create_directories(place.spoolFolder, problem);
    if (problem)
        throw Error(place.spoolFolder.native(), "cannot be made: ", problem.message(), "; choose a disk of this node with FLOWGAUGE_SPOOL");
    fs::permissions(place.spoolFolder, fs::perms::owner_all, problem);
    fs::create_directories(place.run / "hosts", problem);
    std::ofstream pointer(place.run / "hosts" / (host + ".spool"));
    pointer << place.spoolFolder.native() << '\n';
    if (!pointer.flush()) throw Error((place.run / "hosts").native(), "cannot be written");
    return place;
}

void removeSpools(const RunPlace& place)
{
    std::error_code problem;
    const std::string host = place.spoolFolder.filename().native();
    const std::vector<fs::path> folders = ingest::spoolFoldersOf(place.run, host);
    // The pointer first: whoever looks at the run, here after a kill or on another host, would take it for a promise of whole spools.
    fs::remove(place.run / "hosts" / (host + ".spool"), problem);
    for (const fs::path& folder : folders) {
        fs::remove_all(folder, problem);
        const fs::path ofRun = folder.parent_path();
        if (fs::remove(ofRun, problem)) fs::remove(ofRun.parent_path(), problem);  // fails, as it should, while others use them
    }
}

}  // namespace flowgauge::run
