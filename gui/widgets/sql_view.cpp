// SPDX-License-Identifier: MIT
#include "gui/widgets/sql_view.h"

#include "analyzer/facts/fitting_question.h"
#include "analyzer/facts/questions.h"
#include "analyzer/report/units.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/widgets/table_panel.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTreeWidget>

#include <algorithm>
#include <array>

namespace flowgauge::widgets {

namespace {

constexpr int mostRemembered = 50;
const QString historyKey = QStringLiteral("sql/history");

/// Questions to begin with.
const std::array examples{facts::questions::epochs, facts::questions::parts, facts::questions::elsewhere,   facts::questions::steps,
                          facts::questions::calls,  facts::questions::ports, facts::questions::portMinutes, facts::questions::ledger};

/// A number sorts as one.
models::Cell cellOf(const std::optional<std::string>& value)
{
    if (!value) return {QStringLiteral("NULL"), QVariant(QString()), {}};
    const QString text = QString::fromStdString(*value);
    bool isNumber = false;
    const qlonglong whole = text.toLongLong(&isNumber);
    if (isNumber) return {text, whole, {}};
    const double real = text.toDouble(&isNumber);
    return {text, isNumber ? QVariant(real) : QVariant(text), text.size() > 60 ? text : QString()};
}

/// When the things in an answer's rows happened, by the columns begin_ns and end_ns or duration_ns that all our views have.
std::vector<std::optional<Interval>> timesOf(const load::SqlAnswer& answer)
{
    const auto columnOf = [&](const char* name) {
        return static_cast<std::size_t>(std::find(answer.columns.begin(), answer.columns.end(), name) - answer.columns.begin());
    };
    const std::size_t begin = columnOf("begin_ns"), end = columnOf("end_ns"), duration = columnOf("duration_ns");
    const auto numberIn = [](const auto& row, std::size_t column) -> std::optional<Nanos> {
        if (column >= row.size() || !row[column]) return std::nullopt;
        bool isNumber = false;
        const qlonglong number = QString::fromStdString(*row[column]).toLongLong(&isNumber);
        return isNumber ? std::optional<Nanos>(number) : std::nullopt;
    };
    std::vector<std::optional<Interval>> times;
    for (const auto& row : answer.rows) {
        const auto from = numberIn(row, begin), to = numberIn(row, end), length = numberIn(row, duration);
        times.emplace_back();
        if (from && (to || length)) times.back() = Interval{*from, to ? *to : *from + *length};
    }
    return times;
}

}  // namespace

SqlView::SqlView(const ViewContext& context)
    : View(context),
      m_objects(new QTreeWidget),
      m_editor(new QPlainTextEdit),
      m_history(new QComboBox),
      m_runButton(new QPushButton(tr("Run  (Ctrl+Return)"))),
      m_cancelButton(new QPushButton(tr("Cancel"))),
      m_said(new QLabel),
      m_table(new TablePanel(tr("Answer"), {}))
{
    build();
    connect(m_runButton, &QPushButton::clicked, this, &SqlView::run);
    connect(m_cancelButton, &QPushButton::clicked, this, &SqlView::cancel);
    connect(m_history, &QComboBox::activated, this, [this](int index) { m_editor->setPlainText(m_history->itemData(index).toString()); });
    connect(m_objects, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) {
        item->parent() == nullptr ? ask(QString::fromStdString(facts::firstRowsOf(item->text(0).toStdString())))
                                  : m_editor->insertPlainText(item->text(0));
    });
    connect(m_table, &TablePanel::picked, this, [this](int row) { showTime(static_cast<std::size_t>(row)); });
    remember({});
}

void SqlView::build()
{
    m_objects->setHeaderLabels({tr("table, view or column"), tr("what it holds")});
    m_objects->setColumnWidth(0, 190);
    m_objects->setAccessibleName(tr("Tables and views"));
    m_objects->setFrameShape(QFrame::NoFrame);
    auto* split = new QSplitter;
    split->addWidget(m_objects);
    split->addWidget(buildConsole());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 2);
    split->setHandleWidth(2 * style::space);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(style::margin, style::space, style::margin, style::space);
    layout->addWidget(split);
}

QWidget* SqlView::buildConsole()
{
    m_editor->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_editor->setTabStopDistance(32);
    m_editor->setAccessibleName(tr("Question"));
    m_editor->setMaximumHeight(150);
    m_editor->installEventFilter(this);
    m_history->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_history->setAccessibleName(tr("Earlier questions"));
    m_cancelButton->setEnabled(false);
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_history, 1);
    buttons->addWidget(m_runButton);
    buttons->addWidget(m_cancelButton);
    auto* console = new QWidget;
    auto* column = new QVBoxLayout(console);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_editor);
    column->addLayout(buttons);
    column->addWidget(m_said);
    column->addWidget(m_table, 1);
    return console;
}

void SqlView::setRun(const load::RunPtr& run)
{
    const bool isOther = !m_run || m_run->database != run->database;
    const bool hasAnswers = m_run && !m_run->analysis && run->analysis;  // the tables of epochs may have been empty until now
    if (isOther) m_listed = false;
    if (isOther || (hasAnswers && m_editor->toPlainText() == m_offered)) m_answered = false;
    m_run = run;
    if (isVisible()) showEvent(nullptr);
}

