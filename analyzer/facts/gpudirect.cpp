// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpudirect.h"

#include <algorithm>
#include <cctype>

namespace flowgauge::facts {
namespace {

constexpr std::string_view networkMark = " via NET/";
constexpr std::size_t mostSaid = 12;

std::string plural(std::int64_t count, const char* noun) { return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s"); }

/// "IB/0(1)/GDRDMA/Shared", taken apart; well formed only when nothing stands in it that NCCL never writes.
struct Way {
    std::string network;
    bool direct = false, wellFormed = false;
};

bool isDevice(std::string_view part)
{
    // "0", or with the proxy's rank "0(3)"
    const std::size_t open = part.find('(');
    const std::string_view number = part.substr(0, open);
    if (number.empty() || !std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) return false;
    if (open == std::string_view::npos) return true;
    const std::string_view proxy = part.substr(open + 1);
    return proxy.size() >= 2 && proxy.back() == ')' &&
           std::all_of(proxy.begin(), proxy.end() - 1, [](unsigned char c) { return std::isdigit(c) != 0; });
}

Way wayOf(std::string_view text)
{
    Way way;
    text = text.substr(0, text.find_first_of(" \t"));
    for (int position = 0; !text.empty(); ++position) {
        const std::size_t slash = std::min(text.find('/'), text.size());
        const std::string_view part = text.substr(0, slash);
        text.remove_prefix(std::min(slash + 1, text.size()));
        if (position == 0) {
            way.network = part;
        } else if (position == 1) {
            if (!isDevice(part)) return way;
            way.wellFormed = !way.network.empty();
        } else if (part.starts_with("GDRDMA")) {
            way.direct = true;
            way.wellFormed = way.wellFormed && (part == "GDRDMA" || part == "GDRDMA(PCI)");
        } else if (part != "Shared" && part != "Flush") {
            way.wellFormed = false;
        }
    }
    return way;
}

std::string sentenceOf(const NetConnections& row)
{
    const std::int64_t all = row.direct + row.staged;
    return std::to_string(row.direct) + " of " + plural(all, row.sends ? "sending connection" : "receiving connection") + " over NET/" +
           row.network + (row.direct == 1 ? " uses" : " use") + " GPUDirect RDMA (NCCL's own lines)";
}

}  // namespace

std::string_view nameOf(GpuDirectUse use)
{
    switch (use) {
        case GpuDirectUse::Used:
            return "used";
        case GpuDirectUse::Staged:
            return "staged through host";
        case GpuDirectUse::Mixed:
            return "mixed";
        case GpuDirectUse::Unknown:
            break;
    }
    return "unknown";
}

std::int64_t GpuDirect::direct() const
{
    std::int64_t sum = 0;
    for (const NetConnections& row : connections) sum += row.direct;
    return sum;
}

std::int64_t GpuDirect::staged() const
{
    std::int64_t sum = 0;
    for (const NetConnections& row : connections) sum += row.staged;
    return sum;
}

void GpuDirectLog::take(std::string_view line)
{
    // The end of a message whose beginning stands in another line: that one looked like a connection without GPUDirect.
    if (line.starts_with("/GDRDMA")) ++m_cutOff;
    if (line.find("NCCL ") == std::string_view::npos && line.find(networkMark) == std::string_view::npos) return;
    ++m_lines;
    std::size_t from = 0;
    for (std::size_t at = line.find(networkMark); at != std::string_view::npos; at = line.find(networkMark, from)) {
        takeConnection(line.substr(from, at - from), line.substr(at + networkMark.size()));
        from = at + networkMark.size();
    }
    if (const std::size_t at = line.find("GPU Direct RDMA "); at != std::string_view::npos) takeDecision(line.substr(at));
}

void GpuDirectLog::takeConnection(std::string_view before, std::string_view text)
{
    const std::size_t send = before.rfind("[send]"), receive = before.rfind("[receive]");
    const Way way = wayOf(text);
    if ((send == std::string_view::npos && receive == std::string_view::npos) || !way.wellFormed) {
        ++m_torn;
        return;
    }
    const bool sends = receive == std::string_view::npos || (send != std::string_view::npos && send > receive);
    auto row = std::find_if(m_connections.begin(), m_connections.end(),
                            [&](const NetConnections& known) { return known.network == way.network && known.sends == sends; });
    if (row == m_connections.end()) row = m_connections.insert(row, {way.network, sends, 0, 0});
    ++(way.direct ? row->direct : row->staged);
}

void GpuDirectLog::takeDecision(std::string_view message)
{
    if (!message.starts_with("GPU Direct RDMA Enabled") && !message.starts_with("GPU Direct RDMA Disabled")) return;
    const std::string text(message.substr(0, message.find_first_of("\r\n")));
    const auto known = std::find_if(m_said.begin(), m_said.end(), [&](const Said& said) { return said.text == text; });
    if (known != m_said.end())
        ++known->times;
    else if (m_said.size() < mostSaid)
        m_said.push_back({text, 1});
}

GpuDirect GpuDirectLog::verdict(const std::vector<std::string>& capabilities) const
{
    GpuDirect result;
    result.connections = m_connections;
    result.spoken = !silent();
    const std::int64_t direct = result.direct(), staged = result.staged();
    // As many of those that look staged may be the first halves of messages whose second halves stood alone.
    const bool doubtful = m_cutOff > 0 && staged <= m_cutOff;
    if (direct > 0)
        result.use = staged > 0 && !doubtful ? GpuDirectUse::Mixed : GpuDirectUse::Used;
    else if (staged > 0)
        result.use = doubtful ? GpuDirectUse::Unknown : GpuDirectUse::Staged;
    for (const NetConnections& row : m_connections) result.evidence.push_back(sentenceOf(row));
    if (direct + staged == 0)
        result.evidence.emplace_back(silent() ? "the job printed no line of NCCL: run it with NCCL_DEBUG=INFO, without NCCL_DEBUG_FILE"
                                              : "NCCL printed no connection over a network: all its connections are within hosts, or "
                                                "NCCL_DEBUG_SUBSYS leaves INIT out");
    if (m_torn + m_cutOff > 0)
        result.evidence.push_back(plural(m_torn + m_cutOff, "line") + " of NCCL could not be read: torn by other ranks' output");
    for (const Said& said : m_said)
        result.evidence.push_back("NCCL said: " + said.text + (said.times > 1 ? " (" + plural(said.times, "time") + ")" : ""));
    result.evidence.insert(result.evidence.end(), capabilities.begin(), capabilities.end());
    return result;
}

}  // namespace flowgauge::facts
