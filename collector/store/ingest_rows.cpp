// SPDX-License-Identifier: MIT
#include "collector/store/ingest_rows.h"

namespace flowgauge::store {
namespace {

std::int64_t word(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

std::map<std::uint32_t, std::uint64_t> IngestRows::progress(std::string_view spool)
{
    std::map<std::uint32_t, std::uint64_t> next;
    Statement statement(m_database, "SELECT ring, next_sequence FROM ingest_progress WHERE spool = ?");
    statement.bind(1, spool);
    while (statement.step()) next[static_cast<std::uint32_t>(statement.integer(0))] = static_cast<std::uint64_t>(statement.integer(1));
    return next;
}

void IngestRows::putProgress(std::string_view spool, std::uint32_t ring, std::uint64_t nextSequence, std::uint64_t fileOffset)
{
    Statement statement(m_database, "INSERT OR REPLACE INTO ingest_progress (spool, ring, next_sequence, file_offset) VALUES (?, ?, ?, ?)");
    statement.bind(1, spool).bind(2, std::int64_t{ring}).bind(3, word(nextSequence)).bind(4, word(fileOffset)).run();
}

void IngestRows::putEnvironment(Id process, std::string_view key, std::string_view value)
{
    Statement statement(m_database, "INSERT OR REPLACE INTO environment (process_id, key, value) VALUES (?, ?, ?)");
    statement.bind(1, process).bind(2, key).bind(3, value).run();
}

void IngestRows::replaceAnchors(Id process, const std::vector<ClockAnchor>& anchors)
{
    Statement remove(m_database, "DELETE FROM clock_anchor WHERE process_id = ?");
    remove.bind(1, process).run();
    Statement insert(m_database, "INSERT INTO clock_anchor (process_id, ticks, raw_ns, realtime_ns, error_ns) VALUES (?, ?, ?, ?, ?)");
    for (const ClockAnchor& anchor : anchors)
        insert.bind(1, process).bind(2, word(anchor.ticks)).bind(3, anchor.rawNs).bind(4, anchor.realtimeNs).bind(5, anchor.errorNs).run();
}

void IngestRows::putCommunicator(Id process, const Communicator& communicator)
{
    Statement statement(m_database, "INSERT OR REPLACE INTO communicator (process_id, comm, rank, size, name) VALUES (?, ?, ?, ?, ?)");
    statement.bind(1, process).bind(2, word(communicator.comm)).bind(3, communicator.rank).bind(4, word(communicator.size));
    statement.bind(5, std::string_view(communicator.name)).run();
}

void IngestRows::putMetaText(std::string_view key, std::string_view value)
{
    Statement statement(m_database, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    statement.bind(1, key).bind(2, value).run();
}

void IngestRows::markReplacedImages()
{
    m_database.execute(
        "UPDATE process SET ended = 'replaced by exec' WHERE ended IN ('without goodbye', 'killed', 'running') AND process_start <> 0 "
        "AND EXISTS (SELECT 1 FROM process n WHERE n.host_id = process.host_id AND n.pid = process.pid "
        "AND n.process_start = process.process_start AND n.begin_ns > process.begin_ns)");
}

void IngestRows::clearOutput() { m_database.execute("DELETE FROM output_line"); }

void IngestRows::putOutputLine(std::optional<Nanos> at, std::string_view stream, std::string_view text)
{
    Statement statement(m_database, "INSERT INTO output_line (at_ns, stream, text) VALUES (?, ?, ?)");
    if (at)
        statement.bind(1, *at);
    else
        statement.bindNull(1);
    statement.bind(2, stream).bind(3, text).run();
}

}  // namespace flowgauge::store
