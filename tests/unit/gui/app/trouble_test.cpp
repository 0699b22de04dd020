// SPDX-License-Identifier: MIT
// Files that are no run, or no longer the run they were.
#include "gui/widgets/selection_panel.h"
#include "gui/widgets/table_panel.h"
#include "tests/unit/gui/app/open_window.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QRegularExpression>
#include <QStatusBar>

#include <fstream>
#include <future>

namespace flowgauge::app {
namespace {

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

TEST_F(Window, ARunRemovedWhileOpenIsToldOnceItIsNeededAnew)
{
    write();
    open();
    std::filesystem::remove(file());
    window->showView("sql");  // its first question opens the file, which is no longer there
    window->service().ask(
        window.get(), [this](store::RunStore&, const load::Cancel&) { return store::RunStore::openForReading(file()).tracks().size(); },
        [](std::size_t) { ADD_FAILURE() << "there was nothing to read"; });
    EXPECT_TRUE(QTest::qWaitFor([this] { return isTold("The run can no longer be read"); }, patienceMs));
}

TEST_F(Window, ARunOverwrittenInItsPlaceIsToldAndNothingCrashes)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    std::filesystem::resize_file(file(), 4096 * 3);
    std::ofstream(file(), std::ios::in | std::ios::out | std::ios::binary) << std::string(4096 * 3, '\x5a');
    window->navigator().showWindow({1000 * ms, 1100 * ms});
    EXPECT_TRUE(QTest::qWaitFor([this] { return isTold("The run can no longer be read"); }, patienceMs));
    EXPECT_TRUE(view.canvas().isVisible());
    EXPECT_FALSE(view.grab().isNull());
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isSettled(); }, patienceMs)) << "nothing is awaited that cannot come";
}

/// As `flowgauge run -o` writes it: a new file takes the old one's name.
TEST_F(Window, ARunThatAnotherOneReplacedIsShownUntilItIsReloaded)
{
    write();
    open();
    const std::filesystem::path other = folder / "other.db";
    {
        store::RunStore next = store::RunStore::create(other, 0);
        next.finalize();
    }
    std::filesystem::rename(other, file());
    widgets::TimelineView& view = timelineView();
    drag(view.canvas(), {191, 200}, {view.canvas().width() + 5, 200});
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.selection().table().model().rowCount() > 0; }, patienceMs));
    window->reload();
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return window->service().run()->analysis && window->service().run()->tracks.empty(); }, patienceMs));
}

TEST_F(Window, ARunOfANewerVersionIsRefusedWithWhatToDo)
{
    write();
    store = store::RunStore::openForWriting(file());
    store.database().execute("PRAGMA user_version = 99");
    store = store::RunStore::create(std::filesystem::path(":memory:"), 0);
    window = std::make_unique<MainWindow>(Options{});
    QString why;
    QObject::connect(window.get(), &MainWindow::failed, [&](const QString& text) { why = text; });
    window->openRun(QString::fromStdString(file().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !why.isEmpty(); }, patienceMs));
    EXPECT_TRUE(why.contains("has schema version 99") && why.contains("use a newer flowgauge")) << why.toStdString();
}

/// Reads that do not come back, as on a network file system whose server is gone, until they are let go.
class StalledDisk {
public:
    explicit StalledDisk(MainWindow& window)
    {
        const auto stall = [disk = m_answers.get_future().share()](store::RunStore&, const load::Cancel&) {
            disk.wait();
            return 0;
        };
        window.service().askQuick(&window, stall, [](int) {});
        window.service().ask(&window, stall, [](int) {});
    }
    void answer() { m_answers.set_value(); }

private:
    std::promise<void> m_answers;
};

/// How long the window has said that it waits; -1 when it says nothing.
int secondsTold(const MainWindow& window)
{
    static const QRegularExpression words("^The disk has not answered for (\\d+) s\\.");
    const QRegularExpressionMatch match = words.match(window.statusBar()->currentMessage());
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

/// A minute of it is the same with FLOWGAUGE_STALL_S=60: what is told counts the seconds, and each of them is driven.
TEST_F(Window, AStalledReadIsToldHoldsUpNoKeyAndEndsWhenTheDiskAnswers)
{
    const int seconds = qEnvironmentVariableIsSet("FLOWGAUGE_STALL_S") ? qEnvironmentVariableIntValue("FLOWGAUGE_STALL_S") : 3;
    write();
    open();
    widgets::TimelineView& view = timelineView();
    StalledDisk disk(*window);
    qint64 longestMs = 0;
    for (int second = 2; second <= seconds; ++second) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return secondsTold(*window) >= second; }, patienceMs));
        const Interval before = shown();
        QElapsedTimer timer;
        timer.start();
        QTest::keyClick(&view.canvas(), second % 2 == 0 ? Qt::Key_W : Qt::Key_S);
        EXPECT_FALSE(view.canvas().grab().isNull());
        longestMs = std::max(longestMs, timer.elapsed());
        EXPECT_NE(shown(), before);
        EXPECT_EQ(view.canvas().blankRows(), 0U) << "what was there stays";
    }
    RecordProperty("longest_answer_to_a_key_ms", static_cast<int>(longestMs));
    disk.answer();
    EXPECT_TRUE(QTest::qWaitFor([&] { return secondsTold(*window) < 0 && view.isSettled(); }, patienceMs));
    EXPECT_FALSE(isTold("The run can no longer be read"));
}

TEST_F(Window, AStalledReadKeepsNobodyFromAnotherRunOrFromLeaving)
{
    write();
    open();
    StalledDisk disk(*window);
    ASSERT_TRUE(QTest::qWaitFor([this] { return secondsTold(*window) >= 0; }, patienceMs));
    std::filesystem::copy_file(file(), folder / "another.db");
    window->openRun(QString::fromStdString((folder / "another.db").string()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->service().run()->path.filename() == "another.db"; }, patienceMs));
    window.reset();  // closing does not wait either
    disk.answer();
}

}  // namespace
}  // namespace flowgauge::app
