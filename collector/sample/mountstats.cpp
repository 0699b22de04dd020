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

/// A mount has READ lines, READ_PLUS lines (v4.2) or both; a column that one of them does not know is unknown in the sum.
void addReads(std::string_view numbers, std::array<MaybeNumber, opColumns>& sum)
{
    std::array<std::uint64_t, opColumns> column{};
    if (parseNumbers(numbers, column) < opColumns) return;
    const bool first = !sum[0].known && sum[0].value == 0;
    for (std::size_t at = 0; at < opColumns; ++at) {
        const MaybeNumber more = trusted(column[at]);
        sum[at] = {sum[at].value + more.value, more.known && (first || sum[at].known)};
    }
}

void takeLine(std::string_view line, NfsMount& into)
{
    Words words(line);
    std::string_view key;
    if (!words.next(key)) return;
    if (key == "bytes:") {
        std::array<std::uint64_t, bytesFields> field{};
        const std::size_t count = parseNumbers(words.rest(), field);
        for (std::size_t at = 0; at < count; ++at) into.bytes[at] = trusted(field[at]);
    } else if (key == "events:") {
        std::array<std::uint64_t, 18> event{};
        const std::size_t count = parseNumbers(words.rest(), event);
        if (count > 2) into.invalidations = trusted(event[2]);
        if (count > 17) into.releases = trusted(event[17]);
    } else if (key == "READ:" || key == "READ_PLUS:") {
        addReads(words.rest(), into.reads);
    }
}

}  // namespace

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
        if (field >= 6 && word == "-" && words.next(into.type)) return true;
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
