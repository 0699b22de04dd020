// SPDX-License-Identifier: MIT
#include "gui/app/main_window.h"
#include "gui/app/screenshots.h"
#include "gui/app/walk.h"

#include <QApplication>
#include <QSettings>

#include <cstdio>
#include <memory>

namespace {

/// Arguments are understood before a screen is needed: --help works without one.
flowgauge::app::Parsed parseArguments(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments += QString::fromLocal8Bit(argv[i]);
    return flowgauge::app::parse(arguments);
}

bool haveScreen()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

}  // namespace

int main(int argc, char** argv)
{
    QElapsedTimer sinceStart;
    sinceStart.start();
    QCoreApplication::setApplicationName("flowgauge-gui");
    QCoreApplication::setOrganizationName("flowgauge");
    const flowgauge::app::Parsed parsed = parseArguments(argc, argv);
    if (!parsed.message.isEmpty()) {
        std::fprintf(parsed.exitStatus == 0 ? stdout : stderr, "%s\n", parsed.message.toUtf8().constData());
        return parsed.exitStatus;
    }
    const flowgauge::app::Options& options = parsed.options;
    if (!haveScreen()) {
        if (!options.unattended()) {
            std::fprintf(stderr, "flowgauge-gui: there is no screen; `flowgauge report RUN` needs none, nor does --screenshot DIR\n");
            return 1;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    const auto theme = static_cast<flowgauge::style::Theme>(QSettings().value("theme", 0).toInt() % 3);
    flowgauge::style::apply(application, options.themeGiven || options.unattended() ? options.theme : theme);
    flowgauge::app::MainWindow window(options);
    std::unique_ptr<flowgauge::app::Screenshots> screenshots;
    if (!options.screenshots.isEmpty()) screenshots = std::make_unique<flowgauge::app::Screenshots>(window, options);
    std::unique_ptr<flowgauge::app::Walk> walk;
    if (options.measure) walk = std::make_unique<flowgauge::app::Walk>(window, sinceStart);
    window.show();
    return QApplication::exec();
}
