// SPDX-License-Identifier: MIT
#include "analyzer/mpi/shared_facts.h"

#include "analyzer/facts/rank_bytes.h"

#include <cstring>
#include <list>

namespace flowgauge::mpi {
namespace {

std::span<const std::byte> bytesOf(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string textOf(const std::vector<std::byte>& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <typename T>
void sendNumber(const Peers& peers, T number)
{
    peers.send(std::as_bytes(std::span(&number, 1)));
}

std::size_t receiveNumber(const Peers& peers, std::size_t from)
{
    const std::vector<std::byte> bytes = peers.receive(from);
    std::size_t number = 0;
    std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
    return number;
}

/// Rank by rank, so that no process holds its facts twice.
void sendPart(const Peers& peers, facts::RunPart part)
{
    sendNumber(peers, part.ranks.size());
    for (facts::RankFacts& rank : part.ranks) {
        peers.send(facts::bytesOf(rank));
        rank = {};
    }
    sendNumber(peers, part.unclearKernels.size());
    for (const std::string& kernel : part.unclearKernels) peers.send(bytesOf(kernel));
}

/// Log and source of epochs are the run's; the root has them already.
facts::RunPart receivePart(const Peers& peers, std::size_t from)
{
    facts::RunPart part;
    const std::size_t ranks = receiveNumber(peers, from);
    part.ranks.reserve(ranks);
    for (std::size_t i = 0; i < ranks; ++i) part.ranks.push_back(facts::rankOf(peers.receive(from)));
    const std::size_t kernels = receiveNumber(peers, from);
    for (std::size_t i = 0; i < kernels; ++i) part.unclearKernels.push_back(textOf(peers.receive(from)));
    return part;
}

}  // namespace

std::optional<facts::RunFacts> sharedFacts(const Peers& peers, const Work& work, std::int64_t& count)
{
    std::list<facts::PartReader> readers;
    facts::Agreement known;
    for (const Work::Stretch& stretch : work.stretches) {
        facts::Layout layout = facts::layoutOf(*stretch.store, work.window, stretch.share);
        layout.limit = facts::PieceLimit::ofRanks(work.ranks);
        known += readers.emplace_back(*stretch.store, std::move(layout)).known();
    }
    const facts::Agreement agreed = peers.agree(known);
    std::vector<facts::RunPart> parts;
    for (facts::PartReader& reader : readers) {
        parts.push_back(reader.finish(agreed, *work.head));
        count += static_cast<std::int64_t>(parts.back().ranks.size());
    }
    if (!peers.isRoot()) {
        sendNumber(peers, parts.size());
        for (facts::RunPart& part : parts) sendPart(peers, std::move(part));
        return std::nullopt;
    }
    for (std::size_t from = 1; from < peers.size(); ++from)
        for (std::size_t left = receiveNumber(peers, from); left > 0; --left) parts.push_back(receivePart(peers, from));
    return facts::joinParts(*work.head, work.name, std::move(parts));
}

}  // namespace flowgauge::mpi
