// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/rows.h"
#include "collector/record/error.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <iterator>
#include <memory>

namespace flowgauge::cli {
namespace {

struct QueryArguments {
    std::string run, sql;
    bool json = false, csv = false, table = false;
};

int query(const QueryArguments& arguments)
{
    std::string sql = arguments.sql;
    if (sql == "-") sql.assign(std::istreambuf_iterator<char>(std::cin), {});
    open::OpenedRun run = openWithProgress(arguments.run);
    store::Database database(run.database, store::Database::Mode::Read);
    store::Statement statement = database.prepare(sql);
    if (!statement.onlyReads())
        throw Error(run.database.string(), "query only reads, and this statement would write; change a copy of the file with sqlite3");
    const RowFormat format = arguments.json ? RowFormat::Json : arguments.csv ? RowFormat::Csv : RowFormat::Table;
    printRows(statement, format, std::cout);
    return exitOk;
}

}  // namespace

Action describeQuery(CLI::App& command)
{
    const auto arguments = std::make_shared<QueryArguments>();
    command.add_option("RUN", arguments->run, "the run's directory or its run.db")->required();
    command.add_option("SQL", arguments->sql, "one statement; - reads it from standard input")->required();
    CLI::Option* json = command.add_flag("--json", arguments->json, "one JSON array of objects");
    CLI::Option* csv = command.add_flag("--csv", arguments->csv, "comma separated values, with a header")->excludes(json);
    command.add_flag("--table", arguments->table, "a table (this is the default)")->excludes(json)->excludes(csv);
    command.footer("Tables, views and their columns are described in the table `describe`.");
    return [arguments] { return query(*arguments); };
}

}  // namespace flowgauge::cli
