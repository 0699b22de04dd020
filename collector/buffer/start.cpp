// SPDX-License-Identifier: MIT
#include "collector/buffer/drain.h"
#include "collector/buffer/identity.h"
#include "collector/buffer/process.h"
#include "collector/record/raw.h"
#include "collector/spool/writer.h"

namespace flowgauge::buffer {
namespace {

/// How long a thread's first event waits for another thread that is making the files.
constexpr std::int64_t startingNs = 200'000'000;
constexpr std::size_t environmentRoom = std::size_t{64} << 10;
constexpr int mostNames = 64;

/// mkdir -p. An existing folder is fine; whether it can be used shows when the file is made.
void makeFolders(const PathText& folder)
{
    PathText part;
    const std::string_view whole(folder.text(), folder.length());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        if (at > 0 && whole[at] == '/') (void)raw::mkdir(part.text(), 0700);
        part.add(std::string_view(&whole[at], 1));
    }
    (void)raw::mkdir(part.text(), 0700);
}

PathText fileName(std::uint64_t suffix, std::string_view extension)
{
    PathText path = process.folder;
    path.add("/").add(static_cast<std::uint64_t>(raw::processId())).add("-").add(suffix).add(extension);
    return path;
}

/// Both files under one new name. exec keeps the pid, and pids come back: whose name is taken tries the next.
int makeFiles(std::uint64_t start)
{
    for (int attempt = 0; attempt < mostNames; ++attempt) {
        const std::uint64_t suffix = start + static_cast<std::uint64_t>(attempt);
        process.spoolPath = fileName(suffix, ".spool");
        if (!process.spoolPath.whole()) return -ENAMETOOLONG;
        const int fd = raw::open(process.spoolPath.text(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
        if (fd == -EEXIST) continue;
        if (fd < 0) return fd;
        if (process.rings.create(fileName(suffix, ".rings"))) return fd;
        raw::close(fd);
        raw::call(SYS_unlinkat, AT_FDCWD, process.spoolPath.text(), 0);
        return -ENOSPC;
    }
    return -EEXIST;
}

/// Bytes of the spool that are in use, 0 when its first pages could not be written.
std::uint64_t writeFirstPages(int fd, const spool::SpoolHeader& header)
{
    if (spool::writeHeader(fd, header) != 0) return 0;
    spool::SpoolWriter writer(spool::pageBytes, process.maxSpoolBytes);
    auto* const texts = static_cast<char*>(raw::map(environmentRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (texts == nullptr) return writer.used();
    const std::size_t bytes = describeEnvironment(texts, environmentRoom);
    // Without it the run does not know the rank, but the events are still worth having.
    (void)writer.append(fd, {spool::ChunkType::Environment, 0, 0, 0, {{{texts, bytes}, {texts, 0}}}});
    raw::unmap(texts, environmentRoom);
    return writer.used();
}

bool makeProcess()
{
    spool::SpoolHeader header = describeProcess();
    std::memcpy(header.runId.data(), process.runId.text(), process.runId.length());
    makeFolders(process.folder);
    // This thread alone sees the low number, inside its own hook, until the file is closed again below.
    const int fd = makeFiles(static_cast<std::uint64_t>(header.startRawNs));
    if (fd < 0) return false;
    const std::uint64_t used = writeFirstPages(fd, header);
    raw::close(fd);
    if (used == 0) return false;
    process.rings.page()->spoolBytes.store(used, std::memory_order_relaxed);
    process.rings.page()->lastSeenTicks.store(now(), std::memory_order_relaxed);
    settleEarlyCounts();
    if (const auto onFiles = process.onFiles.load(std::memory_order_acquire)) onFiles();
    // Without a drain the rings still hold what fits into them.
    (void)drain.start(used);
    return true;
}

}  // namespace

bool startProcess()
{
    Stage stage = process.stage.load(std::memory_order_acquire);
    if (stage != Stage::Idle) return stage == Stage::Ready;
    if (!process.starting.enter(startingNs)) return false;
    stage = process.stage.load(std::memory_order_acquire);
    if (stage == Stage::Idle) {
        stage = makeProcess() ? Stage::Ready : Stage::Failed;
        process.stage.store(stage, std::memory_order_release);
        if (stage == Stage::Failed) closeGuard();  // from now on a call costs what it costs without us
    }
    process.starting.leave();
    return stage == Stage::Ready;
}

void settleEarlyCounts()
{
    spool::ProcessPage* const page = process.rings.page();
    if (page == nullptr) return;
    const auto move = [](std::atomic<std::uint64_t>& from, std::atomic<std::uint64_t>& to) {
        if (from.load(std::memory_order_relaxed) != 0) to.fetch_add(from.exchange(0, std::memory_order_relaxed), std::memory_order_relaxed);
    };
    for (std::size_t reason = 0; reason < process.lost.size(); ++reason) move(process.lost[reason], page->lost[reason]);
    move(process.codeOpens, page->codeOpens);
    move(process.codeReads, page->codeReads);
    move(process.codeBytes, page->codeBytes);
    move(process.codeTicks, page->codeTicks);
}

}  // namespace flowgauge::buffer
