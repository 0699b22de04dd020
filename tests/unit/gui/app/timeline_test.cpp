// SPDX-License-Identifier: MIT
// The timeline of the real window, driven by keys and mouse.
#include "gui/app/command_palette.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/minimap.h"
#include "gui/widgets/selection_panel.h"
#include "gui/widgets/table_panel.h"
#include "gui/widgets/timeline_search.h"
#include "tests/unit/gui/app/open_window.h"

#include <QAction>
#include <QLineEdit>

namespace flowgauge::app {
namespace {

TEST_F(Window, KeysZoomAndMoveAndBackspaceGoesBack)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
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
    QTest::keyClick(&canvas, Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(shown(), zoomed);
    QTest::keyClick(&canvas, Qt::Key_Home);
    EXPECT_EQ(shown(), whole);
}

TEST_F(Window, AHeldKeyMovesFasterTheLongerItIsHeld)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    window->navigator().showWindow({100 * ms, 110 * ms});
    std::vector<Nanos> begins{shown().begin};
    QObject::connect(&window->navigator(), &widgets::Navigator::changed, &canvas, [&] { begins.push_back(shown().begin); });
    QTest::keyPress(&canvas, Qt::Key_D);
    QTest::qWait(600);
    QTest::keyRelease(&canvas, Qt::Key_D);
    ASSERT_GT(begins.size(), 3U);
    const Nanos first = begins[1] - begins[0];
    EXPECT_GT(first, 0);
    EXPECT_GT(begins.back() - begins[begins.size() - 2], first);
    const std::size_t moved = begins.size();
    QTest::qWait(60);
    EXPECT_EQ(begins.size(), moved) << "it stands when the key is let go";
}

TEST_F(Window, TheWheelWithControlZoomsAtTheCursor)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const QPointF at(700, 200);
    const Nanos under = canvas.scale().timeAt(700 - 190);
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    EXPECT_LT(shown().length(), window->navigator().whole().length());
    EXPECT_NEAR(static_cast<double>(canvas.scale().timeAt(700 - 190)), static_cast<double>(under), canvas.scale().nanosPerPx());
}

TEST_F(Window, APinchOnATouchPadZoomsBetweenTheFingersAsOneStepBack)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const Interval whole = shown();
    const QPointF at(700, 200);
    const Nanos under = canvas.scale().timeAt(700 - 190);
    const auto pinch = [&](Qt::NativeGestureType type, double value) {
        QNativeGestureEvent event(type, QPointingDevice::primaryPointingDevice(), 2, at, at, canvas.mapToGlobal(at), value, {});
        QApplication::sendEvent(&canvas, &event);
    };
    pinch(Qt::BeginNativeGesture, 0);
    pinch(Qt::ZoomNativeGesture, 0.25);
    pinch(Qt::ZoomNativeGesture, 0.6);
    pinch(Qt::EndNativeGesture, 0);
    EXPECT_NEAR(static_cast<double>(shown().length()), static_cast<double>(whole.length()) / 2, 10);
    EXPECT_NEAR(static_cast<double>(canvas.scale().timeAt(700 - 190)), static_cast<double>(under), canvas.scale().nanosPerPx());
    window->navigator().back();
    EXPECT_EQ(shown(), whole);
}

TEST_F(Window, APinchOnATouchScreenZooms)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const Interval whole = shown();
    static const std::unique_ptr<QPointingDevice> screen(QTest::createTouchDevice());
    QTest::touchEvent(&canvas, screen.get()).press(0, {600, 200}).press(1, {700, 200});
    for (int apart = 10; apart <= 50; apart += 10)
        QTest::touchEvent(&canvas, screen.get()).move(0, {600 - apart, 200}).move(1, {700 + apart, 200});
    QTest::touchEvent(&canvas, screen.get()).release(0, {550, 200}).release(1, {750, 200});
    EXPECT_NEAR(static_cast<double>(shown().length()), static_cast<double>(whole.length()) / 2, static_cast<double>(whole.length()) / 8);
    EXPECT_FALSE(window->navigator().state().selection);
    const Interval pinched = shown();
    QTest::touchEvent(&canvas, screen.get()).press(0, {600, 200});
    QTest::touchEvent(&canvas, screen.get()).move(0, {500, 200});
    QTest::touchEvent(&canvas, screen.get()).release(0, {500, 200});
    EXPECT_EQ(shown().length(), pinched.length());
    EXPECT_GT(shown().begin, pinched.begin) << "one finger moves the picture";
}