void SqlView::showEvent(QShowEvent* event)
{
    if (event != nullptr) View::showEvent(event);
    if (!m_run) return;
    if (!m_listed)
        context().service.ask(
            this, [](store::RunStore& store, const load::Cancel&) { return facts::describedObjects(store); },
            [this](const std::vector<facts::DescribedObject>& objects) { showObjects(objects); });
    m_listed = true;
    if (!m_answered) begin();
}

void SqlView::begin() { m_editor->toPlainText() == m_offered ? offer() : run(); }

void SqlView::offer()
{
    if (m_asked) *m_asked = true;
    m_answered = true;
    m_asked = context().service.ask(
        this, [](store::RunStore& store, const load::Cancel&) { return facts::fittingQuestion(store); },
        [this](const std::string& question) {
            if (m_editor->toPlainText() != m_offered) return;  // the user was quicker
            m_offered = QString::fromStdString(question);
            ask(m_offered);
        });
}

bool SqlView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && key->modifiers().testFlag(Qt::ControlModifier)) {
            run();
            return true;
        }
    }
    return View::eventFilter(watched, event);
}

void SqlView::showObjects(const std::vector<facts::DescribedObject>& objects)
{
    m_objects->clear();
    for (const facts::DescribedObject& object : objects) {
        const QString sentence = QString::fromStdString(object.sentence);
        auto* item = new QTreeWidgetItem(m_objects, {QString::fromStdString(object.name), sentence});
        item->setToolTip(1, sentence);
        for (const auto& [name, words] : object.columns) {
            auto* column = new QTreeWidgetItem(item, {QString::fromStdString(name), QString::fromStdString(words)});
            column->setToolTip(1, QString::fromStdString(words));
        }
    }
}

void SqlView::ask(const QString& sql)
{
    m_editor->setPlainText(sql);
    run();
}

void SqlView::run()
{
    const QString sql = m_editor->toPlainText().trimmed();
    if (!m_run || sql.isEmpty()) return;
    if (m_asked) *m_asked = true;
    m_answered = true;
    m_cancelButton->setEnabled(true);
    say(tr("asking…"), false);
    m_asked = context().service.ask(
        this,
        [sql = sql.toStdString()](store::RunStore& store, const load::Cancel& cancel) {
            return load::answerTo(store, sql, mostRows, cancel);
        },
        [this, sql](const load::SqlAnswer& answer) {
            m_cancelButton->setEnabled(false);
            if (answer.error.empty()) remember(sql);
            showAnswer(answer);
        });
}

void SqlView::cancel()
{
    if (m_asked) *m_asked = true;
    m_cancelButton->setEnabled(false);
    say(tr("cancelled"), false);
}

void SqlView::showTime(std::size_t row)
{
    if (row >= m_times.size() || !m_times[row]) return;
    context().navigator.explain(*m_times[row], {});
    say(tr("selected in every view: %1").arg(QString::fromStdString(report::when(*m_times[row]))), false);
}

void SqlView::say(const QString& text, bool problem)
{
    m_said->setText(models::unbroken(text));
    m_said->setForegroundRole(problem ? style::warningRole : style::faintRole);
}

void SqlView::showAnswer(const load::SqlAnswer& answer)
{
    if (!answer.error.empty()) return say(QString::fromStdString(answer.error), true);  // the last answer stays
    std::vector<models::Column> columns;
    for (std::size_t i = 0; i < answer.columns.size(); ++i) {
        const bool figures =
            !answer.rows.empty() && answer.rows.front()[i] && cellOf(answer.rows.front()[i]).value.typeId() != QMetaType::QString;
        columns.push_back({QString::fromStdString(answer.columns[i]), {}, figures});
    }
    std::vector<std::vector<models::Cell>> rows;
    for (const auto& row : answer.rows) {
        auto& cells = rows.emplace_back();
        for (const auto& value : row) cells.push_back(cellOf(value));
    }
    const auto count = static_cast<std::int64_t>(rows.size());
    m_times = timesOf(answer);
    m_table->setColumns(std::move(columns));
    m_table->setRows(std::move(rows));
    QString text =
        tr("%1 rows in %2").arg(QString::fromStdString(report::count(count)), QString::fromStdString(report::duration(answer.took)));
    if (answer.cut)
        text = tr("the first %1 rows, and there are more: say LIMIT or WHERE, or ask `flowgauge query`, which has no limit")
                   .arg(QString::fromStdString(report::count(count)));
    say(text, answer.cut);
}

/// Newest first, each once, behind them the examples. "" only fills the list.
void SqlView::remember(const QString& sql)
{
    QSettings settings;
    QStringList history = settings.value(historyKey).toStringList();
    if (!sql.isEmpty()) {
        history.removeAll(sql);
        history.prepend(sql);
        while (history.size() > mostRemembered) history.removeLast();
        settings.setValue(historyKey, history);
    }
    m_history->clear();
    for (const char* example : examples)
        if (!history.contains(example)) history += example;
    for (const QString& line : history) m_history->addItem(line.simplified(), line);
}

QString SqlView::csv() const { return m_table->model().columnCount() > 0 ? m_table->csv() : QString(); }

bool SqlView::isSettled() const { return m_run && !load::isAwaited(m_asked) && (m_answered || !isVisible()); }

}  // namespace flowgauge::widgets
