// SPDX-License-Identifier: MIT
#include "analyzer/facts/log_tables.h"

namespace flowgauge::facts {
namespace {

using store::Statement;

/// Binds NULL where a value means "not told".
void bindUnless(Statement& statement, int parameter, std::int64_t value, std::int64_t absent)
{
    if (value == absent)
        statement.bindNull(parameter);
    else
        statement.bind(parameter, value);
}

void bindUnlessZero(Statement& statement, int parameter, double value)
{
    if (value > 0)
        statement.bind(parameter, value);
    else
        statement.bindNull(parameter);
}

class ValueRows {
public:
    explicit ValueRows(store::Database& database)
        : m_statement(database.prepare("INSERT OR REPLACE INTO log_value (name, value, text) VALUES (?1, ?2, ?3)"))
    {
    }
    void text(std::string_view name, std::string_view value)
    {
        if (value.empty()) return;
        m_statement.bind(1, name).bindNull(2).bind(3, value).run();
    }
    void number(std::string_view name, const Measured<double>& value)
    {
        m_statement.bind(1, name);
        if (value.known())
            m_statement.bind(2, value.value()).bind(3, "").run();
        else
            m_statement.bindNull(2).bind(3, value.reason()).run();
    }
    void count(std::string_view name, const Measured<std::int64_t>& value) { number(name, divided(value, 1)); }
    void seconds(std::string_view name, const Measured<Nanos>& value) { number(name, divided(value, 1e9)); }

private:
    [[nodiscard]] static Measured<double> divided(const Measured<std::int64_t>& value, double by)
    {
        if (!value.known()) return Measured<double>::missing(value.reason());
        return static_cast<double>(value.value()) / by;
    }
    Statement m_statement;
};

void putValues(store::Database& database, const LogFacts& log)
{
    ValueRows rows(database);
    for (std::size_t i = 0; i < log.formats.size(); ++i) rows.text("format_" + std::to_string(i + 1), log.formats[i]);
    for (std::size_t i = 0; i < log.remarks.size(); ++i) rows.text("remark_" + std::to_string(i + 1), log.remarks[i]);
    rows.text("benchmark", log.benchmark);
    rows.text("organisation", log.organisation);
    rows.text("platform", log.platform);
    rows.text("status", log.status.valueOr(""));
    rows.number("target", log.target);
    rows.number("final_accuracy", log.finalAccuracy());
    rows.seconds("time_to_train_s",
                 log.training.known() ? Measured<Nanos>(log.training.value().length()) : Measured<Nanos>::missing(log.training.reason()));
    rows.seconds("time_to_target_s", log.timeToTarget);
    rows.count("epochs_to_target", log.epochsToTarget);
    rows.count("epochs", log.epochsLogged);
    rows.seconds("first_epoch_s", log.firstEpoch());
    rows.seconds("median_epoch_s", log.medianEpoch());
    rows.count("global_batch", log.globalBatch);
    if (log.loggedBatch > 0) rows.count("logged_batch", log.loggedBatch);
    rows.count("train_samples", log.trainSamples);
    rows.count("eval_samples", log.evalSamples);
    rows.count("nodes", log.nodes);
    rows.count("ranks", log.ranks);
    rows.number("samples_per_second", log.rateByEpochs());
    rows.number("samples_per_second_printed", log.medianRate());
    rows.number("samples_per_second_total", log.totalRate);
}

void putRates(store::Database& database, const LogFacts& log)
{
    Statement statement = database.prepare(
        "INSERT INTO log_rate (position, epoch, step, at_ns, whose, samples_per_second, step_seconds, data_wait_seconds)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    std::int64_t position = 0;
    for (const LogRate& rate : log.rates) {
        statement.bind(1, ++position).bind(5, rate.of == RateOf::Job ? "job" : "rank");
        bindUnless(statement, 2, rate.epoch, 0);
        bindUnless(statement, 3, rate.step, -1);
        bindUnless(statement, 4, rate.at, -1);
        bindUnlessZero(statement, 6, rate.samplesPerSecond);
        bindUnlessZero(statement, 7, rate.stepSeconds);
        bindUnlessZero(statement, 8, rate.waitForDataSeconds);
        statement.run();
    }
}

void putEvaluations(store::Database& database, const LogFacts& log)
{
    Statement statement =
        database.prepare("INSERT OR REPLACE INTO evaluation (epoch, at_ns, accuracy, begin_ns, end_ns) VALUES (?1, ?2, ?3, ?4, ?5)");
    for (const LogEvaluation& evaluation : log.evaluations) {
        statement.bind(1, evaluation.epoch).bind(3, evaluation.accuracy);
        bindUnless(statement, 2, evaluation.at, -1);
        if (evaluation.when.empty())
            statement.bindNull(4).bindNull(5);
        else
            statement.bind(4, evaluation.when.begin).bind(5, evaluation.when.end);
        statement.run();
    }
}

}  // namespace

void writeLog(store::Database& database, const LogFacts& log)
{
    database.execute("DELETE FROM log_value; DELETE FROM log_rate; DELETE FROM evaluation");
    if (log.empty()) return;
    putValues(database, log);
    putRates(database, log);
    putEvaluations(database, log);
}

}  // namespace flowgauge::facts
