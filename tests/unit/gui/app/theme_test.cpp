// SPDX-License-Identifier: MIT
// Light and dark, changed while a run is shown.
#include "gui/widgets/view.h"
#include "tests/unit/gui/app/open_window.h"

#include <QPainter>

#include <map>

namespace flowgauge::app {
namespace {

constexpr int calmLooks = 8;

class ThemeOfWindow : public Window {
protected:
    ThemeOfWindow() { QApplication::setCursorFlashTime(0); }
    ~ThemeOfWindow() override { style::apply(*qApp, style::Theme::Light); }

    /// Every view as it is shown. How long an answer took is painted over: it differs from run to run.
    std::map<std::string, QImage> pictures()
    {
        std::map<std::string, QImage> pictures;
        for (widgets::View* view : window->views()) {
            const std::string id = view->objectName().toStdString();
            window->showView(id);
            int calm = 0;  // an answer may lead to one more question once it is painted
            const auto isCalm = [&] {
                calm = view->isVisible() && isWhole(*view) ? calm + 1 : 0;
                return calm > calmLooks;
            };
            EXPECT_TRUE(QTest::qWaitFor(isCalm, patienceMs)) << id;
            QImage image = view->grab().toImage();
            QPainter painter(&image);
            for (const QLabel* label : view->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(" rows in "))
                    painter.fillRect(QRect(label->mapTo(view, QPoint()), label->size()), Qt::black);
            painter.end();
            pictures[id] = image;
        }
        return pictures;
    }

    /// A timeline that was just told of its run asks for its rows only when it is next painted.
    static bool isWhole(widgets::View& view)
    {
        auto* timeline = dynamic_cast<widgets::TimelineView*>(&view);
        return view.isSettled() && (timeline == nullptr || timeline->canvas().blankRows() == 0);
    }

    void changeTo(style::Theme theme)
    {
        QSettings().setValue("theme", static_cast<int>(theme) - 1);
        window->cycleTheme();
    }
};

TEST_F(ThemeOfWindow, ChangedWhileARunIsShownLeavesNoViewInTheOldColours)
{
    write();
    open();
    const auto light = pictures();
    changeTo(style::Theme::Dark);
    ASSERT_TRUE(style::isDark());
    const auto changed = pictures();
    open();  // another window, dark from its begin
    const auto dark = pictures();
    for (const auto& [id, picture] : dark) {
        EXPECT_NE(picture, light.at(id)) << id;
        EXPECT_EQ(picture, changed.at(id)) << id;
    }
    changeTo(style::Theme::Light);
    const auto back = pictures();
    for (const auto& [id, picture] : light) EXPECT_EQ(picture, back.at(id)) << id << ": from dark to light again";
}

}  // namespace
}  // namespace flowgauge::app
