// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"
#include "collector/store/kind_columns.h"

#include <algorithm>

namespace flowgauge::store {

/// The columns that hold name and bytes of events of these kinds.
[[nodiscard]] constexpr ColumnSet namedColumnsOf(KindBits kinds)
{
    ColumnSet columns = 0;
    for (std::size_t kind = 0; kind < kindCount; ++kind) {
        if ((kinds >> kind & 1U) == 0) continue;
        if (kindColumns[kind].name < 4) columns |= setOf(argumentColumn(kindColumns[kind].name));
        if (kindColumns[kind].bytes < 4) columns |= setOf(argumentColumn(kindColumns[kind].bytes));
    }
    return columns;
}

/// Kind, name and bytes of the events of a batch, one after the other. A kind's columns are looked up only where the kind
/// changes, which in most tracks is never.
class NamedColumns {
public:
    explicit NamedColumns(const EventColumns& batch) : m_batch(batch) {}

    /// To be called before name(i) and bytes(i).
    Kind kind(std::size_t i)
    {
        const Kind kind = m_batch.kind(i);
        if (kind != m_kind) change(kind);
        return kind;
    }
    [[nodiscard]] Id name(std::size_t i) const { return m_name != nullptr ? static_cast<Id>(m_name[i]) : 0; }
    /// A negative number of bytes is -errno and moved none.
    [[nodiscard]] std::int64_t bytes(std::size_t i) const
    {
        return m_bytes != nullptr ? std::max<std::int64_t>(0, static_cast<std::int64_t>(m_bytes[i])) : 0;
    }

private:
    void change(Kind kind)
    {
        const KindColumns columns = kindColumns[static_cast<std::size_t>(kind)];
        m_kind = kind;
        m_name = columns.name < 4 ? m_batch.words(argumentColumn(columns.name)) : nullptr;
        m_bytes = columns.bytes < 4 ? m_batch.words(argumentColumn(columns.bytes)) : nullptr;
    }

    const EventColumns& m_batch;
    Kind m_kind = Kind::None;
    const std::uint64_t* m_name = nullptr;
    const std::uint64_t* m_bytes = nullptr;
};

}  // namespace flowgauge::store
