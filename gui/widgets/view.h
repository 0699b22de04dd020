// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/run_service.h"
#include "gui/widgets/navigator.h"

#include <QString>
#include <QStringList>
#include <QWidget>

class QPainter;

namespace flowgauge::widgets {

/// What every view is given when it is made. Both outlive it.
struct ViewContext {
    load::RunService& service;  ///< the run, and a thread to ask it on (service.ask)
    Navigator& navigator;       ///< what is shown; the view obeys `changed` and asks for changes here
};

/// One tab of the window. To add one: a class of its own in gui/widgets (or a folder below), a row in gui/app/views.cpp.
///
/// Rules of the house: the constructor builds an empty view; setRun is called for every run that is opened, and again with the
/// same run once its analysis is there (run.analysis is null before: say that it is on its way); it may be called many times
/// while a live run grows, and must then keep what the user has set. The view reads no file: what the snapshot does not hold it
/// asks for with context().service.ask(this, work, done), where `work` is a function of gui/load that computes a plain value from
/// a store on another thread. An empty state says what would fill it. Figures are formatted by analyzer/report/units alone.
class View : public QWidget {
    Q_OBJECT
public:
    explicit View(const ViewContext& context, QWidget* parent = nullptr);

    virtual void setRun(const load::RunPtr& run) = 0;
    /// Paths of more runs that the command line named, to be compared with this one. Called once, before any run is opened.
    virtual void setOthers(const QStringList& runs) { Q_UNUSED(runs) }
    /// What can be exported as CSV: the table that is shown. "" when there is none.
    [[nodiscard]] virtual QString csv() const { return {}; }
    /// Draws the view as it is shown; PNG and SVG are both made of this. The default renders the widget.
    virtual void drawPicture(QPainter& painter);
    /// Whether the picture is complete: no answer is awaited. --screenshot waits for it.
    [[nodiscard]] virtual bool isSettled() const { return true; }

protected:
    [[nodiscard]] const ViewContext& context() const { return m_context; }

private:
    ViewContext m_context;
};

/// Writes what the view shows: .png (twice the logical resolution), .svg or .csv by the file's ending. Pictures carry `about` as their
/// description. Returns "" or why not.
[[nodiscard]] QString exportView(View& view, const QString& file, const QString& about = {});

}  // namespace flowgauge::widgets
