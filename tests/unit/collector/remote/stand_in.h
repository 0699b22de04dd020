// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/http.h"
#include "collector/remote/recording.h"
#include "collector/remote/source.h"

#include <sys/types.h>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::remote {

/// What a recording wrote, for one test at a time.
struct Notebook {
    struct Sample {
        Ticks at;
        Counter counter;
        std::string place;
        std::uint64_t value;
    };
    static inline std::vector<Sample> samples;
    static inline std::vector<std::string> ledger;  ///< "state: reason"
    static inline std::vector<std::string> names;
    static inline const Outlet outlet{
        [](const Event& event) {
            samples.push_back({event.begin, static_cast<Counter>(event.arg[0]), names.at(event.arg[1] - 1), event.arg[2]});
        },
        [](NameClass, std::string_view text) -> NameKey { return names.emplace_back(text), names.size(); },
        [](std::string_view, std::string_view state, std::string_view reason) {
            ledger.push_back(std::string(state) + ": " + std::string(reason));
        }};

    static void clear()
    {
        samples.clear();
        ledger.clear();
        names.clear();
    }
    /// The last value of a counter at a place, "" standing for the whole source.
    [[nodiscard]] static std::optional<std::uint64_t> value(Counter counter, const std::string& place);
    [[nodiscard]] static std::size_t count(Counter counter, const std::string& place);
    /// True when a line of the ledger begins so.
    [[nodiscard]] static bool says(const std::string& beginning);
};

/// Asks a source once: "" when it went well, else what it said.
[[nodiscard]] std::string pollOf(Source& source, Http& http, Recording& recording);

/// A stand-in server in a process of its own, with a folder for its certificate. Its name among the sources is `shown`.
class StandIn {
public:
    /// script: below tests/fakes. tls: without it, plain HTTP.
    StandIn(const std::string& script, const std::string& switches, bool tls = true);
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;
    ~StandIn();

    [[nodiscard]] std::string base() const;
    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] std::filesystem::path certificate() const { return m_folder / "certificate.pem"; }
    /// Sets switches, a JSON object.
    void set(const std::string& switches) const;
    /// How often a path was asked for.
    [[nodiscard]] int count(const std::string& path) const;

private:
    bool m_tls;
    std::filesystem::path m_folder;
    pid_t m_process = -1;
    int m_input = -1, m_port = 0;
};

}  // namespace flowgauge::remote
