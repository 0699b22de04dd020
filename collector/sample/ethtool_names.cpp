// SPDX-License-Identifier: MIT
#include "collector/sample/ethtool_names.h"

#include "collector/sample/text.h"

namespace flowgauge::sample {
namespace {

/// Whether the name is the row's, and of which priority.
bool isName(std::string_view row, std::string_view name, int& priority)
{
    const std::size_t star = row.find('*');
    if (star == std::string_view::npos) return row == name;
    if (name.size() != row.size() || upTo(name, star) != upTo(row, star) || from(name, star + 1) != from(row, star + 1)) return false;
    priority = name[star] - '0';
    return priority >= 0 && priority <= 7;
}

}  // namespace

bool matchEthtool(std::string_view name, EthtoolMatch& into)
{
    for (const EthtoolName& row : ethtoolNames) {
        into = {row.counter, wholePort};
        if (isName(row.name, name, into.priority)) return true;
    }
    return false;
}

}  // namespace flowgauge::sample
