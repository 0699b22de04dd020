// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <string>
#include <utility>
#include <vector>

namespace flowgauge::facts {

/// A table or view of run.db, and what its columns mean.
struct DescribedObject {
    std::string name, sentence;
    std::vector<std::pair<std::string, std::string>> columns;  ///< name, sentence
};

/// Everything that the table `describe` documents, in order of name.
[[nodiscard]] std::vector<DescribedObject> describedObjects(store::RunStore& store);

/// A question that shows what an object holds.
[[nodiscard]] std::string firstRowsOf(const std::string& object);

}  // namespace flowgauge::facts
