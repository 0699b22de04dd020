// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"
#include "gui/models/table_model.h"
#include "gui/timeline/chart.h"

/// Parts of the report's documents, as the window draws them: the same numbers, the same words.
namespace flowgauge::models {

[[nodiscard]] timeline::Chart chartOf(const report::Chart& chart);
[[nodiscard]] std::vector<Column> columnsOf(const report::Table& table);
[[nodiscard]] std::vector<std::vector<Cell>> rowsOf(const report::Table& table);

/// All blocks of a kind, in order.
template <typename Block>
[[nodiscard]] std::vector<Block> blocksOf(const report::Document& document)
{
    std::vector<Block> blocks;
    for (const report::Section& section : document.sections)
        for (const report::Block& block : section.blocks)
            if (const auto* found = std::get_if<Block>(&block)) blocks.push_back(*found);
    return blocks;
}

}  // namespace flowgauge::models
