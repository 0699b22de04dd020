// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace flowgauge::store {

/// The plain rows that only ingest writes. All writing inside a Transaction of the database; all of it safe to repeat.
class IngestRows {
public:
    explicit IngestRows(Database& database) : m_database(database) {}

    /// Per ring of a spool: the first sequence that is not stored yet.
    [[nodiscard]] std::map<std::uint32_t, std::uint64_t> progress(std::string_view spool);
    void putProgress(std::string_view spool, std::uint32_t ring, std::uint64_t nextSequence, std::uint64_t fileOffset);

    void putEnvironment(Id process, std::string_view key, std::string_view value);
    void replaceAnchors(Id process, const std::vector<ClockAnchor>& anchors);
    struct Communicator {
        std::uint64_t comm;
        std::int64_t rank;
        std::uint64_t size;
        std::string name;
    };
    void putCommunicator(Id process, const Communicator& communicator);
    void putMetaText(std::string_view key, std::string_view value);

    /// exec keeps the process and its start time, and starts a new image with a spool of its own: the older ones did not die.
    void markReplacedImages();
    void clearOutput();
    void putOutputLine(std::optional<Nanos> at, std::string_view stream, std::string_view text);

private:
    Database& m_database;
};

}  // namespace flowgauge::store
