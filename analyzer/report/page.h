// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/lines.h"
#include "analyzer/report/report.h"

#include <string>
#include <string_view>

namespace flowgauge::report {

/// Writes lines of one report.
class Page {
public:
    explicit Page(TextStyle style) : m_style(style) {}

    void line(std::string_view text) { (m_text += text) += '\n'; }
    void gap() { m_text += '\n'; }
    /// `head`, then the words wrapped beside it.
    void hanging(std::string_view head, std::string_view words)
    {
        const int indent = columnsOf(head);
        bool first = true;
        for (const std::string& part : wrapped(words, m_style.width - indent)) {
            line((first ? std::string(head) : padded("", indent)) + part);
            first = false;
        }
    }
    [[nodiscard]] std::string bold(std::string_view text) const
    {
        return m_style.colour ? "\033[1m" + std::string(text) + "\033[0m" : std::string(text);
    }
    [[nodiscard]] std::string coloured(std::string_view text, int colour) const
    {
        return m_style.colour ? "\033[38;5;" + std::to_string(colour) + "m" + std::string(text) + "\033[0m" : std::string(text);
    }
    [[nodiscard]] int width() const { return m_style.width; }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    TextStyle m_style;
    std::string m_text;
};

}  // namespace flowgauge::report
