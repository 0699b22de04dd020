// SPDX-License-Identifier: MIT
#include "collector/store/descriptions.h"

#include "collector/store/views.h"

#include <string>
#include <string_view>

namespace flowgauge::store {

namespace {

struct Description {
    std::string_view object, column, sentence;
};

constexpr Description descriptions[] = {
#define FLOWGAUGE_DESCRIBE(object, column, sentence) {object, column, sentence},
#include "collector/store/descriptions.def"
#undef FLOWGAUGE_DESCRIBE
};

class Describer {
public:
    explicit Describer(Database& database) : m_put(database, "INSERT INTO describe VALUES (?1, ?2, ?3)") {}

    void put(const Description& row) { m_put.bind(1, row.object).bind(2, row.column).bind(3, row.sentence).run(); }

    void putView(std::string_view view, std::string_view sentence, const std::vector<ViewColumn>& columns)
    {
        put({view, "", sentence});
        for (const ViewColumn& column : columns) put({view, column.name, column.sentence});
    }

private:
    Statement m_put;
};

}  // namespace

void describeAll(Database& database)
{
    Describer describer(database);
    for (const Description& row : descriptions) describer.put(row);
    for (const KindRow& row : kindRows)
        if (const auto columns = kindViewColumns(row)) describer.putView(row.sqlName, row.sentence, *columns);
    for (const CounterFamily family : counterFamilies()) {
        const std::string sentence = "Readings of the counters of family " + std::string(familyName(family)) + ", a row each.";
        describer.putView(counterViewName(family), sentence, counterViewColumns());
    }
}

}  // namespace flowgauge::store
