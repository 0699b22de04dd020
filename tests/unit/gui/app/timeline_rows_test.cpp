// SPDX-License-Identifier: MIT
// What is done to the rows of the timeline, in the real window.
#include "gui/load/rows.h"
#include "gui/widgets/minimap.h"
#include "gui/widgets/row_memory.h"
#include "tests/unit/gui/app/open_window.h"

#include <QSplitter>
#include <QWheelEvent>

namespace flowgauge::app {
namespace {

TEST_F(Window, ARowIsDraggedToAnotherPlace)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    canvas.setFilter("communication");
    const std::vector<std::size_t> before = canvas.shownRows();
    ASSERT_EQ(before.size(), 2U);
    const int rank1 = widgets::rulerPx + 24 + 22 + 20 + 10;
    drag(canvas, {60, rank1}, {60, widgets::rulerPx + 24 + 8});
    EXPECT_EQ(canvas.shownRows(), (std::vector<std::size_t>{before[1], before[0]}));
    canvas.showAllRows();
    EXPECT_EQ(canvas.shownRows(), before);
}

TEST_F(Window, RowsAreRememberedAndKeptByName)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    canvas.togglePinned(2);
    canvas.hideRow(3);
    canvas.resizeRow(4, true);
    canvas.moveRow(5, 2);
    const timeline::Arrangement arranged = canvas.arrangement();
    widgets::rememberRows("network", arranged);
    canvas.showAllRows();
    EXPECT_EQ(canvas.arrangement(), timeline::Arrangement{});
    canvas.arrange(widgets::recalledRows("network"));
    EXPECT_EQ(canvas.arrangement(), arranged);
    EXPECT_EQ(widgets::rememberedRows(), QStringList{"network"});
    open();  // a new window, as the next day
    EXPECT_EQ(timelineView().canvas().arrangement(), arranged);
}

/// Pixels of a colour in a row of the picture.
int pixelsOf(widgets::TimelineCanvas& canvas, timeline::Tone tone, QRect row)
{
    const QImage picture = canvas.grab(row).toImage();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) count += picture.pixelColor(x, y).rgb() == style::colourOf(tone).rgb() ? 1 : 0;
    return count;
}

TEST_F(Window, AFoldedRankIsAStripOfWhatTookItsTime)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    window->navigator().showWindow({1000 * ms, 1100 * ms});  // a step: reads 5 ms, computes 45, communicates 50
    const int height = canvas.contentHeight();
    QTest::keyClick(&canvas, Qt::Key_C);
    EXPECT_EQ(canvas.contentHeight(), 24 + 2 * 22);
    EXPECT_EQ(canvas.shownRows().size(), 2U);
    const QRect strip(canvas.labelWidth(), widgets::rulerPx + 24 + 10, canvas.width() - canvas.labelWidth(), 1);
    const auto shows = [&](timeline::Tone tone, int pixels) { return std::abs(pixelsOf(canvas, tone, strip) - pixels) <= 4; };
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(timeline::Tone::Compute, strip.width() * 45 / 100); }, patienceMs));
    EXPECT_TRUE(shows(timeline::Tone::ExposedCommunication, strip.width() / 2));
    QTest::keyClick(&canvas, Qt::Key_C);
    EXPECT_EQ(canvas.contentHeight(), height);
}

TEST_F(Window, LabelsAndMinimapAreResizedAndStayAlignedTheNextDay)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const Nanos shownBefore = shown().length();
    drag(canvas, {canvas.labelWidth() - 2, 300}, {260, 300});
    EXPECT_EQ(canvas.labelWidth(), 260);
    EXPECT_DOUBLE_EQ(canvas.scale().widthPx, canvas.width() - 260);
    EXPECT_EQ(shown().length(), shownBefore);
    EXPECT_FALSE(window->navigator().state().selection);
    auto* panes = timelineView().findChild<QSplitter*>();
    QSplitterHandle* handle = panes->handle(1);
    const int before = timelineView().minimap().height();
    drag(*handle, {50, 2}, {50, 2 - before});
    const int after = timelineView().minimap().height();
    EXPECT_LT(after, before);
    open();
    EXPECT_EQ(timelineView().canvas().labelWidth(), 260);
    EXPECT_EQ(timelineView().minimap().height(), after);
    window->navigator().showWindow({1000 * ms, 1200 * ms});
    QTest::mouseClick(&timelineView().minimap(), Qt::LeftButton, {}, {260, 5});
    EXPECT_EQ(shown().begin, window->navigator().whole().begin) << "the minimap begins where the tracks do";
}

