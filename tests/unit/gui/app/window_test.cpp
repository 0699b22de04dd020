// SPDX-License-Identifier: MIT
// The real window on a small run, driven by keys and mouse.
#include "analyzer/report/units.h"
#include "gui/app/main_window.h"
#include "gui/app/views.h"
#include "gui/widgets/summary_cards.h"
#include "gui/widgets/summary_view.h"
#include "gui/widgets/table_panel.h"
#include "gui/widgets/timeline_canvas.h"
#include "gui/widgets/timeline_view.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTest>

#include <fstream>

namespace flowgauge::app {
namespace {

constexpr Nanos ms = 1'000'000;
constexpr int patienceMs = 60'000;

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
    std::unique_ptr<MainWindow> window;
};

TEST_F(Window, SaysTheVerdictCostAndEpochsOfTheReport)
{
    write();
    open();
    const report::Report& report = window->service().run()->analysis->report;
    auto* verdict = window->findChild<QLabel*>("verdict");
    ASSERT_NE(verdict, nullptr);
    EXPECT_EQ(verdict->text().toStdString(), report::sentence(report.verdict));
    const auto cards = window->findChildren<widgets::FindingCard*>();
    EXPECT_EQ(static_cast<std::size_t>(cards.size()), report.findings.size());
    const auto cells = widgets::epochCells(report.summary);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0][1].toStdString(), report::duration(report.summary.epochs[0].time));
}

TEST_F(Window, AClickOnAFindingMovesEveryViewToItsPlace)
{
    write();
    open();
    const auto cards = window->findChildren<widgets::FindingCard*>();
    ASSERT_FALSE(cards.isEmpty());
    QTest::mouseClick(cards.front(), Qt::LeftButton, {}, QPoint(8, 4));
    const findings::Finding& finding = window->service().run()->analysis->report.findings.front();
    ASSERT_FALSE(finding.evidence.empty());
    EXPECT_EQ(window->navigator().state().selection, finding.evidence.front().when);
    EXPECT_EQ(window->navigator().state().ranks, finding.ranks);
    EXPECT_EQ(window->navigator().state().view, "timeline");
    EXPECT_TRUE(window->findChild<widgets::TimelineView*>()->isVisible());
}

TEST_F(Window, KeysZoomAndMoveAndBackspaceGoesBack)
{
    write();
    open();
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    canvas.setFocus();
    const Interval whole = shown();
    QTest::keyPress(&canvas, Qt::Key_W);
    QTest::qWait(50);
    QTest::keyRelease(&canvas, Qt::Key_W);
    const Interval zoomed = shown();
    EXPECT_LT(zoomed.length(), whole.length());
    QTest::keyClick(&canvas, Qt::Key_D);
    EXPECT_EQ(shown().length(), zoomed.length());
    EXPECT_GT(shown().begin, zoomed.begin);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    EXPECT_EQ(shown(), zoomed);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    EXPECT_EQ(shown(), whole);
    QTest::keyClick(&canvas, Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(shown(), zoomed);
    QTest::keyClick(&canvas, Qt::Key_0);
    EXPECT_EQ(shown(), whole);
}

TEST_F(Window, TheWheelWithControlZoomsAtTheCursor)
{
    write();
    open();
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    const QPointF at(700, 200);
    const Nanos under = canvas.scale().timeAt(700 - 190);
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    EXPECT_LT(shown().length(), window->navigator().whole().length());
    EXPECT_NEAR(static_cast<double>(canvas.scale().timeAt(700 - 190)), static_cast<double>(under), canvas.scale().nanosPerPx());
}

TEST_F(Window, ADragSelectsAndTheTableCountsWhatLiesInIt)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    drag(view.canvas(), {191, 200}, {view.canvas().width() + 5, 200});
    ASSERT_TRUE(window->navigator().state().selection);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.selectionTable().model().rowCount() > 0; }, patienceMs));
    bool found = false;
    for (int row = 0; row < view.selectionTable().model().rowCount(); ++row) {
        const auto text = [&](int column) {
            return view.selectionTable().model().data(view.selectionTable().model().index(row, column), Qt::DisplayRole).toString();
        };
        if (text(0) != "allreduce") continue;
        found = true;
        EXPECT_EQ(text(2), "80");  // two ranks, two epochs, twenty steps
        EXPECT_EQ(text(3), "4.00 s");
    }
    EXPECT_TRUE(found);
    EXPECT_TRUE(view.csv().contains("allreduce"));
    QTest::keyClick(&view.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(window->navigator().state().selection);
}

