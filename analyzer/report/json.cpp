// SPDX-License-Identifier: MIT
#include "analyzer/report/json_values.h"

#include "analyzer/report/report.h"
#include "analyzer/report/units.h"

namespace flowgauge::report {
namespace {

using report::jsonOf;

Json jsonOf(Interval interval) { return Json{{"begin_ns", interval.begin}, {"end_ns", interval.end}}; }

Json jsonOf(const findings::Breakdown& breakdown)
{
    Json parts = Json::array();
    for (const findings::PartShare& part : breakdown.parts)
        parts.push_back({{"part", findings::partNames[static_cast<std::size_t>(part.part)]},
                         {"share", part.share},
                         {"lowest", part.lowest},
                         {"highest", part.highest}});
    return {{"of", breakdown.what}, {"length_ns", breakdown.length}, {"parts", parts}, {"remarks", breakdown.remarks}};
}

Json jsonOf(const findings::EpochRow& row)
{
    Json json{{"number", row.number},
              {"time_ns", row.time},
              {"samples_per_second", jsonOf(row.samplesPerSecond)},
              {"asked_bytes", jsonOf(row.asked)},
              {"evaluation_bytes", row.evaluation},
              {"fetched_bytes", jsonOf(row.fetched)},
              {"fetched_source", row.fetchedSource},
              {"from_cache", jsonOf(row.fromCache)},
              {"shuffle_gap_ns", jsonOf(row.shuffleGap)},
              {"found_by", row.foundBy},
              {"confidence", row.confidence}};
    if (row.touched.known()) json["touched_bytes"] = {{"least", row.touched.value().least}, {"most", row.touched.value().most}};
    return json;
}

Json jsonOf(const findings::CollectiveRow& row)
{
    return {{"collective", row.name},
            {"bytes_of_rank", row.bytes},
            {"ranks", row.ranks},
            {"calls", row.calls},
            {"waited_ns", row.waited},
            {"moved_ns", row.moved},
            {"median_wait_ns", row.wait},
            {"median_transfer_ns", row.transfer},
            {"algbw_bytes_per_second", jsonOf(row.algbw)},
            {"busbw_bytes_per_second", jsonOf(row.busbw)},
            {"algorithm", row.manner},
            {"channels", row.channels},
            {"wire_bytes_of_rank", jsonOf(row.wireOfRank)},
            {"link_use", jsonOf(row.linkUse)}};
}

Json jsonOf(const findings::CarriedBytes& carried)
{
    return {{"moved_bytes", carried.moved},    {"gradient_bytes", carried.gradients},    {"storage_bytes", carried.storage},
            {"header_bytes", carried.headers}, {"other_tcp_bytes", carried.connections}, {"unexplained_bytes", carried.unexplained}};
}

Json jsonOf(const findings::PortRow& row)
{
    Json epochs = Json::array();
    for (const findings::PortRow::InEpoch& epoch : row.epochs)
        epochs.push_back({{"number", epoch.number}, {"received", jsonOf(epoch.received)}, {"sent", jsonOf(epoch.sent)}});
    return {{"host", row.host},
            {"port", row.port},
            {"received", jsonOf(row.received)},
            {"sent", jsonOf(row.sent)},
            {"peak_received_bytes_per_second", row.peakReceived},
            {"peak_sent_bytes_per_second", row.peakSent},
            {"link_bytes_per_second", jsonOf(row.rate)},
            {"epochs", epochs}};
}

Json jsonOf(const findings::ConnectionRow& row)
{
    Json epochs = Json::array();
    for (const findings::ConnectionRow::InEpoch& epoch : row.epochs)
        epochs.push_back({{"number", epoch.number}, {"sent_bytes", epoch.sent}, {"received_bytes", epoch.received}});
    return {{"host", row.host},
            {"peer", row.peer},
            {"where", row.where},
            {"connections", row.connections},
            {"sent_bytes", row.sent},
            {"received_bytes", row.received},
            {"resent_bytes", jsonOf(row.resent)},
            {"rtt_median_us", jsonOf(row.rttMedianUs)},
            {"rtt_max_us", jsonOf(row.rttMostUs)},
            {"epochs", epochs}};
}

Json jsonOf(const findings::QueuePairRow& row)
{
    Json ranks = Json::array();
    for (const findings::QueuePairRow::OfRank& one : row.ranks) ranks.push_back({{"rank", one.rank}, {"counted", one.counted}});
    return {{"host", row.host}, {"port", row.port}, {"counter", row.name},  {"unit", row.isBytes ? "bytes" : "count"},
            {"job", row.job},   {"ranks", ranks},   {"others", row.others}, {"port_in_all", jsonOf(row.portInAll)}};
}

Json jsonOf(const findings::Network& network)
{
    Json queuePairs = Json::array();
    for (const findings::QueuePairRow& row : network.queuePairs) queuePairs.push_back(jsonOf(row));
    Json connections = Json::array();
    for (const findings::ConnectionRow& row : network.connections) connections.push_back(jsonOf(row));
    Json ports = Json::array();
    for (const findings::PortRow& row : network.ports) ports.push_back(jsonOf(row));
    Json checks = Json::array();
    for (const findings::Sentence& check : network.checks) checks.push_back(sentence(check));
    Json links = Json::array();
    for (const findings::GpuLinkRow& row : network.gpuLinks)
        links.push_back({{"host", row.host},
                         {"gpu", row.gpu},
                         {"link", row.kind},
                         {"received_bytes", row.received},
                         {"sent_bytes", row.sent},
                         {"peak_received_bytes_per_second", row.peakReceived},
                         {"peak_sent_bytes_per_second", row.peakSent},
                         {"link_bytes_per_second", jsonOf(row.rate)}});
    return {{"ports", ports}, {"gpu_links", links}, {"checks", checks}, {"connections", connections}, {"queue_pairs", queuePairs}};
}

Json jsonOf(const Measured<findings::CacheShare>& cache)
{
    if (!cache.known()) return {{"not_measured", cache.reason()}};
    const findings::CacheShare& share = cache.value();
    return {{"data_bytes", share.dataBytes},
            {"cache_bytes", share.cacheBytes},
            {"forecast", jsonOf(share.forecast)},
            {"observed", share.observed},
            {"forecast_pages_held", jsonOf(share.forecastHeld)},
            {"forecast_fetched_per_asked", jsonOf(share.forecastFetched)},
            {"observed_fetched_per_asked", share.observedFetched}};
}

Json jsonOf(const Measured<findings::InMemory>& inMemory)
{
    if (!inMemory.known()) return {{"not_measured", inMemory.reason()}};
    const findings::InMemory& found = inMemory.value();
    Json all = Json::array();
    for (const findings::InMemory::At& at : found.at)
        all.push_back({{"epoch_ended", at.epoch}, {"share", at.share}, {"half_width", at.halfWidth}});
    return {{"method", found.method},
            {"start_known", found.startKnown},
            {"files_looked_at", found.looked},
            {"files", found.files},
            {"at", all}};
}

Json jsonOf(const findings::Storage& storage)
{
    Json told = Json::array();
    for (const findings::Sentence& one : storage.told) told.push_back(sentence(one));
    Json servers = Json::array();
    for (const findings::ServerRow& row : storage.servers)
        servers.push_back({{"server", row.server},
                           {"epoch", row.epoch},
                           {"served_bytes_per_second", jsonOf(row.served)},
                           {"disk_bytes_per_second", jsonOf(row.disks)},
                           {"network_bytes_per_second", jsonOf(row.network)},
                           {"from_cache", jsonOf(row.cacheHits)}});
    return {{"told", told}, {"cache", jsonOf(storage.cache)}, {"data_in_memory", jsonOf(storage.inMemory)}, {"servers", servers}};
}

Json jsonOf(const findings::WatchedRow& row)
{
    return {{"host", row.host},   {"place", row.place}, {"family", row.family}, {"counter", row.counter},
            {"least", row.least}, {"mean", row.mean},   {"most", row.most}};
}

Json jsonOf(const findings::ClockRow& row)
{
    return {{"host", row.host}, {"ahead_ns", jsonOf(row.ahead)}, {"error_ns", row.error}, {"times_set", row.timesSet}};
}

Json jsonOf(const std::vector<findings::NotMeasured>& rows)
{
    Json list = Json::array();
    for (const findings::NotMeasured& row : rows) list.push_back({{"what", row.what}, {"why", row.why}, {"question", row.question}});
    return list;
}

Json jsonOf(const findings::Finding& finding)
{
    Json details = Json::array();
    for (const findings::Sentence& detail : finding.details) details.push_back(sentence(detail));
    Json evidence = Json::array();
    for (const findings::Evidence& item : finding.evidence) {
        Json place = jsonOf(item.when);
        place["rank"] = item.rank;
        place["what"] = item.what;
        evidence.push_back(place);
    }
    return {{"diagnosis", finding.diagnosis},
            {"title", finding.title},
            {"amount_ns", finding.amount},
            {"out_of_ns", finding.outOf},
            {"out_of", finding.outOfWhat},
            {"share", finding.share()},
            {"gain", finding.gain.value},
            {"gain_error", finding.gain.error},
            {"ranks", finding.ranks},
            {"where", finding.where},
            {"text", sentence(finding.verdict)},
            {"details", details},
            {"evidence", evidence},
            {"advice", finding.advice},
            {"to_be_sure", finding.toBeSure}};
}

Json jsonOf(const findings::RunSummary& summary)
{
    return {{"name", summary.name},    {"program", summary.program}, {"recorded_unix_ns", summary.recordedUnixNs},
            {"ranks", summary.ranks},  {"hosts", summary.hosts},     {"processes", summary.processes},
            {"wall_ns", summary.wall}, {"remarks", summary.remarks}, {"simulated", summary.simulated}};
}

}  // namespace

std::string jsonOf(const Report& report)
{
    Json document{
        {"schema", jsonSchema}, {"run", jsonOf(report.summary)}, {"verdict", sentence(report.verdict)}, {"healthy", report.healthy}};
    document["breakdown"] = jsonOf(report.summary.breakdown);
    document["epochs"] = Json::array();
    for (const findings::EpochRow& row : report.summary.epochs) document["epochs"].push_back(jsonOf(row));
    document["collectives"] = Json::array();
    for (const findings::CollectiveRow& row : report.summary.collectives) document["collectives"].push_back(jsonOf(row));
    document["storage"] = jsonOf(report.summary.storage);
    document["network"] = jsonOf(report.summary.network);
    for (const auto& [name, rows] : {std::pair{"fabric", &report.summary.fabric}, {"watched", &report.summary.watched}}) {
        document[name] = Json::array();
        for (const findings::WatchedRow& row : *rows) document[name].push_back(jsonOf(row));
    }
    document["clocks"] = Json::array();
    for (const findings::ClockRow& row : report.summary.clocks) document["clocks"].push_back(jsonOf(row));
    document["reads_elsewhere"] = Json::array();
    for (const findings::ReadsElsewhere& reads : report.summary.readsElsewhere)
        document["reads_elsewhere"].push_back({{"place", reads.place}, {"calls", reads.calls}, {"bytes", reads.bytes}});
    document["mapped"] = {{"files", report.summary.mapped.paths}, {"bytes", report.summary.mapped.bytes}};
    document["findings"] = Json::array();
    for (const findings::Finding& finding : report.findings) document["findings"].push_back(jsonOf(finding));
    document["not_measured"] = jsonOf(report.summary.notMeasured);
    document["degraded"] = jsonOf(report.summary.degraded);
    const findings::Cost& cost = report.summary.cost;
    document["cost"] = {
        {"cpu_share", jsonOf(cost.cpuShare)}, {"bytes_written", cost.bytesWritten}, {"events", cost.events}, {"lost", cost.lost}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace flowgauge::report
