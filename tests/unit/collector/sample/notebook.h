// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/sample/counter_sink.h"
#include "collector/sample/host_samplers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flowgauge::sample {

/// Stands where the recorder stands and writes down what it is given. One at a time.
class Notebook {
public:
    Notebook() { current = this; }
    ~Notebook() { current = nullptr; }
    Notebook(const Notebook&) = delete;
    Notebook& operator=(const Notebook&) = delete;

    static void record(const Event& event)
    {
        current->events.push_back(event);
        current->last[{current->names.at(event.arg[1] - 1), static_cast<Counter>(event.arg[0])}] = event.arg[2];
    }
    static NameKey name(NameClass nameClass, std::string_view text)
    {
        (nameClass == NameClass::Source ? current->sources : current->ledger).emplace_back(text);
        current->names.emplace_back(text);
        return current->names.size();
    }
    static constexpr Outlet outlet{&Notebook::record, &Notebook::name};

    /// The last value stored for a counter of a place; nothing when there was none.
    [[nodiscard]] std::optional<std::uint64_t> value(const std::string& source, Counter counter) const
    {
        const auto found = last.find({source, counter});
        return found == last.end() ? std::nullopt : std::optional(found->second);
    }
    /// The ledger's line about one kind of source, without mark and "<what>\t".
    [[nodiscard]] std::string found(const std::string& what) const
    {
        const std::string head = std::string(hostFactMark) + what + "\t";
        for (const std::string& line : ledger)
            if (line.rfind(head, 0) == 0) return line.substr(head.size());
        return "";
    }

    std::vector<Event> events;
    std::vector<std::string> names, sources, ledger;
    std::map<std::pair<std::string, Counter>, std::uint64_t> last;

private:
    static inline Notebook* current = nullptr;
};

/// One look and one pass over a captured machine.
inline void sampleOnce(const std::string& root)
{
    HostSamplers* const samplers = HostSamplers::make(root, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    HostSamplers::discard(samplers);
}

inline std::string sysroot(const std::string& machine) { return std::string(FLOWGAUGE_SYSROOTS) + "/" + machine; }

/// The public recordings, or "" with the reason to skip.
inline std::string fixtures()
{
    const char* const folder = std::getenv("FLOWGAUGE_FIXTURES");
    return folder == nullptr ? "" : folder;
}

}  // namespace flowgauge::sample
