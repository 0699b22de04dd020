// SPDX-License-Identifier: MIT
// Files that are no run, or no longer the run they were.
#include "gui/widgets/selection_panel.h"
#include "gui/widgets/table_panel.h"
#include "tests/unit/gui/app/open_window.h"

#include <QLabel>
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

/// A read that does not come back, as on a network file system whose server is gone.
TEST_F(Window, AStalledReadIsToldAndHoldsUpNeitherKeysNorAnotherRun)
{
    write();
    open();
    widgets::TimelineView& view = timelineView();
    auto answers = std::make_shared<std::promise<void>>();
    std::shared_future<void> disk = answers->get_future().share();
    const auto stall = [disk](store::RunStore&, const load::Cancel&) {
        disk.wait();
        return 0;
    };
    window->service().askQuick(window.get(), stall, [](int) {});
    window->service().ask(window.get(), stall, [](int) {});
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return window->statusBar()->currentMessage().startsWith("The disk has not answered for"); }, patienceMs));
    const Interval whole = shown();
    QTest::keyClick(&view.canvas(), Qt::Key_W);
    EXPECT_LT(shown().length(), whole.length());
    EXPECT_FALSE(view.grab().isNull());
    std::filesystem::copy_file(file(), folder / "another.db");
    window->openRun(QString::fromStdString((folder / "another.db").string()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->service().run()->path.filename() == "another.db"; }, patienceMs));
    window.reset();  // closing does not wait either
    answers->set_value();
}

}  // namespace
}  // namespace flowgauge::app
