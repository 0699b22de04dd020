// SPDX-License-Identifier: MIT
#include "analyzer/facts/described.h"

namespace flowgauge::facts {

std::vector<DescribedObject> describedObjects(store::RunStore& store)
{
    std::vector<DescribedObject> objects;
    store::Statement rows =
        store.database().prepare("SELECT object, coalesce(column, ''), sentence FROM describe ORDER BY object, column <> '', column");
    while (rows.step()) {
        if (objects.empty() || objects.back().name != rows.text(0)) objects.push_back({rows.text(0), "", {}});
        if (rows.text(1).empty())
            objects.back().sentence = rows.text(2);
        else
            objects.back().columns.emplace_back(rows.text(1), rows.text(2));
    }
    return objects;
}

std::string firstRowsOf(const std::string& object) { return "SELECT * FROM " + object + " LIMIT 100"; }

}  // namespace flowgauge::facts
