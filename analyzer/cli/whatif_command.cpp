// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/published_file.h"
#include "analyzer/diagnoses/whatif.h"
#include "analyzer/facts/run.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/units.h"
#include "collector/record/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>

namespace flowgauge::cli {
namespace {

using diagnoses::Prediction;
using diagnoses::WhatIf;

struct WhatIfArguments {
    std::string run, link, linkNow, beside, format = "text";
    WhatIf whatIf;
};

void takeLink(WhatIfArguments& arguments)
{
    const std::string& link = arguments.link;
    if (!link.empty() && link.back() == 'x') {
        const auto [end, error] = std::from_chars(link.data(), link.data() + link.size() - 1, arguments.whatIf.linkTimes);
        if (error != std::errc() || end != link.data() + link.size() - 1 || !(arguments.whatIf.linkTimes > 0))
            throw Error("--link " + link, "expected a factor, as 2x or 0.5x");
    } else if (!link.empty()) {
        arguments.whatIf.linkBytesPerSecond = speedOf("--link", link);
    }
    if (!arguments.linkNow.empty()) arguments.whatIf.linkNowBytesPerSecond = speedOf("--link-now", arguments.linkNow);
}

bool changesNothing(const WhatIfArguments& arguments)
{
    const WhatIf& w = arguments.whatIf;
    return arguments.link.empty() && !(w.overlap || w.cached || w.noInputStall || w.noShuffleGap || w.balanced || w.gpuDirect);
}

std::string timeOf(double ns) { return report::duration(static_cast<Nanos>(std::llround(ns))); }

std::string changeIn(double now, double then)
{
    if (now <= 0) return "";
    const double share = std::abs(1 - then / now);
    return report::share(share) + (then <= now ? " less" : " more");
}

std::vector<std::string> rowOf(const std::string& what, double now, double then, double error)
{
    return {what, timeOf(now), timeOf(then), "± " + timeOf(error), changeIn(now, then)};
}

/// What was published of the same change, on as many hosts.
struct Beside {
    std::string source;
    double throughput = 0;
};

std::optional<Beside> besideOf(const WhatIfArguments& arguments, const Prediction& p, std::int64_t hosts)
{
    if (arguments.beside.empty()) return std::nullopt;
    const study::Published published = readPublished(arguments.beside);
    const auto gain = published.gainOf(hosts, p.linkNow, p.linkNow * p.linkTimes);
    if (!gain) throw Error(arguments.beside, "holds no figure for such a change of links between ", hosts, " hosts");
    return Beside{published.source, *gain};
}

void printThroughput(const Prediction& p, const std::optional<Beside>& beside)
{
    std::cout << "Throughput would change by " << report::fineChange(p.throughput.value) << " (± " << report::share(p.throughput.error)
              << ").";
    if (beside) std::cout << " Published: " << report::fineChange(beside->throughput) << ", by " << beside->source << '.';
    std::cout << '\n';
}

void printText(const std::string& name, const Prediction& p, const std::optional<Beside>& beside)
{
    const std::vector<std::vector<std::string>> rows{
        {name, "recorded", "predicted", "", ""}, rowOf("step", p.stepNow, p.step, p.stepError), rowOf("run", p.runNow, p.run, p.runError)};
    for (const std::string& line : report::table(rows, 0)) std::cout << line << '\n';
    printThroughput(p, beside);
    std::cout << "Replayed without a change, a step is " << report::share(std::abs(p.replayOff)) << " off what was recorded.\n";
    for (const findings::Sentence& remark : p.remarks) std::cout << report::sentence(remark) << '\n';
}

void printJson(const std::string& name, const Prediction& p, const std::optional<Beside>& beside)
{
    nlohmann::ordered_json out{{"run", name},
                               {"step_ns", p.stepNow},
                               {"predicted_step_ns", p.step},
                               {"predicted_step_error_ns", p.stepError},
                               {"run_ns", p.runNow},
                               {"predicted_run_ns", p.run},
                               {"predicted_run_error_ns", p.runError},
                               {"throughput_gain", p.throughput.value},
                               {"throughput_gain_error", p.throughput.error},
                               {"replay_off", p.replayOff},
                               {"remarks", nlohmann::ordered_json::array()}};
    if (beside) out["published_throughput_gain"] = beside->throughput;
    for (const findings::Sentence& remark : p.remarks) out["remarks"].push_back(report::sentence(remark));
    std::cout << out.dump(2) << '\n';
}

int predict(WhatIfArguments arguments)
{
    takeLink(arguments);
    if (changesNothing(arguments))
        throw Error("whatif", "nothing is to change; `flowgauge whatif RUN --overlap` changes one thing, --help lists all");
    open::OpenedRun run = openWithProgress(arguments.run);
    const facts::RunFacts facts = facts::factsOf(run.store, run.name);
    const diagnoses::Subject subject(facts);
    const Measured<Prediction> prediction = diagnoses::predict(subject, arguments.whatIf);
    if (!prediction.known()) throw Error(run.database.string(), "cannot be replayed: ", prediction.reason());
    const auto beside = besideOf(arguments, prediction.value(), facts.hosts);
    if (arguments.format == "json")
        printJson(run.name, prediction.value(), beside);
    else
        printText(run.name, prediction.value(), beside);
    return exitOk;
}

}  // namespace

Action describeWhatIf(CLI::App& command)
{
    const auto a = std::make_shared<WhatIfArguments>();
    command.add_option("RUN", a->run, "the run's directory or its run.db")->required();
    command.add_option("--link", a->link, "links of that speed (100Gb/s, 12.5GB/s), or so many times as fast (4x)");
    command.add_option("--link-now", a->linkNow, "what speed the links have; without it, what the fastest reductions reached");
    command.add_flag("--overlap", a->whatIf.overlap, "each bucket is reduced as soon as its gradients are ready");
    command.add_flag("--cached", a->whatIf.cached, "no read waits for storage");
    command.add_flag("--no-input-stall", a->whatIf.noInputStall, "no step waits for data");
    command.add_flag("--no-shuffle-gap", a->whatIf.noShuffleGap, "epochs follow each other as steps do");
    command.add_flag("--balanced", a->whatIf.balanced, "all ranks take the same time for their own work");
    command.add_flag("--gpudirect", a->whatIf.gpuDirect, "no copy through the hosts' memory is exposed");
    command.add_option("--beside", a->beside, "a file of published figures to show beside (samples/studies/a100_published.json)");
    command.add_option("--format", a->format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    command.footer(
        "Steps are replayed with their dependencies: what each rank does itself, and collectives that begin when the last rank has come.");
    return [a] { return predict(*a); };
}

}  // namespace flowgauge::cli
