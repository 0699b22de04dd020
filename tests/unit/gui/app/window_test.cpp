// SPDX-License-Identifier: MIT
// The real window on a small run: what it says, and where it leads.
#include "analyzer/report/lines.h"
#include "analyzer/report/units.h"
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "gui/widgets/sql_view.h"
#include "gui/widgets/summary_cards.h"
#include "gui/widgets/summary_view.h"
#include "tests/unit/gui/app/open_window.h"

#include <QAction>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocument>

namespace flowgauge::app {
namespace {

TEST_F(Window, SaysTheVerdictCostAndEpochsOfTheReport)
{
    write();
    open();
    const report::Report& report = window->service().run()->analysis->report;
    auto* verdict = window->findChild<QLabel*>("verdict");
    ASSERT_NE(verdict, nullptr);
    EXPECT_EQ(verdict->text().toStdString(), report::unbroken(report::sentence(report.verdict)));
    const auto cards = window->findChildren<widgets::FindingCard*>();
    EXPECT_EQ(static_cast<std::size_t>(cards.size()), report.findings.size());
    const auto cells = widgets::epochCells(report.summary);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0][1].toStdString(), report::duration(report.summary.epochs[0].time));
}

/// Rich text as it is read.
std::string read(const QLabel& label)
{
    QTextDocument text;
    label.textFormat() == Qt::RichText ? text.setHtml(label.text()) : text.setPlainText(label.text());
    return text.toPlainText().toStdString();
}

/// All that the page of the summary says, but for what its tables hold.
std::string wordsOf(const widgets::SummaryView& view)
{
    std::string words;
    for (const QLabel* label : view.findChildren<QLabel*>()) words += read(*label) + "\n";
    for (const auto* bar : view.findChildren<widgets::BreakdownBar*>()) words += bar->accessibleDescription().toStdString() + "\n";
    return words;
}

TEST_F(Window, TheSummarySaysEveryFigureOfTheReport)
{
    write();
    open();
    const report::Report& report = window->service().run()->analysis->report;
    const std::string words = wordsOf(*window->findChild<widgets::SummaryView*>());
    std::vector<std::string> expected{report::sentence(report.verdict), report::duration(report.summary.breakdown.length)};
    for (const findings::PartShare& part : report.summary.breakdown.parts)
        if (part.share > 0)
            expected.push_back(part.highest - part.lowest >= 0.02 ? report::shareRange(part.lowest, part.highest)
                                                                  : report::share(part.share));
    ASSERT_FALSE(report.findings.empty());
    for (const findings::Finding& finding : report.findings) {
        expected.insert(expected.end(), {finding.title, report::share(finding.share()), finding.outOfWhat, report::estimate(finding.gain),
                                         report::sentence(finding.verdict), finding.advice, finding.toBeSure});
        for (const findings::Sentence& detail : finding.details) expected.push_back(report::sentence(detail));
        expected.push_back(report::when(finding.evidence.front().when));
    }
    for (const findings::NotMeasured& absence : report.summary.notMeasured) expected.insert(expected.end(), {absence.what, absence.why});
    const findings::Cost& cost = report.summary.cost;
    expected.push_back(cost.cpuShare.known() ? report::share(cost.cpuShare.value()) : cost.cpuShare.reason());
    expected.push_back(report::asBytes(cost.bytesWritten) + " written");
    const std::string lost = report::count(cost.lost) + " of " + report::count(cost.events + cost.lost) + " events lost";
    expected.push_back(lost);
    for (const std::string& one : expected) EXPECT_NE(words.find(one), std::string::npos) << one << "\n--- is not in ---\n" << words;
    EXPECT_TRUE(isTold(lost.c_str())) << "in every view";
}

