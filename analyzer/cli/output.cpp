// SPDX-License-Identifier: MIT
#include "analyzer/cli/output.h"

#include "collector/record/error.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>

namespace flowgauge::cli {

void addFormat(CLI::App& command, std::string& format)
{
    command.add_option("--format", format, "text, markdown, json or html")
        ->check(CLI::IsMember({"text", "markdown", "json", "html"}))
        ->capture_default_str();
}

std::string render(const report::Document& document, const std::string& format)
{
    if (format == "html") return report::htmlOf(document);
    return format == "markdown" ? report::markdownOf(document) : report::plainOf(document);
}

void writeOutput(const std::string& text, const std::string& output)
{
    if (output.empty()) {
        std::cout << text << std::flush;
        return;
    }
    std::ofstream file(output, std::ios::binary);
    file << text << std::flush;
    if (!file) throw Error(output, "cannot be written");
}

}  // namespace flowgauge::cli
