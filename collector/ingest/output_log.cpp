// SPDX-License-Identifier: MIT
#include "collector/ingest/output_log.h"

#include "collector/store/ingest_rows.h"

#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace flowgauge::ingest {
namespace {

constexpr std::size_t longestLine = 4096;
constexpr std::array<std::string_view, 4> streamNames{"", "stdout", "stderr", "both"};

/// Length of the UTF-8 sequence at `at`, or 0 where there is none (RFC 3629; overlong forms are not told apart).
std::size_t sequenceAt(std::string_view text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
    return length;
}

/// Puts pieces together to lines, each stream for itself.
class LineMaker {
public:
    LineMaker(store::IngestRows& rows, Nanos tZero) : m_rows(rows), m_tZero(tZero) {}

    void take(const OutputPiece& piece, std::string_view bytes)
    {
        Open& open = m_open[piece.stream < m_open.size() ? piece.stream : 0];
        for (const char byte : bytes) {
            if (open.text.empty()) open.beganNs = piece.realtimeNs;
            if (byte == '\n' || byte == '\r')
                close(open, piece.stream);
            else if (open.text.size() < longestLine)
                open.text += byte;
        }
    }
    void closeAll()
    {
        for (std::uint32_t stream = 0; stream < m_open.size(); ++stream) close(m_open[stream], stream);
    }
    [[nodiscard]] std::int64_t leftOut() const { return m_lines > mostOutputLines ? m_lines - mostOutputLines : 0; }

private:
    struct Open {
        std::string text;
        std::int64_t beganNs = 0;
    };
    void close(Open& open, std::uint32_t stream)
    {
        if (open.text.empty()) return;
        const std::optional<Nanos> at = open.beganNs == 0 ? std::nullopt : std::optional(open.beganNs - m_tZero);
        if (++m_lines <= mostOutputLines) m_rows.putOutputLine(at, streamNames[stream < 4 ? stream : 0], readable(open.text));
        open.text.clear();
    }

    store::IngestRows& m_rows;
    Nanos m_tZero;
    std::array<Open, 4> m_open;
    std::int64_t m_lines = 0;
};

}  // namespace

std::string readable(std::string_view text)
{
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == '\0' ? 0 : sequenceAt(text, at);
        clean += length == 0 ? std::string_view("?") : text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return clean;
}

void storeOutput(const std::filesystem::path& run, store::RunStore& store, Nanos tZeroUnixNs)
{
    std::ifstream index(run / "output.idx", std::ios::binary);
    std::ifstream log(run / "output.log", std::ios::binary);
    if (!index || !log) return;
    store::Transaction transaction(store.database());
    store::IngestRows rows(store.database());
    rows.clearOutput();
    LineMaker lines(rows, tZeroUnixNs);
    OutputPiece piece{};
    std::string bytes;
    constexpr std::uint32_t mostPieceBytes = 64 << 20;
    while (index.read(reinterpret_cast<char*>(&piece), sizeof piece) && piece.bytes <= mostPieceBytes) {
        bytes.resize(piece.bytes);
        log.seekg(static_cast<std::streamoff>(piece.offset));
        if (!log.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) break;
        lines.take(piece, bytes);
    }
    lines.closeAll();
    if (lines.leftOut() > 0) store.putLedger({0, 0, "output_line", "dropped", "more than 200,000 lines", lines.leftOut()});
    transaction.commit();
}

}  // namespace flowgauge::ingest
