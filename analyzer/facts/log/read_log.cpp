// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/read_log.h"

#include "analyzer/facts/log/join_accounts.h"
#include "analyzer/facts/log/log_text.h"
#include "analyzer/facts/log/readers.h"

namespace flowgauge::facts {
namespace {

bool holdsMark(std::string_view text, std::string_view marks)
{
    while (!marks.empty()) {
        const std::size_t bar = marks.find('|');
        if (text.find(marks.substr(0, bar)) != std::string_view::npos) return true;
        marks.remove_prefix(bar == std::string_view::npos ? marks.size() : bar + 1);
    }
    return false;
}

void readLine(const PrintedLine& line, Nanos zeroUnixNs, std::vector<LogAccount>& accounts)
{
    const auto readers = logReaders();
    bool any = false;
    for (const LogReader& reader : readers) any = any || holdsMark(line.text, reader.marks);
    if (!any) return;
    for (const std::string& piece : piecesOf(line.text))
        for (std::size_t i = 0; i < readers.size(); ++i)
            if (holdsMark(piece, readers[i].marks)) readers[i].read({piece, line.at, zeroUnixNs}, accounts[i]);
}

}  // namespace

LogFacts readLog(const std::vector<PrintedLine>& lines, Nanos zeroUnixNs, Interval recorded)
{
    std::vector<LogAccount> accounts(logReaders().size());
    for (const PrintedLine& line : lines) readLine(line, zeroUnixNs, accounts);
    return joinAccounts(accounts, recorded);
}

FoundEpochs epochsOfLog(const LogFacts& log, Interval recorded)
{
    FoundEpochs found{EpochSource::Log, {{}}};
    for (const LogEpoch& block : log.epochs) {
        if (block.epochs > 1) found.source = EpochSource::LogBlocks;
        for (std::int64_t i = 0; i < block.epochs; ++i) {
            const auto at = [&](std::int64_t part) { return block.when.begin + block.when.length() / block.epochs * part; };
            const Interval when{at(i), i + 1 == block.epochs ? block.when.end : at(i + 1)};
            if (recorded.empty() || when.overlaps(recorded))
                found.perRank.front().push_back({block.number + i, when, 0, block.open && i + 1 == block.epochs});
        }
    }
    if (found.perRank.front().empty()) return {};
    return found;
}

}  // namespace flowgauge::facts