TEST_F(Window, ADragSelectsAndTheTableCountsWhatLiesInIt)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    drag(view.canvas(), {191, 200}, {view.canvas().width() + 5, 200});
    ASSERT_TRUE(window->navigator().state().selection);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.selection().table().model().rowCount() > 0; }, patienceMs));
    bool found = false;
    for (int row = 0; row < view.selection().table().model().rowCount(); ++row) {
        const auto text = [&](int column) {
            return view.selection().table().model().data(view.selection().table().model().index(row, column), Qt::DisplayRole).toString();
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
    widgets::TimelineCanvas& canvas = openedTimeline();
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
    view.search().line().setText("allreduce");
    QTest::keyClick(&view.search().line(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canvas().selectedBar().has_value(); }, patienceMs));
    EXPECT_EQ(view.canvas().selectedBar()->event.begin, 50 * ms);
    QTest::keyClick(&view.search().line(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canvas().selectedBar()->event.begin != 50 * ms; }, patienceMs));
    EXPECT_EQ(view.canvas().selectedBar()->event.begin, 150 * ms);
    QTest::keyClick(&view.search().line(), Qt::Key_Return, Qt::ShiftModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canvas().selectedBar()->event.begin != 150 * ms; }, patienceMs));
    EXPECT_EQ(view.canvas().selectedBar()->event.begin, 50 * ms);
}

TEST_F(Window, KeysLeadToTheSearchAndToTheFilterOfRows)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    view.canvas().setFocus();
    QTest::keyClick(&view.canvas(), Qt::Key_Slash);
    EXPECT_TRUE(view.search().line().hasFocus());
    view.canvas().setFocus();
    QTest::keyClick(&view.canvas(), Qt::Key_P, Qt::ControlModifier);
    auto* filter = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(filter, nullptr);
    ASSERT_NE(filter, &view.search().line());
    QTest::keyClicks(filter, "!communication !reads");
    EXPECT_EQ(view.canvas().contentHeight(), 24 + 2 * (22 + 20 + 20)) << "compute and phases are left";
}

TEST_F(Window, ASearchIsCountedAndTickedAsItIsTyped)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    view.search().line().setText("allreduce rank:1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.search().told() == "40 events"; }, patienceMs)) << view.search().told().toStdString();
    EXPECT_EQ(view.minimap().ticks(), 40U);
    view.search().line().setText("dur>10ms");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.search().told() == "244 events"; }, patienceMs)) << view.search().told().toStdString();
    view.search().line().setText("dur>long");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.search().told().contains("expected something like dur>1ms"); }, patienceMs));
    EXPECT_EQ(view.minimap().ticks(), 0U);
}

TEST_F(Window, TheHistogramOfASelectionMarksThePickedEvent)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    drag(view.canvas(), {191, 200}, {view.canvas().width() + 5, 200});
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.selection().histogram().isVisible(); }, patienceMs));
    timeline::Bar bar;
    bar.name = "/data/train-00000.rec";
    bar.event = {0, 5 * ms, 0, Kind::FileRead, 0, {}};
    view.canvas().selectBar(0, bar);
    const timeline::Chart& chart = view.selection().histogram().chart();
    EXPECT_EQ(chart.note, bar.name);
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].values, std::vector<double>{80});  // all reads last as long
    EXPECT_EQ(chart.categories, std::vector<std::string>{"4.19 ms"});
}

TEST_F(Window, MarksAreSetAndRecalledByKeysAndOutliveGoingBack)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    window->navigator().showWindow({1000 * ms, 1200 * ms});
    QTest::keyClick(&canvas, Qt::Key_M);
    const std::vector<Nanos> marks = window->navigator().state().marks;
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_TRUE((Interval{1000 * ms, 1200 * ms}).contains(marks[0]));
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    EXPECT_EQ(window->navigator().state().marks, marks);
    window->navigator().showWindow({3000 * ms, 3200 * ms});
    QTest::keyClick(&canvas, Qt::Key_1);
    EXPECT_TRUE(shown().contains(marks[0]));
    EXPECT_EQ(shown().length(), 200 * ms);
    QTest::keyClick(&canvas, Qt::Key_2);  // there is none
    EXPECT_EQ(shown().length(), 200 * ms);
}

