// SPDX-License-Identifier: MIT
#include "collector/store/schema.h"

#include "collector/record/error.h"
#include "collector/store/descriptions.h"
#include "collector/store/embedded_schema.h"
#include "collector/store/views.h"

#include <string>

namespace flowgauge::store {

namespace {

std::int64_t pragma(Database& database, std::string_view name)
{
    Statement statement = database.prepare("PRAGMA " + std::string(name));
    return statement.step() ? statement.integer(0) : 0;
}

/// The first read of the file: this is where SQLite notices that it is none.
std::int64_t readApplicationId(Database& database)
{
    try {
        return pragma(database, "application_id");
    } catch (const Error& error) {
        throw Error(database.file().string(), "is not a run: expected an SQLite file made by flowgauge, found (", error.what(), ")");
    }
}

}  // namespace

void createSchema(Database& database)
{
    database.execute(schemaSql);
    createViews(database);
    describeAll(database);
    database.execute("PRAGMA application_id = " + std::to_string(applicationId));
    database.execute("PRAGMA user_version = " + std::to_string(schemaVersion));
}

void checkSchema(Database& database)
{
    const std::string where = database.file().string();
    const std::int64_t application = readApplicationId(database);
    if (application != applicationId)
        throw Error(where, "is not a run: expected application id ", applicationId, ", found ", application,
                    "; it is the SQLite file of another program");
    const std::int64_t version = pragma(database, "user_version");
    if (version > schemaVersion)
        throw Error(where, "has schema version ", version, ", this build reads version ", schemaVersion, "; use a newer flowgauge");
    if (version < schemaVersion)
        throw Error(where, "has schema version ", version, ", this build reads version ", schemaVersion,
                    "; it was never finished or is older: record again, or use the flowgauge that made it");
}

}  // namespace flowgauge::store