TEST_F(Window, ControlDragZoomsToWhatWasDragged)
{
    write();
    open();
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    const Nanos from = canvas.scale().timeAt(100);
    const Nanos to = canvas.scale().timeAt(300);
    drag(canvas, {290, 200}, {490, 200}, Qt::ControlModifier);
    EXPECT_EQ(shown(), (Interval{from, to}));
}

TEST_F(Window, SearchGoesFromHitToHit)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    view.searchLine().setText("allreduce");
    QTest::keyClick(&view.searchLine(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canvas().selectedBar().has_value(); }, patienceMs));
    EXPECT_EQ(view.canvas().selectedBar()->event.begin, 50 * ms);
    QTest::keyClick(&view.searchLine(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canvas().selectedBar()->event.begin != 50 * ms; }, patienceMs));
    EXPECT_EQ(view.canvas().selectedBar()->event.begin, 150 * ms);
}

TEST_F(Window, RowsFoldAndPinAndAreFiltered)
{
    write();
    open();
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    const int height = canvas.contentHeight();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(30, widgets::rulerPx + 10));  // the host's heading
    EXPECT_LT(canvas.contentHeight(), height);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(30, widgets::rulerPx + 10));
    EXPECT_EQ(canvas.contentHeight(), height);
    canvas.togglePinned(2);
    EXPECT_EQ(canvas.contentHeight(), height - 20);
    canvas.togglePinned(2);
    canvas.setFilter("communication");
    EXPECT_EQ(canvas.contentHeight(), 24 + 2 * (22 + 20));  // the host, and two ranks with their communication
}

TEST_F(Window, TheStateIsACommandLineThatReopensIt)
{
    write();
    state::ViewState state;
    state.view = "timeline";
    state.window = Interval{500 * ms, 900 * ms};
    state.ranks = {1};
    open(state);
    EXPECT_EQ(window->navigator().state(), state);
    EXPECT_EQ(window->commandLine().toStdString(), "flowgauge-gui " + file().string() + " --view timeline --window 0.5..0.9 --ranks 1");
}

TEST_F(Window, EveryViewIsExportedAsAPictureInTwoFormats)
{
    write();
    open();
    for (widgets::View* view : window->views()) {
        window->showView(view->objectName().toStdString());
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->isSettled(); }, patienceMs));
        for (const char* ending : {".png", ".svg"}) {
            const QString picture = QString::fromStdString((folder / (view->objectName().toStdString() + ending)).string());
            EXPECT_EQ(widgets::exportView(*view, picture), QString());
            EXPECT_GT(std::filesystem::file_size(picture.toStdString()), 1000U);
        }
    }
    EXPECT_NE(widgets::exportView(*window->views().front(), "/nowhere/at/all.png"), QString());
}

TEST_F(Window, AFileThatIsNoRunIsToldAndTheNextOneOpens)
{
    write();
    const std::string foreign = (folder / "foreign.db").string();
    std::ofstream(foreign) << std::string(4096, 'x');
    open();
    QString why;
    QObject::connect(window.get(), &MainWindow::failed, [&](const QString& text) { why = text; });
    window->openRun(QString::fromStdString(foreign));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !why.isEmpty(); }, patienceMs));
    EXPECT_TRUE(why.contains("foreign.db"));
    EXPECT_FALSE(window->service().run());
    window->openRun(QString::fromStdString(file().string()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->service().run() && window->service().run()->analysis; }, patienceMs));
}

TEST_F(Window, ARunRemovedWhileOpenLeavesTheWindowAsItIs)
{
    write();
    open();
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    std::filesystem::remove(file());
    window->reload();
    QTest::keyClick(&canvas, Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window->service().isOpening(); }, patienceMs));
    EXPECT_TRUE(window->service().run());
    EXPECT_TRUE(canvas.isVisible());
}

TEST_F(Window, AnEmptyRunSaysWhatWouldFillIt)
{
    (void)finished();
    open();
    EXPECT_NE(window->findChild<QLabel*>("verdict")->text().toStdString().find("Nothing to judge"), std::string::npos);
    for (widgets::View* view : window->views()) {
        window->showView(view->objectName().toStdString());
        EXPECT_TRUE(QTest::qWaitFor([&] { return view->isSettled(); }, patienceMs)) << view->objectName().toStdString();
    }
}

}  // namespace
}  // namespace flowgauge::app
