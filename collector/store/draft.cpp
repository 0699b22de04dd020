// SPDX-License-Identifier: MIT
#include "collector/store/draft.h"

#include <system_error>
#include <utility>

namespace flowgauge::store {

Draft::Draft(std::filesystem::path target) : m_target(std::move(target)), m_file(m_target)
{
    m_file += ".new";
    remove();
}

Draft::~Draft() { remove(); }

void Draft::keep() const { std::filesystem::rename(m_file, m_target); }

void Draft::remove() const
{
    std::error_code ignored;
    for (const char* const suffix : {"", "-journal", "-wal", "-shm"}) std::filesystem::remove(m_file.native() + suffix, ignored);
}

}  // namespace flowgauge::store
