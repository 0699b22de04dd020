// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "analyzer/cli/suggestion.h"
#include "collector/record/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

namespace flowgauge::cli {
namespace {

void complain(const std::string& what) { std::fprintf(stderr, "flowgauge: %s\n", what.c_str()); }

/// A first word that is no command, answered before the parser says something less helpful.
bool isUnknownCommand(int count, char** arguments)
{
    if (count < 2 || arguments[1][0] == '-') return false;
    std::vector<std::string_view> names;
    for (const Command& command : commands()) {
        if (std::string_view(arguments[1]) == command.name) return false;
        names.emplace_back(command.name);
    }
    const std::string meant = nearest(arguments[1], names);
    complain("'" + std::string(arguments[1]) + "' is no command; " +
             (meant.empty() ? "`flowgauge --help` lists them" : "did you mean '" + meant + "'?"));
    return true;
}

/// The words without the first "--": CLI11 would take what stands behind it for arguments of our own. The job begins at the
/// first word that is no option, with the mark or without it.
std::vector<const char*> withoutMark(int count, char** arguments)
{
    std::vector<const char*> words(arguments, arguments + count);
    const auto isMark = [](const char* word) { return std::string_view(word) == "--"; };
    if (const auto mark = std::find_if(words.begin(), words.end(), isMark); mark != words.end()) words.erase(mark);
    return words;
}

/// The action of the command that was given, after parsing. Throws CLI::ParseError.
int parseAndRun(int count, char** arguments)
{
    CLI::App app("Says where the time of a training job went: storage, network or GPU.", "flowgauge");
    app.require_subcommand(1);
    app.set_version_flag("--version", versionLine());
    std::vector<std::pair<CLI::App*, Action>> actions;
    for (const Command& command : commands()) {
        CLI::App* described = app.add_subcommand(command.name, command.sentence);
        actions.emplace_back(described, command.describe(*described));
    }
    try {
        const std::vector<const char*> words = withoutMark(count, arguments);
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::Success& answer) {  // --help, --version
        return app.exit(answer);
    } catch (const CLI::ParseError& error) {
        complain(std::string(error.what()) + "; `flowgauge --help` tells more");
        return exitUsage;
    }
    for (const auto& [command, action] : actions)
        if (command->parsed()) return action();
    return exitUsage;
}

}  // namespace
}  // namespace flowgauge::cli

int main(int count, char** arguments)
{
    using namespace flowgauge::cli;
    if (isUnknownCommand(count, arguments)) return exitUsage;
    try {
        return parseAndRun(count, arguments);
    } catch (const flowgauge::Error& error) {
        complain(error.what());
        return exitUsage;
    } catch (const std::exception& error) {
        complain(error.what());
        return exitFailure;
    }
}
