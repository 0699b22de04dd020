// SPDX-License-Identifier: MIT
// Each view with a real run behind it, offscreen: what it shows, says and does.
#include "analyzer/report/units.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/epochs_view.h"
#include "gui/widgets/network_view.h"
#include "gui/widgets/scaling_view.h"
#include "gui/widgets/side_by_side.h"
#include "gui/widgets/sql_view.h"
#include "gui/widgets/storage_view.h"
#include "gui/widgets/table_panel.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QSettings>
#include <QTableView>
#include <QWheelEvent>

namespace flowgauge::widgets {
namespace {

constexpr Nanos second = 1'000'000'000;
constexpr int patienceMs = 60'000;

class Views : public facts::SmallRun {
protected:
    /// Two ranks, two epochs of ten seconds.
    void write()
    {
        for (int rank = 0; rank < 2; ++rank) {
            const store::Id id = process(100 + rank, rank, 2);
            for (int epoch = 1; epoch <= 2; ++epoch) {
                const Nanos begin = (epoch - 1) * 11 * second;
                mark(id, Kind::EpochMark, {begin, begin + 10 * second}, epoch, 640);
                for (int step = 0; step < 10; ++step) {
                    const Nanos at = begin + step * second;
                    mark(id, Kind::StepMark, {at, at + second}, step, 64);
                    phase(id, "forward", {at + second / 4, at + second / 2});
                    read(id, "/data/a", {at, at + second / 5}, 1'000'000);
                    put(id, {at + second / 2, at + second, 0, Kind::Allreduce, 0, {1, 4'000'000, epoch * 10 + step, -1}});
                }
            }
        }
        (void)finished();
    }
    /// Opens what was written, and waits until its analysis is there and every view shows it.
    void open(const std::vector<View*>& views)
    {
        for (View* view : views) {
            view->resize(1200, 800);
            view->show();
        }
        const auto give = [this, views](const load::RunPtr& run) {
            navigator.setWhole(run->extent);
            for (View* view : views) view->setRun(run);
        };
        QObject::connect(&service, &load::RunService::opened, give);
        QObject::connect(&service, &load::RunService::analysed, give);
        QObject::connect(&service, &load::RunService::failed, [](const QString& why) { FAIL() << why.toStdString(); });
        service.open(QString::fromStdString(folder.string()));
        await([this] { return service.run() && service.run()->analysis; });
        for (View* view : views) await([view] { return view->isSettled(); });
    }
    template <typename Condition>
    void await(Condition condition)
    {
        QElapsedTimer timer;
        timer.start();
        while (!condition() && timer.elapsed() < patienceMs) QApplication::processEvents(QEventLoop::AllEvents, 20);
        EXPECT_TRUE(condition()) << "waited in vain";
    }
    void SetUp() override { QSettings().clear(); }
    void TearDown() override { service.close(); }

