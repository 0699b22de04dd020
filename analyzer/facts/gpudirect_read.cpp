// SPDX-License-Identifier: MIT
#include "analyzer/facts/embedded_sql.h"
#include "analyzer/facts/gpudirect.h"

namespace flowgauge::facts {

GpuDirect gpuDirectOf(store::RunStore& store)
{
    GpuDirectLog log;
    store::Statement lines = store.database().prepare(sql::ncclLines);
    while (lines.step()) log.take(lines.text(0));
    std::vector<std::string> capabilities;
    store::Statement ledger = store.database().prepare(sql::ledger);
    while (ledger.step())
        if (ledger.text(0) == "gpudirect") capabilities.push_back(ledger.text(2));
    return log.verdict(capabilities);
}

}  // namespace flowgauge::facts
