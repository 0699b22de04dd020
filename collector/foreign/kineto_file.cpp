// SPDX-License-Identifier: MIT
// One trace of a PyTorch profiler becomes one process of the run.
#include "collector/foreign/import_context.h"
#include "collector/foreign/kineto_import.h"
#include "collector/foreign/rank_of_file.h"

namespace flowgauge::foreign {
namespace {

struct FileRank {
    std::optional<std::int64_t> rank;
    std::string source;
};

/// The user knows best, then the trace, then its name. A trace that no one knows anything of is process 0 where it is alone.
FileRank rankOf(const std::filesystem::path& file, std::optional<std::int64_t> given, const KinetoHeader& header)
{
    if (given) return {given, "given"};
    if (header.rank) return {header.rank, "distributedInfo"};
    if (const auto named = rankOfFile(file.filename().string())) return {named, "file name"};
    return {std::nullopt, "none"};
}

store::ProcessRow processOf(const std::filesystem::path& file)
{
    store::ProcessRow row;
    row.spool = "import:" + file.string();
    row.command = file.string();
    row.ended = "imported";
    return row;
}

void fill(store::ProcessRow& row, const KinetoHeader& header, const FileRank& rank, const RunWriter& writer)
{
    row.pid = header.pid;
    row.processStart = row.id;  // pids of two hosts may be equal
    row.program = header.program.empty() ? "PyTorch" : header.program;
    row.rank = rank.rank;
    row.rankSource = rank.source;
    row.worldSize = header.worldSize;
    row.beginNs = writer.extent().begin;
    row.endNs = writer.extent().end;
    row.events = writer.events();
}

/// What the file says is missing in it, and what the import could not use.
void putLedger(ImportContext& context, store::Id process, const KinetoImport& import, const TraceText& text)
{
    const auto put = [&](std::string_view what, std::string_view state, std::string_view reason, std::int64_t amount) {
        if (amount > 0) context.store.putLedger({0, process, what, state, reason, amount});
    };
    put("GPU events", "dropped", "the profiler's own log says that they were out of its window", import.header().droppedByProfiler);
    put("trace events", "dropped", "they tell no time", import.misdated());
    put("operators and Python frames", "absent", "left out of the import; --host-frames takes them in", import.leftOut());
    put("bytes of copies", "absent", "the trace does not tell them for every copy", import.withoutBytes());
    put("trace", "degraded", "the file is cut off: what follows its last whole event is missing", text.cutOff ? 1 : 0);
    if (!import.sequenced())
        put("arrival of ranks", "absent", "the trace numbers no collectives, so those of two ranks cannot be matched", 1);
}

}  // namespace

ImportedFile importKineto(ImportContext& context, const std::filesystem::path& file, std::optional<std::int64_t> rank, Nanos baseNs,
                          const Progress& progress)
{
    store::ProcessRow row = processOf(file);
    row.host = context.store.host({0, "not told", "", 0});
    row.id = context.store.process(row);
    RunWriter writer(context.store, row.host, row.id);
    KinetoImport import(writer, baseNs - context.zeroUnixNs, rank ? rank : rankOfFile(file.filename().string()),
                        context.options.hostFrames);
    const TraceText text = readTrace(file, import, progress);
    import.finish();
    const FileRank fileRank = rankOf(file, rank, import.header());
    if (fileRank.rank) context.take(*fileRank.rank, file);
    fill(row, import.header(), fileRank, writer);
    static_cast<void>(context.store.process(row));
    putLedger(context, row.id, import, text);

    ImportedFile imported{file, "PyTorch profiler", {}, text.bytes, 0, 0, 0, 0, 0, 0, {}};
    if (fileRank.rank) imported.ranks.push_back(*fileRank.rank);
    imported.kernels = writer.eventsOf(Kind::Kernel);
    imported.copies = writer.eventsOf(Kind::GpuCopy) + writer.eventsOf(Kind::GpuFill);
    imported.calls = writer.eventsOf(Kind::GpuApi);
    imported.ranges = writer.eventsOf(Kind::Range);
    imported.steps = writer.eventsOf(Kind::StepMark);
    for (std::size_t kind = 0; kind < kindCount; ++kind)
        if (isCollective(static_cast<Kind>(kind))) imported.collectives += writer.eventsOf(static_cast<Kind>(kind));
    if (!fileRank.rank) imported.warnings.push_back(file.string() + ": says no rank; --ranks names one");
    if (text.cutOff) imported.warnings.push_back(file.string() + ": is cut off; what is there has been taken");
    return imported;
}

}  // namespace flowgauge::foreign