TEST_F(Window, MorePinnedRowsThanThereIsRoomForAreScrolledAndLeaveTheOthersHalfOfThePicture)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const auto rows = load::rowsOf(*window->service().run());
    for (std::size_t row = 1; row + 1 < rows.size(); ++row) {
        canvas.togglePinned(row);
        for (int i = 0; i < 4; ++i) canvas.resizeRow(row, true);
    }
    EXPECT_EQ(canvas.viewHeight(), canvas.height() - widgets::rulerPx - (canvas.height() - widgets::rulerPx) / 2);
    const std::vector<std::size_t> before = canvas.shownRows();
    EXPECT_EQ(before.front(), 2U) << "below the rank's heading";
    EXPECT_EQ(before.back(), rows.size() - 1) << "the row that is not pinned is seen";
    const QPointF at(600, widgets::rulerPx + 20);
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, QPoint(0, -20'000), Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    const std::vector<std::size_t> after = canvas.shownRows();
    EXPECT_NE(after.front(), 2U);
    EXPECT_EQ(after[after.size() - 2], rows.size() - 2) << "the last of the pinned ones";
    for (std::size_t row = 1; row + 1 < rows.size(); ++row) canvas.togglePinned(row);
    EXPECT_EQ(canvas.pinnedHeight(), 0);
    EXPECT_EQ(canvas.shownRows().front(), 2U) << "nothing stays scrolled away";
}

TEST_F(Window, ThePinnedPartIsResizedByHandAndByKeysAndStaysSoTheNextDay)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
    const auto edge = [&] { return QPoint(600, widgets::rulerPx + canvas.pinnedHeight()); };
    const std::size_t rows = load::rowsOf(*window->service().run()).size();
    for (std::size_t row = 2; row < rows; ++row)
        for (int i = 0; i < 4; ++i) canvas.resizeRow(row, true);
    canvas.setPinnedHeight(50);
    EXPECT_EQ(canvas.arrangement().pinnedPx, 0) << "nothing is pinned";
    for (std::size_t row = 2; row + 1 < rows; ++row) canvas.togglePinned(row);
    const int half = (canvas.height() - widgets::rulerPx) / 2;
    ASSERT_EQ(canvas.pinnedHeight(), half);
    QTest::mouseMove(&canvas, edge());
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.cursor().shape() == Qt::SplitVCursor; }, patienceMs));
    drag(canvas, edge(), {600, widgets::rulerPx + 90});
    EXPECT_EQ(canvas.pinnedHeight(), 90);
    EXPECT_EQ(canvas.viewHeight(), canvas.height() - widgets::rulerPx - 90);
    EXPECT_FALSE(window->navigator().state().selection) << "no time was dragged";
    QTest::keyClick(&canvas, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(canvas.pinnedHeight(), 110);
    QTest::keyClick(&canvas, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(canvas.pinnedHeight(), 90);
    open();
    widgets::TimelineCanvas& nextDay = timelineView().canvas();
    EXPECT_EQ(nextDay.pinnedHeight(), 90);
    drag(nextDay, {600, widgets::rulerPx + 90}, {600, nextDay.height() + 200});
    EXPECT_EQ(nextDay.viewHeight(), timeline::Layout::leastScrolled) << "the others are still seen";
    QTest::mouseDClick(&nextDay, Qt::LeftButton, {}, {600, widgets::rulerPx + nextDay.pinnedHeight()});
    EXPECT_EQ(nextDay.pinnedHeight(), (nextDay.height() - widgets::rulerPx) / 2);
    EXPECT_EQ(nextDay.arrangement().pinnedPx, 0);
}

TEST_F(Window, RowsFoldAndPinAndAreFiltered)
{
    widgets::TimelineCanvas& canvas = openedTimeline();
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

}  // namespace
}  // namespace flowgauge::app
