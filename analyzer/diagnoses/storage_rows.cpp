// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/storage_rows.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using findings::Bytes;
using findings::BytesPerSecond;
using findings::Sentence;
using findings::Share;

/// Epochs that fetch this part of what they ask for, or more, had nothing in memory; those of the other part or less, all.
constexpr double coldAtLeast = 0.9, warmAtMost = 0.01;
/// A port that moves less than this part of the host's busiest one is not worth a sentence.
constexpr double busyFrom = 0.1;

/// Read-ahead that fetches this part of what is asked for in vain is worth a sentence.
constexpr double inVainFrom = 0.05;

enum class Warmth : std::uint8_t { Cold, Partly, Warm };

std::string numbers(std::int64_t first, std::int64_t last)
{
    return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

/// Epochs in a row of the same warmth.
struct EpochSpan {
    std::int64_t first = 0, last = 0;
    Warmth warmth = Warmth::Cold;
    double asked = 0, fetched = 0;
    Nanos time = 0;

    [[nodiscard]] std::string name() const { return (first == last ? "Epoch " : "Epochs ") + numbers(first, last); }
    [[nodiscard]] BytesPerSecond rate() const { return {time > 0 ? fetched * 1e9 / static_cast<double>(time) : 0}; }
};

Warmth warmthOf(double asked, double fetched)
{
    return fetched >= coldAtLeast * asked ? Warmth::Cold : fetched <= warmAtMost * asked ? Warmth::Warm : Warmth::Partly;
}

std::vector<EpochSpan> spansOf(const std::vector<facts::Epoch>& epochs)
{
    std::vector<EpochSpan> spans;
    for (const facts::Epoch& epoch : epochs) {
        if (!epoch.asked.known() || !epoch.fetched.known() || epoch.asked.value() <= 0) continue;
        const auto asked = static_cast<double>(epoch.asked.value());
        const auto fetched = static_cast<double>(epoch.fetched.value());
        const Warmth warmth = warmthOf(asked, fetched);
        if (spans.empty() || spans.back().warmth != warmth || spans.back().last + 1 != epoch.number)
            spans.push_back({epoch.number, epoch.number, warmth});
        EpochSpan& span = spans.back();
        span.last = epoch.number;
        span.asked += asked;
        span.fetched += fetched;
        span.time += epoch.when.length();
    }
    return spans;
}

Sentence sentenceOf(const EpochSpan& span, const std::string& server)
{
    const std::string were = span.first == span.last ? " was" : " were";
    switch (span.warmth) {
        case Warmth::Cold:
            return Sentence(span.name(), were, " cold: ", Bytes{span.fetched}, " came from ", server, " at ", span.rate(), ".");
        case Warmth::Warm:
            return Sentence(span.name(), were, " served from client memory: ", Bytes{span.fetched}, " of the ", Bytes{span.asked},
                            " asked for came from ", server, ".");
        case Warmth::Partly:
            break;
    }
    return Sentence(span.name(), were, " served from client memory for ", Share{1 - span.fetched / span.asked}, "; ", Bytes{span.fetched},
                    " came from ", server, " at ", span.rate(), ".");
}

void addEpochSources(const facts::RunFacts& run, std::vector<Sentence>& told)
{
    if (run.epochs.empty()) return;
    const std::string server = run.epochs.front().fetchedSource == "nfs" ? "the NFS server" : "storage";
    for (const EpochSpan& span : spansOf(run.epochs)) told.push_back(sentenceOf(span, server));
}

double movedBy(const facts::PortFacts& port) { return port.run.received.moved + port.run.sent.moved; }

void addPorts(const facts::RunFacts& run, std::vector<Sentence>& told)
{
    double most = 0;
    for (const facts::PortFacts& port : run.network.ports) most = std::max(most, movedBy(port));
    for (const facts::PortFacts& port : run.network.ports) {
        const facts::Carried &in = port.run.received, &out = port.run.sent;
        if (!port.port.trains || movedBy(port) < busyFrom * most || in.storage <= 0 || in.moved <= 0 || out.moved <= 0) continue;
        told.emplace_back("Of the ", Bytes{in.moved}, " that ", port.port.name, " on ", port.port.host, " received, storage was ",
                          Share{in.storage / in.moved}, " and gradients ", Share{in.gradients / in.moved}, "; of the ", Bytes{out.moved},
                          " that it sent, storage was ", Share{out.storage / out.moved}, " and gradients ",
                          Share{out.gradients / out.moved}, ".");
    }
}

void addFileSystems(const std::vector<facts::FileSystemBytes>& all, std::vector<Sentence>& told)
{
    for (const facts::FileSystemBytes& one : all) {
        if (one.asked.known())
            told.emplace_back("Programs on ", one.host, " read ", Bytes{one.asked.value()}, " from ", one.mount,
                              " by calls, hits of its client's cache included.");
        if (one.fetched.known())
            told.emplace_back("The client of ", one.mount, " on ", one.host, " fetched ", Bytes{one.fetched.value()},
                              " from its servers and sent them ", Bytes{one.sent.valueOr(0)}, ".");
    }
}

findings::CacheShare shareOf(const facts::CacheFit& fit)
{
    findings::CacheShare share{fit.dataBytes, fit.cacheBytes, {}, fit.observed, {}, {}, fit.observedFetched};
    const Measured<facts::CacheForecast>& forecast = fit.forecast;
    if (forecast.known()) {
        share.forecast = forecast.value().spared;
        share.forecastHeld = forecast.value().held;
        share.forecastFetched = forecast.value().fetched;
    } else {
        share.forecast = share.forecastHeld = share.forecastFetched = Measured<double>::missing(forecast.reason());
    }
    return share;
}

std::string epochsOf(const facts::CacheFit& fit)
{
    return (fit.firstEpoch == fit.lastEpoch ? " in epoch " : " in epochs ") + numbers(fit.firstEpoch, fit.lastEpoch);
}

void addTooSmallCache(const facts::CacheFit& fit, std::vector<Sentence>& told)
{
    const Bytes data{static_cast<double>(fit.dataBytes)}, room{static_cast<double>(fit.cacheBytes)};
    if (!fit.forecast.known()) {
        told.emplace_back("The data set (", data, ") does not fit into the file cache of ", fit.cache, " (", room, "): observed ",
                          Share{fit.observed}, " from memory", epochsOf(fit), "; this cannot be forecast: ", fit.forecast.reason(), ".");
        return;
    }
    const facts::CacheForecast& forecast = fit.forecast.value();
    told.emplace_back("The data set (", data, ") does not fit into the file cache of ", fit.cache, " (", room, "): read in ",
                      fit.order == facts::ReadOrder::Same ? "the same order" : "a new order", " each epoch, forecast ",
                      Share{forecast.spared}, " from memory, observed ", Share{fit.observed}, epochsOf(fit), ".");
    if (forecast.fetched - (1 - forecast.held) >= inVainFrom)
        told.emplace_back("By that forecast ", Share{forecast.held},
                          " of the pages asked for are in memory, but with what is read ahead in vain ", Share{forecast.fetched},
                          " of the bytes asked for are fetched; observed ", Share{fit.observedFetched}, ".");
}

void addCache(const Measured<facts::CacheFit>& cache, findings::Storage& storage)
{
    if (!cache.known()) {
        storage.cache = Measured<findings::CacheShare>::missing(cache.reason());
        return;
    }
    const facts::CacheFit& fit = cache.value();
    storage.cache = shareOf(fit);
    if (!fit.forecast.known() || fit.forecast.value().spared < 1) return addTooSmallCache(fit, storage.told);
    storage.told.emplace_back("The data set (", Bytes{static_cast<double>(fit.dataBytes)}, ") fits into the file cache of ", fit.cache,
                              ": forecast ", Share{1}, " from memory, observed ", Share{fit.observed}, epochsOf(fit), ".");
}

/// Of the data set in memory at the start: what makes an epoch one that began warm, or cold.
constexpr double beganWarm = 0.5, beganCold = 0.05;

std::string looksOf(const facts::DataInMemory& found)
{
    const std::string of = found.looked < found.files ? std::to_string(found.looked) + " of " : "";
    return " of the data set was in memory when the job began to read (" + of + std::to_string(found.files) +
           " files that it had not opened yet" + (found.method.empty() ? ")." : "; " + found.method + ").");
}

Sentence startSentence(const std::string& first, const facts::DataInMemory& found)
{
    if (!found.startKnown)
        return Sentence(first, " may have begun warm or cold: when pages were first looked for, the job had opened all files of the data.");
    const double share = found.atStart.share;
    const std::string began = share >= beganWarm ? " began warm: " : share <= beganCold ? " began cold: " : " began partly warm: ";
    return Sentence(first, began, findings::Estimate{share, found.atStart.halfWidth}, looksOf(found));
}

/// The first epoch's end and the last one's.
Sentence endsSentence(const facts::DataInMemory::AtEnd& first, const facts::DataInMemory::AtEnd& last)
{
    const auto piece = [](const facts::ResidentShare& resident) { return findings::Estimate{resident.share, resident.halfWidth}; };
    const std::string before = "Of the files that the job had opened, ", lay = " lay in memory at the end of epoch ";
    if (first.epoch == last.epoch) return Sentence(before, piece(first.resident), lay + std::to_string(first.epoch) + ".");
    return Sentence(before, piece(first.resident), lay + std::to_string(first.epoch) + " and ", piece(last.resident),
                    " at that of epoch " + std::to_string(last.epoch) + ".");
}

void addInMemory(const facts::RunFacts& run, findings::Storage& storage)
{
    if (!run.storage.inMemory.known()) {
        storage.inMemory = Measured<findings::InMemory>::missing(run.storage.inMemory.reason());
        return;
    }
    const facts::DataInMemory& found = run.storage.inMemory.value();
    findings::InMemory kept{{}, found.startKnown, found.looked, found.files, found.method};
    if (found.startKnown) kept.at.push_back({0, found.atStart.share, found.atStart.halfWidth});
    storage.told.push_back(startSentence(run.epochs.empty() ? "The run" : "Epoch " + std::to_string(run.epochs.front().number), found));
    for (const facts::DataInMemory::AtEnd& at : found.epochs) kept.at.push_back({at.epoch, at.resident.share, at.resident.halfWidth});
    if (!found.epochs.empty()) storage.told.push_back(endsSentence(found.epochs.front(), found.epochs.back()));
    storage.inMemory = std::move(kept);
}

void addOutages(const std::vector<facts::Outage>& outages, std::vector<Sentence>& told)
{
    for (const facts::Outage& outage : outages)
        told.emplace_back("Storage ", outage.server, " did not answer ", outage.host, " for ", findings::Duration{outage.when.length()},
                          " (", findings::When{outage.when}, ").");
}

findings::WatchedRow::Unit unitOf(const CounterRow& row)
{
    using Unit = findings::WatchedRow::Unit;
    if (row.unit == CounterUnit::ByteRate) return Unit::BytesPerSecond;
    if (row.unit == CounterUnit::Rate) return Unit::PerSecond;
    const bool grows = row.shape != CounterShape::Gauge;
    if (row.unit == CounterUnit::Bytes) return grows ? Unit::BytesPerSecond : Unit::Bytes;
    return grows ? Unit::PerSecond : Unit::Plain;
}

}  // namespace

findings::Storage storageOf(const facts::RunFacts& run)
{
    findings::Storage storage;
    addEpochSources(run, storage.told);
    addPorts(run, storage.told);
    addFileSystems(run.storage.fileSystems, storage.told);
    addInMemory(run, storage);
    addCache(run.storage.cache, storage);
    addOutages(run.storage.outages, storage.outages);
    for (const facts::ServerRates& rates : run.storage.servers)
        storage.servers.push_back({rates.server, rates.epoch, rates.served, rates.disks, rates.network, rates.cacheHits});
    return storage;
}

std::vector<findings::WatchedRow> watchedRowsOf(const std::vector<facts::WatchedCounter>& counters)
{
    std::vector<findings::WatchedRow> rows;
    for (const facts::WatchedCounter& watched : counters) {
        const CounterRow& row = rowOf(watched.counter);
        rows.push_back(
            {watched.host, watched.place, familyName(row.family), row.sqlName, unitOf(row), watched.least, watched.mean, watched.most});
    }
    return rows;
}

}  // namespace flowgauge::diagnoses
