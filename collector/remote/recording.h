// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"
#include "collector/record/event.h"
#include "collector/remote/http.h"
#include "collector/remote/reading.h"

#include <map>
#include <string>
#include <string_view>

namespace flowgauge::remote {

/// Where samples, names and lines of the ledger go: the recorder, or a test's notebook.
struct Outlet {
    void (*record)(const Event& event);
    NameKey (*name)(NameClass nameClass, std::string_view text);
    void (*ledger)(std::string_view what, std::string_view state, std::string_view reason);
};
extern const Outlet recorderOutlet;

/// Puts what one source tells into the run. A number that a server keeps and tells again is stored once, at the moment at which it
/// was measured, as far as that can be known. Used by one thread.
class Recording {
public:
    /// what: how the ledger names the source, "storage onefs://isilon1".
    Recording(std::string what, std::string shown, const Outlet& outlet);

    /// serverNs: the server's clock at the moment of the answer, 0 where it told none; this machine's stands for it then.
    void put(const Readings& readings, const Answer& answer, std::int64_t serverNs);
    /// Says something once: the second time the same text is only counted.
    void note(std::string_view state, const std::string& reason);
    /// The request of a round failed.
    void failed(const std::string& reason);
    void answered() { ++m_answered; }
    /// At the end: how many rounds failed, and what kept it from being asked again.
    void close(bool givenUp);

    /// A source that says of itself that it is a stand-in for a real one is named so in every sample.
    void nameStandIn(const Answer& answer);

private:
    struct Last {
        NameKey place = 0;
        std::int64_t measuredNs = 0;
    };
    void noteSkew(std::int64_t skewNs);
    [[nodiscard]] Ticks momentOf(const Answer& answer, std::int64_t ageNs) const;

    std::string m_what, m_shown;
    const Outlet& m_outlet;
    ClockAnchor m_start = readAnchor();
    std::map<std::pair<Counter, std::string>, Last> m_last;
    std::map<std::string, NameKey> m_places;
    std::map<std::string, int> m_said, m_failures;
    std::int64_t m_toldSkewNs = 0;
    int m_answered = 0;
};

}  // namespace flowgauge::remote
