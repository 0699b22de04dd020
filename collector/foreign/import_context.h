// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/import.h"
#include "collector/store/run_store.h"

#include <set>

namespace flowgauge::foreign {

/// What the import of one file gets to see of the whole.
struct ImportContext {
    store::RunStore& store;
    const ImportOptions& options;
    Nanos zeroUnixNs = 0;
    std::set<std::int64_t> ranks;  ///< taken by the files so far

    /// Takes a rank; throws Error (file) where an earlier file has it already.
    void take(std::int64_t rank, const std::filesystem::path& file);
};

/// What a recording of GPUs cannot tell, whoever made it: one ledger line each.
void putAbsences(ImportContext& context, std::string_view tool);

/// One trace of a PyTorch profiler.
[[nodiscard]] ImportedFile importKineto(ImportContext& context, const std::filesystem::path& file, std::optional<std::int64_t> rank,
                                        Nanos baseNs, const Progress& progress);

/// One export of Nsight Systems. rank: of its first process with a GPU, the others follow.
[[nodiscard]] ImportedFile importNsight(ImportContext& context, const std::filesystem::path& file, std::optional<std::int64_t> rank,
                                        const Progress& progress);
/// When the first event of an export began, Unix ns. Throws Error for an SQLite file that is none, or of a schema that is not known.
[[nodiscard]] Nanos nsightStart(const std::filesystem::path& file);

}  // namespace flowgauge::foreign