TEST_F(Window, ShiftDragMeasuresAndSpaceDragMoves)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    window->navigator().showWindow({1000 * ms, 2000 * ms});
    const Interval dragged{canvas.scale().timeAt(100), canvas.scale().timeAt(300)};
    drag(canvas, {290, 200}, {490, 200}, Qt::ShiftModifier);
    EXPECT_EQ(canvas.measured(), dragged);
    EXPECT_FALSE(window->navigator().state().selection);
    QTest::keyPress(&canvas, Qt::Key_Space);
    drag(canvas, {490, 200}, {290, 200});
    QTest::keyRelease(&canvas, Qt::Key_Space);
    EXPECT_FALSE(canvas.measured());
    EXPECT_FALSE(window->navigator().state().selection);
    EXPECT_EQ(shown().length(), 1000 * ms);
    EXPECT_NEAR(static_cast<double>(shown().begin), 1000e6 + static_cast<double>(dragged.length()), 1e6);
}

TEST_F(Window, TheWheelScrollsAndWithShiftMoves)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    for (std::size_t row = 2; row <= 5; ++row)
        for (int i = 0; i < 8; ++i) canvas.resizeRow(row, true);  // so tall that not all rows fit
    window->navigator().showWindow({1000 * ms, 2000 * ms});
    ASSERT_GT(canvas.contentHeight(), canvas.viewHeight());
    const auto before = canvas.shownRows();
    const auto turn = [&](Qt::KeyboardModifiers keys) {
        QWheelEvent wheel({700, 100}, canvas.mapToGlobal(QPointF(700, 100)), {}, QPoint(0, -240), Qt::NoButton, keys, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&canvas, &wheel);
    };
    turn({});
    EXPECT_NE(canvas.shownRows(), before);
    EXPECT_EQ(shown(), (Interval{1000 * ms, 2000 * ms}));
    turn(Qt::ShiftModifier);
    EXPECT_EQ(shown().length(), 1000 * ms);
    EXPECT_GT(shown().begin, 1000 * ms);
}

TEST_F(Window, ArrowsMoveAndTheMiddleButtonDrags)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    window->navigator().showWindow({1000 * ms, 2000 * ms});
    QTest::keyClick(&canvas, Qt::Key_Right);
    EXPECT_GT(shown().begin, 1000 * ms);
    QTest::keyClick(&canvas, Qt::Key_Left);
    window->navigator().showWindow({1000 * ms, 2000 * ms});
    const Nanos dragged = canvas.scale().timeAt(300) - canvas.scale().timeAt(100);
    QTest::mousePress(&canvas, Qt::MiddleButton, {}, {490, 200});
    QMouseEvent move(QEvent::MouseMove, QPointF(290, 200), canvas.mapToGlobal(QPointF(290, 200)), Qt::NoButton, Qt::MiddleButton, {});
    QApplication::sendEvent(&canvas, &move);
    QTest::mouseRelease(&canvas, Qt::MiddleButton, {}, {290, 200});
    EXPECT_NEAR(static_cast<double>(shown().begin), 1000e6 + static_cast<double>(dragged), 1e6);
}

/// Where the middle of a row's event lies; the filter leaves the host, a rank and this row.
QPoint eventAt(widgets::TimelineCanvas& canvas, Nanos time)
{
    return {190 + static_cast<int>(canvas.scale().xOf(time)), widgets::rulerPx + 24 + 22 + 10};
}

TEST_F(Window, AnEventIsHoveredClickedFittedAndLeftForItsNeighbours)
{
    widgets::TimelineCanvas& canvas = openedTimeline("rank 0 communication", {1000 * ms, 1500 * ms});
    QString told;
    QObject::connect(&canvas, &widgets::TimelineCanvas::hovered, [&](const QString& details) { told = details; });
    QTest::mouseMove(&canvas, eventAt(canvas, 1175 * ms));
    ASSERT_TRUE(QTest::qWaitFor([&] { return told.startsWith("allreduce"); }, patienceMs)) << told.toStdString();
    EXPECT_TRUE(told.contains("50.0 ms") && told.contains("4.00 MB") && told.contains("80.0 MB/s")) << told.toStdString();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, eventAt(canvas, 1175 * ms));
    ASSERT_TRUE(canvas.selectedBar());
    EXPECT_EQ(canvas.selectedBar()->event.begin, 1150 * ms);
    QTest::keyClick(&canvas, Qt::Key_Period);
    EXPECT_EQ(canvas.selectedBar()->event.begin, 1250 * ms);
    QTest::keyClick(&canvas, Qt::Key_Comma);
    EXPECT_EQ(canvas.selectedBar()->event.begin, 1150 * ms);
    QTest::keyClick(&canvas, Qt::Key_Greater, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selectedBar()->event.begin, 1250 * ms);
    QTest::keyClick(&canvas, Qt::Key_F);
    EXPECT_EQ(window->navigator().state().selection, (Interval{1250 * ms, 1300 * ms}));
    EXPECT_LT(shown().length(), 500 * ms);
    EXPECT_TRUE(shown().contains(1250 * ms));
}

