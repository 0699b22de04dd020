// SPDX-License-Identifier: MIT
#include "collector/ingest/run_info.h"

#include "collector/record/error.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace flowgauge::ingest {
namespace {
std::filesystem::path fileOf(const std::filesystem::path& run) { return run / "run.info"; }
}  // namespace

RunInfo readRunInfo(const std::filesystem::path& run)
{
    RunInfo info;
    std::ifstream file(fileOf(run));
    for (std::string line; std::getline(file, line);)
        if (const auto equals = line.find('='); equals != std::string::npos) info[line.substr(0, equals)] = line.substr(equals + 1);
    return info;
}

void writeRunInfo(const std::filesystem::path& run, const RunInfo& info)
{
    const std::filesystem::path target = fileOf(run);
    std::filesystem::path draft = target;
    draft += ".new";
    std::ofstream file(draft, std::ios::trunc);
    for (auto [key, value] : info) {
        std::replace(value.begin(), value.end(), '\n', ' ');
        file << key << '=' << value << '\n';
    }
    file.close();
    std::error_code problem;
    if (file) std::filesystem::rename(draft, target, problem);
    if (!file || problem) throw Error(target.native(), "cannot be written", problem ? ": " + problem.message() : "");
}

std::optional<std::int64_t> numberOf(const RunInfo& info, const std::string& key)
{
    const auto found = info.find(key);
    if (found == info.end()) return std::nullopt;
    std::int64_t number = 0;
    const char* const end = found->second.data() + found->second.size();
    const auto [stop, problem] = std::from_chars(found->second.data(), end, number);
    if (problem != std::errc() || stop != end) return std::nullopt;
    return number;
}

}  // namespace flowgauge::ingest
