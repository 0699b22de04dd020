// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"

#include <string>

namespace CLI {
class App;
}

namespace flowgauge::cli {

/// --format text, markdown, json or html.
void addFormat(CLI::App& command, std::string& format);

/// A document as text, markdown or html.
[[nodiscard]] std::string render(const report::Document& document, const std::string& format);

/// To a file, or to standard output for "". Throws Error for a file that cannot be written.
void writeOutput(const std::string& text, const std::string& output);

}  // namespace flowgauge::cli