TEST_F(Window, AClickedCollectiveSaysWhoCameLast)
{
    widgets::TimelineCanvas& canvas = openedTimeline("rank 0 communication", {1000 * ms, 1500 * ms});
    QString told;
    QObject::connect(&canvas, &widgets::TimelineCanvas::hovered, &canvas, [&](const QString& details) { told = details; });
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, eventAt(canvas, 1175 * ms));
    EXPECT_TRUE(told.contains("came last")) << told.toStdString();
}

TEST_F(Window, ArrowsAreFollowedAsManyHopsAsTheUserSaysAndTheNextDayToo)
{
    widgets::TimelineCanvas& canvas = openedTimeline("communication", {1000 * ms, 1500 * ms});
    QString told;
    QObject::connect(&canvas, &widgets::TimelineCanvas::hovered, &canvas, [&](const QString& details) { told = details; });
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, eventAt(canvas, 1175 * ms));
    ASSERT_EQ(canvas.flows().size(), 1U);
    EXPECT_TRUE(told.endsWith("arrows over 1 hop")) << told.toStdString();
    const QRect gap(QPoint(canvas.labelWidth() + 1, eventAt(canvas, 0).y() - 4), QSize(canvas.width() - canvas.labelWidth() - 1, 8));
    const QImage direct = canvas.grab(gap).toImage();
    QTest::keyClick(&canvas, Qt::Key_H);
    EXPECT_EQ(canvas.flows().size(), 3U) << "the collective, the one before and the one after";
    EXPECT_TRUE(told.endsWith("arrows over 2 hops: 3 collectives")) << told.toStdString();
    EXPECT_NE(canvas.grab(gap).toImage(), direct);
    for (int i = 0; i < timeline::mostHops; ++i) QTest::keyClick(&canvas, Qt::Key_H);
    EXPECT_EQ(canvas.flows().size(), 15U);
    EXPECT_TRUE(told.contains("8 hops and no further")) << told.toStdString();
    for (int i = 0; i < 5; ++i) QTest::keyClick(&canvas, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_EQ(canvas.flows().size(), 5U);
    open();
    EXPECT_EQ(timelineView().canvas().hops(), 3);
}

TEST_F(Window, WhatKeysDoInTheTimelineIsFoundInTheMenuAndThePalette)
{
    write();
    open();
    const QList<QAction*> commands = window->commands();
    for (const widgets::TimelineKey& key : widgets::timelineKeys())
        EXPECT_TRUE(std::any_of(commands.begin(), commands.end(), [&](const QAction* one) {
            return one->text() == QString(key.row.text) + '\t' + widgets::keysText(key.row);
        })) << key.row.text;
    CommandPalette palette(commands, window.get());
    palette.show();
    QTest::keyClicks(&palette.line(), "hop further");
    QTest::keyClick(&palette.line(), Qt::Key_Return);
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.hops() == 2; }, patienceMs));
    EXPECT_EQ(window->navigator().state().view, "timeline");
}

TEST_F(Window, WhatIsHoveredShinesOnAllRanks)
{
    widgets::TimelineCanvas& canvas = openedTimeline("reads", {1000 * ms, 1050 * ms});
    const QRect otherRank(canvas.labelWidth(), widgets::rulerPx + 24 + 22 + 20 + 22 + 2, 100, 1);
    const QColor usual = style::shadeOf(timeline::Tone::Storage, "/data/train-00000.rec");
    EXPECT_EQ(canvas.grab(otherRank).toImage().pixelColor(90, 0).rgb(), usual.rgb());
    QTest::mouseMove(&canvas, eventAt(canvas, 1002 * ms));
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return canvas.grab(otherRank).toImage().pixelColor(90, 0).rgb() == usual.lighter(125).rgb(); }, patienceMs));
}

TEST_F(Window, ADoubleClickFitsAnEvent)
{
    widgets::TimelineCanvas& canvas = openedTimeline("rank 0 communication", {1000 * ms, 1500 * ms});
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, eventAt(canvas, 1175 * ms));
    EXPECT_EQ(window->navigator().state().selection, (Interval{1150 * ms, 1200 * ms}));
}

TEST_F(Window, AClickOnTheMinimapGoesThere)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    window->navigator().showWindow({1000 * ms, 1200 * ms});
    QTest::mouseClick(&view.minimap(), Qt::LeftButton, {}, {view.minimap().width() - 20, 15});
    EXPECT_EQ(shown().length(), 200 * ms);
    EXPECT_GT(shown().begin, 4000 * ms);
}

}  // namespace
}  // namespace flowgauge::app
