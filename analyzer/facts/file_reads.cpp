// SPDX-License-Identifier: MIT
#include "analyzer/facts/file_reads.h"

#include "analyzer/facts/embedded_sql.h"

namespace flowgauge::facts {

std::vector<FileReads> fileReads(store::RunStore& store)
{
    std::vector<FileReads> all;
    store::Statement rows = store.database().prepare(sql::readsByFile);
    while (rows.step()) {
        FileReads reads{rows.integer(0), rows.integer(1), rows.text(2),    rows.integer(3),
                        rows.integer(4), rows.integer(5), rows.integer(6), {}};
        reads.byLog2 = store::unpackHistogram(rows.blob(7));
        all.push_back(std::move(reads));
    }
    return all;
}

}  // namespace flowgauge::facts
