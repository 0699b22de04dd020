// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace flowgauge::store {

/// A database that is whole or not there: it is made beside its place, as <target>.new, and moved into it by keep(). What is not
/// kept is removed, also what a killed process left there.
class Draft {
public:
    explicit Draft(std::filesystem::path target);
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft();

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    void keep() const;  ///< every connection to file() is closed by then, or it would write to a name that is gone

private:
    void remove() const;
    std::filesystem::path m_target, m_file;
};

}  // namespace flowgauge::store