TEST_F(Window, NoLabelThatBreaksItsLinesTearsAQuantityApart)
{
    write();
    open();
    std::size_t broken = 0;
    for (widgets::View* view : window->views()) {
        window->showView(view->objectName().toStdString());
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->isSettled(); }, patienceMs)) << view->objectName().toStdString();
        for (const QLabel* label : window->findChildren<QLabel*>()) {
            if (!label->wordWrap()) continue;
            ++broken;
            EXPECT_EQ(label->text().toStdString(), report::unbroken(label->text().toStdString()));
        }
    }
    EXPECT_GT(broken, window->views().size());
}

TEST_F(Window, TheFirstQuestionOfTheSqlPageAnswersOnARunThatNoCommandHasLookedInto)
{
    write();
    state::ViewState sql;
    sql.view = "sql";  // asked before the epochs are known, and again once they are
    open(sql);
    auto* view = window->findChild<widgets::SqlView*>();
    const auto lines = [&] { return view->csv().split('\n', Qt::SkipEmptyParts); };
    EXPECT_TRUE(QTest::qWaitFor([&] { return lines().size() == 3; }, patienceMs)) << "a head and two epochs";
    EXPECT_EQ(lines().value(1).section(',', 0, 3), "1,2,640,20000000");
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

TEST_F(Window, TheStateIsACommandLineThatReopensIt)
{
    write();
    state::ViewState state;
    state.view = "timeline";
    state.window = Interval{500 * ms, 900 * ms};
    state.ranks = {1};
    state.marks = {600 * ms};
    open(state);
    EXPECT_EQ(window->navigator().state(), state);
    EXPECT_EQ(window->commandLine().toStdString(),
              "flowgauge-gui " + file().string() + " --view timeline --window 0.5..0.9 --ranks 1 --marks 0.6");
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

TEST_F(Window, ThePaletteDoesWhatIsTypedOfIt)
{
    write();
    open();
    CommandPalette palette(window->commands(), window.get());
    palette.show();
    QTest::keyClicks(&palette.line(), "view sto");
    QTest::keyClick(&palette.line(), Qt::Key_Return);
    EXPECT_FALSE(palette.isVisible());
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->navigator().state().view == "storage"; }, patienceMs));
}

TEST_F(Window, AKeyIsGivenToAnotherCommandAndTakenBack)
{
    write();
    open();
    KeysDialog dialog(MainWindow::keyRows(), window.get());
    auto* edit = dialog.findChild<QKeySequenceEdit*>("Zoom to the selection");
    ASSERT_NE(edit, nullptr);
    edit->setKeySequence(QKeySequence("K"));
    widgets::TimelineCanvas& canvas = timelineView().canvas();
    canvas.setFocus();
    window->navigator().select(Interval{1000 * ms, 1500 * ms});
    QTest::keyClick(&canvas, Qt::Key_Z);
    EXPECT_EQ(shown(), window->navigator().whole());
    QTest::keyClick(&canvas, Qt::Key_K);
    EXPECT_EQ(shown(), (Interval{1000 * ms, 1500 * ms}));
    edit->clear();
    window->navigator().showWhole();
    QTest::keyClick(&canvas, Qt::Key_Z);
    EXPECT_EQ(shown(), (Interval{1000 * ms, 1500 * ms}));
}

TEST_F(Window, NoTwoCommandsShareAKey)
{
    std::map<QString, QString> users;
    for (const widgets::KeyRow& row : MainWindow::keyRows())
        for (const QKeySequence& key : widgets::keysOf(row)) {
            const auto [at, isNew] = users.try_emplace(key.toString(), row.text);
            EXPECT_TRUE(isNew) << key.toString().toStdString() << ": " << at->second.toStdString() << ", " << row.text;
        }
}

TEST_F(Window, AThinnedRecordingSaysSo)
{
    store.putLedger({0, 0, "steps", "degraded", "one of 20 steps is written", 20});
    write();
    open();
    EXPECT_TRUE(isTold("A thinned recording: one of 20 steps is written."));
}

}  // namespace
}  // namespace flowgauge::app
