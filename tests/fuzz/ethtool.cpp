// SPDX-License-Identifier: MIT
#include "collector/sample/ethtool.h"

#include <cstdlib>
#include <vector>

using namespace flowgauge;
using namespace flowgauge::sample;

namespace {

constexpr Outlet nowhere{[](const Event&) {}, [](NameClass, std::string_view) { return NameKey{1}; }};

/// A line of the text is a cell of the driver's table: cut to its 32 bytes, and not terminated when it fills them.
std::vector<char> tableOf(std::string_view text)
{
    std::vector<char> table;
    while (!text.empty()) {
        const std::string_view name = upTo(text, text.find('\n'));
        text = from(text, name.size() + 1);
        const std::string_view cell = upTo(name, EthtoolStrings::bytesEach);
        table.insert(table.end(), cell.begin(), cell.end());
        table.resize((table.size() + EthtoolStrings::bytesEach - cell.size()));
    }
    return table;
}

void demand(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace

/// Any table: what is kept is a row of ours, of the whole port or a priority that there is, and values of another table are refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::vector<char> table = tableOf({reinterpret_cast<const char*>(data), size});
    const EthtoolStrings names(table);
    std::size_t known = 0;
    for (std::size_t at = 0; at < names.size(); ++at) {
        EthtoolMatch match;
        demand(names[at].size() <= EthtoolStrings::bytesEach);
        if (!matchEthtool(names[at], match)) continue;
        ++known;
        demand(match.priority >= wholePort && match.priority <= 7 && rowOf(match.counter).family == CounterFamily::Nic);
    }
    EthtoolPort port;
    const std::size_t kept = port.learn("eth0", names);
    demand(kept <= known && (kept > 0) == (known > 0) && kept == port.kept());

    SourceTable sources;
    demand(sources.create(16));
    CounterSink sink(nowhere, hostFactMark);
    SysRoot root;
    Scratch scratch;
    sink.beginPass(1);
    const Pass pass{root, scratch, sources, sink};
    const std::vector<std::uint64_t> values(names.size() + 1, 7);
    const std::span<const std::uint64_t> all(values);
    demand(port.put(pass, 1, all.first(names.size())));
    demand(!port.put(pass, 2, all));
    sources.release();
    return 0;
}
