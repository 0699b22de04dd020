// SPDX-License-Identifier: MIT
#include "collector/sample/mountstats.h"

namespace flowgauge::sample {
namespace {

/// "device D mounted on P with fstype T [statvers=...]", or "no device mounted on ...". All white space in D and P of an
/// NFS mount is escaped, so words are safe there; other lines may hold anything and fail one of the tests.
bool parseHeader(std::string_view line, NfsMount& into)
{
    Words words(line);
    std::string_view word, type;
    if (!words.next(word)) return false;
    if (word == "no") {
        into.device = {};
        if (!words.next(word) || word != "device") return false;
    } else if (word != "device" || !words.next(into.device)) {
        return false;
    }
    for (const std::string_view expected : {std::string_view("mounted"), std::string_view("on")})
        if (!words.next(word) || word != expected) return false;
    if (!words.next(into.path)) return false;
    for (const std::string_view expected : {std::string_view("with"), std::string_view("fstype")})
        if (!words.next(word) || word != expected) return false;
    return words.next(type) && isNfsType(type) && words.next(word) && startsWith(word, "statvers=");
}

bool isHeader(std::string_view line) { return startsWith(line, "device ") || startsWith(line, "no device mounted on "); }

MaybeNumber trusted(std::uint64_t value) { return {value, value < unknownFrom}; }

/// A name of the kernel's list (READ_PLUS), or the bare number of an operation that has none.
bool isOperation(std::string_view key)
{
    if (key.size() < 2 || key.back() != ':') return false;
    for (const char letter : upTo(key, key.size() - 1))
        if (!((letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '_')) return false;
    return true;
}

void takeEvents(std::string_view numbers, NfsMount& into)
{
    std::array<std::uint64_t, 27> event{};
    const std::size_t count = parseNumbers(numbers, event);
    if (count > 2) into.invalidations = trusted(event[2]);
    if (count > 17) into.releases = trusted(event[17]);
    if (count > 24) into.delays = trusted(event[24]);
    if (count > 25) into.pnfsReads = trusted(event[25]);
}

void takeBytes(std::string_view numbers, NfsMount& into)
{
    std::array<std::uint64_t, bytesFields> field{};
    const std::size_t count = parseNumbers(numbers, field);
    for (std::size_t at = 0; at < count; ++at) into.bytes[at] = trusted(field[at]);
}

MaybeNumber firstNumber(std::string_view text)
{
    std::array<std::uint64_t, 1> value{};
    return parseNumbers(text, value) == 1 ? trusted(value[0]) : MaybeNumber{};
}

void takeLine(std::string_view line, NfsMount& into)
{
    Words words(line);
    std::string_view key;
    if (!words.next(key)) return;
    if (key == "READ:" || key == "READ_PLUS:") return into.reads.add(words.rest());
    if (key == "WRITE:") return into.writes.add(words.rest());
    if (isOperation(key)) return into.others.add(words.rest());
    if (key == "bytes:") return takeBytes(words.rest(), into);
    if (key == "events:") return takeEvents(words.rest(), into);
    if (key == "xprt:") return into.transport.add(words.rest());
    if (key == "age:") into.ageSeconds = firstNumber(words.rest());
    if (key == "fsc:") into.cachePages = firstNumber(words.rest());
    if (key == "opts:" && words.next(key)) into.options = from(line, static_cast<std::size_t>(key.data() - line.data()));
    // The value for a mount without a layout holds a space: "pnfs=not configured".
    if (key == "nfsv4:" && startsWith(valueOfOption(words.rest(), "pnfs"), "LAYOUT_")) into.layout = valueOfOption(words.rest(), "pnfs");
}

/// Where a protocol's numbers stand after its name. rdma had 20 numbers before 4.15; tcp and udp have three more since 3.4.
struct TransportShape {
    std::string_view protocol;
    std::size_t least, connects, sends;  ///< receives, bad xids, in flight and backlog follow the sends; connects 0: none
};
constexpr std::array transportShapes{
    TransportShape{"tcp", 10, 2, 5}, TransportShape{"udp", 7, 0, 2}, TransportShape{"rdma", 10, 2, 5},
    TransportShape{"local", 9, 1, 4},  // AF_LOCAL has no port
};

}  // namespace

void OpSums::add(std::string_view numbers)
{
    std::array<std::uint64_t, opColumns> column{};
    const std::size_t count = parseNumbers(numbers, column);
    if (count < leastOpColumns) return;
    for (std::size_t at = 0; at < opColumns; ++at) {
        const MaybeNumber more = at < count ? trusted(column[at]) : MaybeNumber{};
        m_columns[at] = {m_columns[at].value + more.value, more.known && (!m_any || m_columns[at].known)};
    }
    m_any = true;
}

void TransportSums::add(std::string_view line)
{
    Words words(line);
    std::string_view protocol;
    if (!words.next(protocol)) return;
    ++connections;
    std::array<std::uint64_t, 27> value{};
    const std::size_t count = parseNumbers(words.rest(), value);
    for (const TransportShape& shape : transportShapes) {
        if (!startsWith(protocol, shape.protocol) || count < shape.least) continue;
        known = true;
        if (shape.connects != 0) connects += value[shape.connects];
        sends += value[shape.sends];
        receives += value[shape.sends + 1];
        badXids += value[shape.sends + 2];
        inFlight += value[shape.sends + 3];
        backlog += value[shape.sends + 4];
        if (shape.protocol != "rdma" || count < 15) return;
        rdma = true;
        rdmaRequestBytes += value[13];
        rdmaReplyBytes += value[14];
    }
}

std::string_view valueOfOption(std::string_view list, std::string_view name)
{
    while (!list.empty()) {
        while (!list.empty() && (list.front() == ' ' || list.front() == ',')) list.remove_prefix(1);
        const std::size_t end = list.find(',');
        const std::string_view one = upTo(list, end);
        if (one.size() > name.size() && startsWith(one, name) && one[name.size()] == '=') return from(one, name.size() + 1);
        list = from(list, one.size());
    }
    return {};
}

std::string_view NfsMount::option(std::string_view name) const { return valueOfOption(options, name); }

bool NfsMount::hasOption(std::string_view name) const
{
    std::string_view list = options;
    while (!list.empty()) {
        while (!list.empty() && (list.front() == ' ' || list.front() == ',')) list.remove_prefix(1);
        const std::string_view one = upTo(list, list.find(','));
        if (startsWith(one, name) && (one.size() == name.size() || one[name.size()] == '=')) return true;
        list = from(list, one.size());
    }
    return false;
}

/// A record lasts until the next one begins: an empty line does not end it, since an impl_id may hold newlines.
bool NfsMounts::next(NfsMount& into)
{
    std::string_view line = m_header;
    m_header = {};
    while (line.empty() || !isHeader(line) || !parseHeader(line, into = {}))
        if (!m_lines.next(line)) return false;
    while (m_lines.next(line)) {
        if (isHeader(line)) {
            m_header = line;
            return true;
        }
        takeLine(line, into);
    }
    return true;
}

/// "36 27 0:31 / /mnt rw,relatime [optional ...] - nfs server:/x rw,...": there may be no optional field, or several.
bool MountInfoLines::next(MountInfo& into)
{
    std::string_view line, word;
    while (m_lines.next(line)) {
        Words words(line);
        into = {};
        int field = 0;
        while (words.next(word) && word != "-") {
            ++field;
            if (field == 3) into.superblock = word;
            if (field == 5) into.path = word;
        }
        if (field < 6 || word != "-" || !words.next(into.type)) continue;
        if (words.next(into.device) && words.next(word)) into.options = word;
        return true;
    }
    return false;
}

std::size_t decodeOctal(std::string_view text, char* into, std::size_t size)
{
    const auto isOctal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size() && length < size; ++at) {
        if (text[at] == '\\' && isOctal(at + 1) && isOctal(at + 2) && isOctal(at + 3)) {
            into[length++] = static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
            at += 3;
        } else {
            into[length++] = text[at];
        }
    }
    return length;
}

}  // namespace flowgauge::sample
