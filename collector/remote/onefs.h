// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/onefs_session.h"
#include "collector/remote/onefs_values.h"
#include "collector/remote/source.h"

#include <string>
#include <vector>

namespace flowgauge::remote {

/// A OneFS cluster (Isilon, PowerScale): what its file system, disks, network and caches did, and its busiest NFS clients.
class OneFs final : public Source {
public:
    OneFs(Login login, std::string referer) : m_session(std::move(login), std::move(referer)) {}

    void poll(Http& http, Recording& recording) override;
    [[nodiscard]] std::chrono::seconds period() const override { return m_period; }
    [[nodiscard]] bool givenUp() const override { return m_session.refused(); }

private:
    using Clock = std::chrono::steady_clock;
    /// A key that this cluster has. It is not asked for again before its value is new.
    struct Asked {
        std::string name;
        bool ofNodes;
        std::chrono::seconds interval;  ///< 0: worked out when asked
        Clock::time_point due;
    };
    void learnKeys(Http& http, Recording& recording);
    [[nodiscard]] std::vector<std::string> takeDue(bool ofNodes);
    void askStats(Http& http, Recording& recording, const std::string& query);
    void askClients(Http& http, Recording& recording);

    OneFsSession m_session;
    std::vector<Asked> m_keys;
    bool m_learnt = false, m_tellsClients = true;
    std::chrono::seconds m_period{30};
};

}  // namespace flowgauge::remote
