// SPDX-License-Identifier: MIT
#pragma once
#include "gui/app/main_window.h"
#include "gui/style/theme.h"
#include "gui/widgets/timeline_canvas.h"
#include "gui/widgets/timeline_view.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <QApplication>
#include <QLabel>
#include <QSettings>
#include <QTest>

namespace flowgauge::app {

inline constexpr Nanos ms = 1'000'000;
inline constexpr int patienceMs = 60'000;

/// The real window on a small run.
class Window : public facts::SmallRun {
protected:
    static void SetUpTestSuite()
    {
        if (qApp != nullptr) return;
        if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
        static const std::string home =
            (std::filesystem::temp_directory_path() / ("flowgauge-window-" + std::to_string(::getpid()))).string();
        QCoreApplication::setOrganizationName("flowgauge-test");
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, QString::fromStdString(home));
        static int count = 1;
        static char name[] = "window";
        static char* arguments[] = {name, nullptr};
        static auto* application = new QApplication(count, arguments);
        style::apply(*application, style::Theme::Light);
    }

    void SetUp() override { QSettings().clear(); }

    /// Two ranks, two epochs of 20 steps of 100 ms; communication is exposed for half of each step.
    void write()
    {
        for (int rank = 0; rank < 2; ++rank) {
            const store::Id id = process(100 + rank, rank, 2);
            for (int epoch = 0; epoch < 2; ++epoch) {
                const Nanos begin = epoch * 2500 * ms;
                mark(id, Kind::EpochMark, {begin, begin + 2000 * ms}, epoch + 1, 320);
                for (int step = 0; step < 20; ++step) {
                    const Nanos at = begin + step * 100 * ms;
                    mark(id, Kind::StepMark, {at, at + 100 * ms}, epoch * 20 + step, 16);
                    read(id, "/data/train-00000.rec", {at, at + 5 * ms}, 500'000);
                    phase(id, "forward", {at + 5 * ms, at + 50 * ms});
                    put(id, {at + 50 * ms, at + 100 * ms, 0, Kind::Allreduce, 0, {1, 4'000'000, epoch * 20 + step + 1, -1}});
                }
            }
        }
        (void)finished();
    }
    MainWindow& open(state::ViewState state = {})
    {
        window = std::make_unique<MainWindow>(Options{});
        window->resize(1280, 800);
        window->show();
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get(), patienceMs));  // shortcuts are for the window that has the keyboard
        window->openRunAt(QString::fromStdString(file().string()), state);
        EXPECT_TRUE(QTest::qWaitFor([this] { return window->service().run() && window->service().run()->analysis; }, patienceMs));
        return *window;
    }
    widgets::TimelineView& timelineView()
    {
        window->showView("timeline");
        auto* view = window->findChild<widgets::TimelineView*>();
        EXPECT_TRUE(QTest::qWaitFor([&] { return view->isVisible() && view->isSettled(); }, patienceMs));
        return *view;
    }
    /// The timeline of the small run, with the keyboard.
    widgets::TimelineCanvas& openedTimeline()
    {
        write();
        open();
        widgets::TimelineCanvas& canvas = timelineView().canvas();
        canvas.setFocus();
        return canvas;
    }
    /// The same, of the rows that pass the filter over a piece of time, with all that there is to see.
    widgets::TimelineCanvas& openedTimeline(const char* filter, Interval when)
    {
        widgets::TimelineCanvas& canvas = openedTimeline();
        canvas.setFilter(filter);
        window->navigator().showWindow(when);
        EXPECT_TRUE(QTest::qWaitFor([&] { return timelineView().isSettled(); }, patienceMs));
        return canvas;
    }
    [[nodiscard]] Interval shown() const { return window->navigator().window(); }
    void drag(QWidget& on, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(&on, Qt::LeftButton, keys, from);
        for (int i = 1; i <= 4; ++i) {
            const QPointF at = from + (to - from) * i / 4.0;
            QMouseEvent move(QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
            QApplication::sendEvent(&on, &move);
        }
        QTest::mouseRelease(&on, Qt::LeftButton, keys, to);
    }
    /// Whether a visible line begins with these words.
    [[nodiscard]] bool isTold(const char* words) const
    {
        const auto labels = window->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* one) { return one->isVisible() && one->text().startsWith(words); });
    }
    std::unique_ptr<MainWindow> window;
};

}  // namespace flowgauge::app
