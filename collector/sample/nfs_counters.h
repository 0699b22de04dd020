// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/mountstats.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// Puts what one record of mountstats says of its superblock; unknown numbers are left out.
void putMount(const Pass& pass, Ticks at, Source& source, const NfsMount& mount);
/// Puts zeros where there were numbers: all totals of the superblock begin anew.
void putNewZero(const Pass& pass, Ticks at, Source& source);
void putTransport(const Pass& pass, Ticks at, Source& source, const TransportSums& sums);
/// Writes options that matter, the real number of connections and the read-ahead ("" unknown) into the ledger.
void noteMount(const CounterSink& sink, const NfsMount& mount, std::string_view readAheadKib);

}  // namespace flowgauge::sample