    load::RunService service;
    Navigator navigator;
    ViewContext context{service, navigator};
};

TEST_F(Views, AClickOnAnEpochShowsItInEveryView)
{
    write();
    EpochsView view(context);
    open({&view});
    auto* chart = view.findChild<ChartWidget*>();
    ASSERT_EQ(chart->chart().slotCount(), 2U);
    emit chart->picked(1);
    EXPECT_EQ(navigator.window(), (Interval{11 * second, 21 * second}));
    emit view.findChild<TablePanel*>()->picked(0);
    EXPECT_EQ(navigator.window(), (Interval{0, 10 * second}));
}

TEST_F(Views, EpochsFollowTheRanksAndExportTheTable)
{
    write();
    EpochsView view(context);
    open({&view});
    const QString all = view.csv();
    navigator.setRanks({1});
    EXPECT_NE(view.csv(), all);
    EXPECT_EQ(view.csv().count('\n'), 3);
    EXPECT_EQ(view.findChild<QComboBox*>()->currentText(), "rank 1");
    navigator.setRanks({});
    EXPECT_EQ(view.csv(), all);
}

TEST_F(Views, StorageShowsTheWindowThatIsShown)
{
    write();
    StorageView view(context);
    open({&view});
    EXPECT_TRUE(view.csv().contains("/data/a"));
    auto* layers = view.findChild<ChartWidget*>();
    EXPECT_EQ(layers->chart().when, navigator.whole());
    emit layers->timePicked({2 * second, 4 * second});
    await([&] { return layers->chart().when == Interval{2 * second, 4 * second}; });
}

TEST_F(Views, NetworkListsCollectivesAndSaysWhatIsNotThere)
{
    write();
    NetworkView view(context);
    open({&view});
    EXPECT_TRUE(view.csv().contains("allreduce")) << view.csv().toStdString();
    EXPECT_FALSE(view.findChild<ChartWidget*>()->chart().hasValues());
    EXPECT_FALSE(view.findChild<ChartWidget*>()->chart().empty.empty());
}

TEST_F(Views, SqlAnswersShowsMistakesAndRemembersWhatWasAsked)
{
    write();
    SqlView view(context);
    open({&view});
    view.ask("SELECT count(*) AS reads FROM file_read");
    await([&] { return view.isSettled(); });
    EXPECT_EQ(view.csv(), "reads\n40\n");
    view.ask("SELECT oops");
    await([&] { return view.isSettled(); });
    EXPECT_EQ(view.csv(), "reads\n40\n") << "the last answer stays";
    EXPECT_EQ(QSettings().value("sql/history").toStringList().front(), "SELECT count(*) AS reads FROM file_read");
}

TEST_F(Views, TheFirstQuestionFitsARunOfPortsAlone)
{
    for (int at = 0; at <= 3; ++at) {
        sample(0, Counter::NicRxBytes, at * 40 * second, 1'000'000 * at, "eth0");
        sample(0, Counter::NicRxBytes, at * 40 * second, 7'000'000 * at, "lo");
        sample(0, Counter::IbTxBytes, at * 40 * second, 250 * at, "mlx5_0/1");  // words of four bytes
    }
    (void)finished();
    SqlView view(context);
    open({&view});
    EXPECT_EQ(view.csv().toStdString(),
              "host,port,counter,begin_ns,end_ns,bytes\n"
              "node-a,eth0,nic_rx_bytes,0,40000000000,1000000\n"
              "node-a,mlx5_0/1,ib_tx_words,0,40000000000,1000\n"
              "node-a,eth0,nic_rx_bytes,40000000000,80000000000,1000000\n"
              "node-a,mlx5_0/1,ib_tx_words,40000000000,80000000000,1000\n"
              "node-a,eth0,nic_rx_bytes,80000000000,120000000000,1000000\n"
              "node-a,mlx5_0/1,ib_tx_words,80000000000,120000000000,1000\n");
    emit view.findChild<TablePanel*>()->picked(1);
    EXPECT_EQ(navigator.state().selection, (Interval{0, 40 * second}));
}

TEST_F(Views, AQuestionOfTheUsersOwnIsNotReplaced)
{
    write();
    SqlView view(context);
    open({&view});
    view.ask("SELECT count(*) AS reads FROM file_read");
    await([&] { return view.isSettled(); });
    view.hide();
    view.setRun(service.run());
    view.show();
    await([&] { return view.isSettled(); });
    EXPECT_EQ(view.csv(), "reads\n40\n");
}

TEST_F(Views, ARowOfAnAnswerLeadsToItsTime)
{
    write();
    SqlView view(context);
    open({&view});
    view.ask("SELECT begin_ns, duration_ns FROM file_read ORDER BY begin_ns LIMIT 2");
    await([&] { return view.isSettled(); });
    emit view.findChild<TablePanel*>()->picked(1);
    EXPECT_EQ(navigator.state().selection, (Interval{0, second / 5})) << "both ranks read at once";
    view.ask("SELECT count(*) FROM file_read");
    await([&] { return view.isSettled(); });
    navigator.select({});
    emit view.findChild<TablePanel*>()->picked(0);
    EXPECT_FALSE(navigator.state().selection);
}

TEST_F(Views, ScalingOfOneRunSaysWhatItNeedsAndOfTwoComparesThem)
{
    write();
    ScalingView view(context);
    open({&view});
    EXPECT_EQ(view.csv().count('\n'), 2);
    std::filesystem::copy_file(file(), folder / "again.db");
    view.addRun(QString::fromStdString((folder / "again.db").string()));
    await([&] { return view.isSettled(); });
    EXPECT_EQ(view.csv().count('\n'), 3);
    view.addRun(QString::fromStdString((folder / "absent").string()));
    await([&] { return view.isSettled(); });
    EXPECT_EQ(view.csv().count('\n'), 3) << "a run that cannot be read leaves the others";
}

TEST_F(Views, RunsStandSideBySideFromTheBeginOfTheSameEpoch)
{
    write();
    ScalingView view(context);
    open({&view});
    EXPECT_FALSE(view.sides().isVisible()) << "one run alone has nobody beside it";
    std::filesystem::copy_file(file(), folder / "again.db");
    view.addRun(QString::fromStdString((folder / "again.db").string()));
    await([&] { return view.isSettled() && view.sides().isVisible(); });
    SideBySide& sides = view.sides();
    sides.showEpoch(2);
    await([&] { return view.isSettled(); });
    EXPECT_EQ(sides.answer().epochs, (std::vector<std::int64_t>{1, 2}));
    ASSERT_EQ(sides.answer().runs.size(), 2U);
    for (const load::SideRun& run : sides.answer().runs) EXPECT_EQ(run.epoch, (Interval{11 * second, 21 * second}));
    EXPECT_EQ(sides.scale().window, (Interval{0, 10 * second}));
    const QPointF at(190, 60);  // the begin of the epoch stays where it is
    QWheelEvent wheel(at, sides.mapToGlobal(at), {}, QPoint(0, 460), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&sides, &wheel);
    await([&] { return view.isSettled(); });
    EXPECT_EQ(sides.answer().question.window, sides.scale().window);
    EXPECT_EQ(sides.scale().window.begin, 0);
    EXPECT_NEAR(static_cast<double>(sides.scale().window.end), 5e9, 0.1e9);
}

TEST_F(Views, EveryViewExportsAPictureThatIsNotBlankAndAnSvg)
{
    write();
    EpochsView epochs(context);
    StorageView storage(context);
    NetworkView network(context);
    ScalingView scaling(context);
    SqlView sql(context);
    const std::vector<View*> views{&epochs, &storage, &network, &scaling, &sql};
    open(views);
    for (View* view : views) {
        const QString base = QString::fromStdString((folder / "picture").string());
        ASSERT_EQ(exportView(*view, base + ".png"), "");
        const QImage image(base + ".png");
        EXPECT_EQ(image.size(), view->size() * 2);
        bool blank = true;
        for (int y = 0; y < image.height() && blank; ++y)
            for (int x = 0; x < image.width() && blank; ++x) blank = image.pixel(x, y) == image.pixel(0, 0);
        EXPECT_FALSE(blank) << view->metaObject()->className();
        ASSERT_EQ(exportView(*view, base + ".svg"), "");
        EXPECT_GT(QFile(base + ".svg").size(), 1000);
    }
}

TEST_F(Views, ARunWithNothingButNetworkCountersHasNoNanAndNoCrash)
{
    sample(0, Counter::NicRxBytes, 0, 0, "eth0");
    sample(0, Counter::NicRxBytes, second, 1'000'000, "eth0");
    (void)finished();
    EpochsView epochs(context);
    StorageView storage(context);
    NetworkView network(context);
    ScalingView scaling(context);
    SqlView sql(context);
    const std::vector<View*> views{&epochs, &storage, &network, &scaling, &sql};
    open(views);
    for (View* view : views) {
        (void)view->grab();
        EXPECT_FALSE(view->csv().contains("nan")) << view->metaObject()->className();
    }
}

}  // namespace
}  // namespace flowgauge::widgets

int main(int count, char** words)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setOrganizationName("flowgauge-test");
    QApplication::setApplicationName("views");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, QString::fromStdString(std::filesystem::temp_directory_path().string()));
    testing::InitGoogleTest(&count, words);
    const QApplication application(count, words);
    return RUN_ALL_TESTS();
}
