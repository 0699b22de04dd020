// SPDX-License-Identifier: MIT
#include "gui/app/options.h"

#include "gui/app/views.h"
#include "gui/state/command_line.h"

#include <QCommandLineParser>
#include <QSize>

#include <algorithm>

namespace flowgauge::app {

namespace {

constexpr int usageError = 2;

QStringList viewIds()
{
    QStringList ids;
    for (const ViewRow& row : views()) ids += row.id;
    return ids;
}

void declare(QCommandLineParser& parser)
{
    parser.setApplicationDescription("Shows a run: what slowed it, why, and where in time.");
    parser.addPositionalArgument("RUN", "A run's directory or its run.db; more than one to compare them.", "[RUN...]");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({"view", "Open on this view: " + viewIds().join(", ") + ".", "VIEW"});
    parser.addOption({"window", "Show this piece of run time, in seconds.", "BEGIN..END"});
    parser.addOption({"select", "Select this piece of run time.", "BEGIN..END"});
    parser.addOption({"ranks", "Show these ranks, as in 0,3,8-11.", "RANKS"});
    parser.addOption({"search", "Search the timeline.", "TEXT"});
    parser.addOption({"marks", "Set marks 1, 2, ... at these run times, in seconds, as in 12.5,30.", "TIMES"});
    parser.addOption({"screenshot", "Write a picture and the table of every view (of one with --view) to this folder, and end.", "DIR"});
    parser.addOption({"measure", "Walk through the run, print how long its pictures took, and end."});
    parser.addOption({"size", "Size of the window in pixels, as in 1440x900.", "WxH"});
    parser.addOption({"theme", "light, dark or system.", "THEME"});
}

/// Each takes the text of an option; false when it cannot be understood.
bool takeWindow(const QString& text, std::optional<Interval>& into)
{
    if (!text.isEmpty()) into = state::parseWindow(text.toStdString());
    return text.isEmpty() || into.has_value();
}

bool takeRanks(const QString& text, std::vector<int>& into)
{
    if (text.isEmpty()) return true;
    const auto ranks = state::parseRanks(text.toStdString());
    if (ranks) into = *ranks;
    return ranks.has_value();
}

bool takeMarks(const QString& text, std::vector<Nanos>& into)
{
    if (text.isEmpty()) return true;
    const auto marks = state::parseMarks(text.toStdString());
    if (marks) into = *marks;
    return marks.has_value();
}

bool takeSize(const QString& text, QSize& into)
{
    if (text.isEmpty()) return true;
    const QStringList sides = text.split('x');
    if (sides.size() != 2) return false;
    const QSize size(sides[0].toInt(), sides[1].toInt());
    if (size.width() < 320 || size.height() < 240 || size.width() > 16384 || size.height() > 16384) return false;
    into = size;
    return true;
}

bool takeTheme(const QString& text, Options& into)
{
    const QStringList names{"system", "light", "dark"};
    if (text.isEmpty()) return true;
    const auto at = names.indexOf(text);
    into.theme = static_cast<style::Theme>(std::max<qsizetype>(at, 0));
    into.themeGiven = true;
    return at >= 0;
}

/// The first option that makes no sense, as a sentence; "" when all do.
QString take(const QCommandLineParser& parser, Options& options)
{
    options.runs = parser.positionalArguments();
    options.measure = parser.isSet("measure");
    options.state.view = options.measure ? "timeline" : parser.value("view").toStdString();
    options.state.search = parser.value("search").toStdString();
    options.screenshots = parser.value("screenshot");
    if (parser.isSet("view") && !viewIds().contains(parser.value("view")))
        return "--view " + parser.value("view") + ": expected one of " + viewIds().join(", ");
    if (!takeWindow(parser.value("window"), options.state.window)) return "--window: expected two times in seconds, as in 12.5..30";
    if (!takeWindow(parser.value("select"), options.state.selection)) return "--select: expected two times in seconds, as in 12.5..30";
    if (!takeRanks(parser.value("ranks"), options.state.ranks)) return "--ranks: expected numbers, as in 0,3,8-11";
    if (!takeMarks(parser.value("marks"), options.state.marks)) return "--marks: expected at most nine times in seconds, as in 12.5,30";
    if (!takeSize(parser.value("size"), options.size)) return "--size: expected width and height in pixels, as in 1440x900";
    if (!takeTheme(parser.value("theme"), options)) return "--theme: expected light, dark or system";
    if (!options.screenshots.isEmpty() && options.runs.isEmpty()) return "--screenshot: expected a run to show";
    if (options.measure && options.runs.isEmpty()) return "--measure: expected a run to walk through";
    return {};
}

}  // namespace

Parsed parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    declare(parser);
    Parsed parsed;
    if (!parser.parse(arguments)) return {{}, parser.errorText(), usageError};
    if (parser.isSet("help")) return {{}, parser.helpText().trimmed(), 0};
    if (parser.isSet("version")) return {{}, QStringLiteral("flowgauge-gui " FLOWGAUGE_VERSION), 0};
    parsed.message = take(parser, parsed.options);
    if (!parsed.message.isEmpty()) parsed.exitStatus = usageError;
    return parsed;
}

}  // namespace flowgauge::app
