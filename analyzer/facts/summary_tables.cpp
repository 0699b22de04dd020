// SPDX-License-Identifier: MIT
#include "analyzer/facts/summary_tables.h"

#include "analyzer/facts/log_tables.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

using store::Statement;

/// Binds values one after the other; what is not measured is NULL.
class Row {
public:
    explicit Row(Statement& statement) : m_statement(statement) {}
    Row& integer(std::int64_t value)
    {
        m_statement.bind(++m_at, value);
        return *this;
    }
    Row& maybe(const Measured<std::int64_t>& value)
    {
        if (value.known()) return integer(value.value());
        m_statement.bindNull(++m_at);
        return *this;
    }
    Row& unlessZero(std::uint64_t value)
    {
        return maybe(value == 0 ? Measured<std::int64_t>() : Measured<std::int64_t>(static_cast<std::int64_t>(value)));
    }
    Row& real(double value)
    {
        m_statement.bind(++m_at, value);
        return *this;
    }
    Row& text(std::string_view value)
    {
        m_statement.bind(++m_at, value);
        return *this;
    }
    void put() { m_statement.run(); }

private:
    Statement& m_statement;
    int m_at = 0;
};

void putEpochRows(store::Database& database, const RunFacts& run)
{
    Statement statement = database.prepare(
        "INSERT OR REPLACE INTO epoch (number, begin_ns, end_ns, found_by, samples, fetched_bytes, fetched_source)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (const Epoch& epoch : run.epochs)
        Row(statement)
            .integer(epoch.number)
            .integer(epoch.when.begin)
            .integer(epoch.when.end)
            .text(nameOf(epoch.source))
            .unlessZero(epoch.samples)
            .maybe(epoch.fetched)
            .text(epoch.fetchedSource)
            .put();
}

struct Communication {
    std::int64_t calls = 0, bytes = 0;
};

Communication communicationIn(const RankFacts& rank, Interval window)
{
    Communication sum;
    for (const CollectiveCall& call : rank.collectives) {
        if (!window.contains(call.when.begin)) continue;
        ++sum.calls;
        sum.bytes += static_cast<std::int64_t>(call.bytes);
    }
    return sum;
}

void putRankRows(store::Database& database, const RankFacts& rank)
{
    Statement statement = database.prepare(
        "INSERT OR REPLACE INTO epoch_rank (number, rank, begin_ns, end_ns, samples, read_calls, read_bytes, read_ns,"
        " evaluation_calls, evaluation_bytes, evaluation_ns, compute_ns, exposed_comm_ns, exposed_copy_ns, input_stall_ns, idle_ns,"
        " comm_ns, comm_calls, comm_bytes, fetched_bytes, fetched_source)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)");
    const PartSets parts(rank);
    for (const EpochPart& part : rank.epochs) {
        const TimeParts time = parts.within(part.when);
        const Communication communication = communicationIn(rank, part.when);
        Row row(statement);
        row.integer(part.number).integer(rank.rank).integer(part.when.begin).integer(part.when.end).unlessZero(part.samples);
        row.integer(part.reads.calls).integer(part.reads.bytes).integer(part.reads.time);
        row.integer(part.evaluation.calls).integer(part.evaluation.bytes).integer(part.evaluation.time);
        row.integer(time.compute).integer(time.exposedCommunication).integer(time.exposedCopy);
        row.integer(time.inputStall).integer(time.otherIdle).integer(rank.communication.totalWithin(part.when));
        row.integer(communication.calls).integer(communication.bytes).maybe(part.fetched).text("process").put();
    }
}

void putReadsElsewhere(store::Database& database, const RankFacts& rank)
{
    Statement statement = database.prepare(
        "INSERT OR REPLACE INTO reads_elsewhere (rank, place, read_calls, read_bytes, read_ns) VALUES (?1, ?2, ?3, ?4, ?5)");
    for (const auto& [place, reads] : rank.readsElsewhere)
        Row(statement).integer(rank.rank).text(place).integer(reads.calls).integer(reads.bytes).integer(reads.time).put();
}

void putFindingRows(store::Database& database, const std::vector<FindingRow>& findings)
{
    Statement statement = database.prepare(
        "INSERT INTO finding (position, diagnosis, title, amount_ns, share, gain, gain_error, text, advice)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    std::int64_t position = 0;
    for (const FindingRow& finding : findings) {
        Row row(statement);
        row.integer(++position).text(finding.diagnosis).text(finding.title).integer(finding.amountNs).real(finding.share);
        row.real(finding.gain).real(finding.gainError).text(finding.text).text(finding.advice).put();
    }
}

}  // namespace

void writeSummary(store::Database& database, const RunFacts& run, const std::vector<FindingRow>& findings)
{
    store::Transaction transaction(database);
    database.execute("DELETE FROM epoch; DELETE FROM epoch_rank; DELETE FROM reads_elsewhere; DELETE FROM finding");
    putEpochRows(database, run);
    for (const RankFacts& rank : run.ranks) {
        putRankRows(database, rank);
        putReadsElsewhere(database, rank);
    }
    putFindingRows(database, findings);
    writeLog(database, run.log);
    transaction.commit();
}

bool hasSummary(store::Database& database) { return database.prepare("SELECT 1 FROM epoch").step(); }

}  // namespace flowgauge::facts
