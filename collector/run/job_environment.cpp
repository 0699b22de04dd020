// SPDX-License-Identifier: MIT
#include "collector/run/job_environment.h"

#include "collector/ingest/liveness.h"
#include "collector/record/error.h"
#include "collector/record/settings.h"

namespace flowgauge::run {
namespace {

/// A list of assignments in which a later one replaces an earlier one of the same name.
class Environment {
public:
    explicit Environment(std::vector<std::string> texts) : m_texts(std::move(texts)) {}

    void set(const std::string& name, const std::string& value)
    {
        std::erase_if(m_texts, [&](const std::string& text) { return text.starts_with(name + '='); });
        m_texts.push_back(name + '=' + value);
    }
    /// Puts a value in front of a colon separated list.
    void lead(const std::string& name, const std::string& value)
    {
        std::string rest;
        for (const std::string& text : m_texts)
            if (text.starts_with(name + '=')) rest = text.substr(name.size() + 1);
        set(name, rest.empty() ? value : value + ':' + rest);
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(m_texts); }

private:
    std::vector<std::string> m_texts;
};

}  // namespace

std::vector<std::string> jobEnvironment(std::vector<std::string> inherited, const Options& options, const RunPlace& place)
{
    if (options.library.native().find_first_of(": \t") != std::string::npos)
        throw Error(options.library.native(), "LD_PRELOAD cannot hold a path with a colon or a blank; install Flowgauge elsewhere");
    std::error_code problem;
    if (!std::filesystem::exists(options.library, problem))
        throw Error(options.library.native(), "expected our library here, found nothing");
    Environment environment(std::move(inherited));
    environment.lead("LD_PRELOAD", options.library.native());
    const auto put = [&](Variable variable, const std::string& value) { environment.set(rowOf(variable).name, value); };
    put(Variable::Run, place.run.native());
    put(Variable::RunId, place.runId);
    // Only what was asked for: each host has a temporary folder of its own.
    if (!options.spoolRoot.empty()) put(Variable::Spool, place.spoolRoot.native());
    put(Variable::SampleMs, std::to_string(options.samplePeriodMs));
    if (!options.kinds.empty()) put(Variable::Kinds, options.kinds);
    if (options.maxSpoolBytes != 0) put(Variable::MaxSize, std::to_string(options.maxSpoolBytes));
    put(Variable::Launcher, ingest::hostName());
    if (!options.pythonFolder.empty() && std::filesystem::is_directory(options.pythonFolder, problem))
        environment.lead("PYTHONPATH", options.pythonFolder.native());
    return environment.take();
}

}  // namespace flowgauge::run
