// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/run_service.h"
#include "gui/load/strips.h"

#include <QElapsedTimer>
#include <QObject>

#include <optional>
#include <unordered_map>
#include <vector>

namespace flowgauge::widgets {

/// The strips and bars that the timeline paints, fetched on another thread: for each row one of the whole run, which is there
/// soon and then always, and the finest that was asked for last. A painter takes what there is.
class StripCache : public QObject {
    Q_OBJECT
public:
    explicit StripCache(load::RunService& service, QObject* parent = nullptr);

    void setRun(const load::RunPtr& run, std::vector<timeline::Row> rows);
    /// Asks for these rows over the window, unless they are there or on their way.
    void want(const std::vector<std::size_t>& rows, const timeline::TimeScale& scale);

    [[nodiscard]] const timeline::Strip* overview(std::size_t row) const;
    [[nodiscard]] const timeline::Strip* fine(std::size_t row) const;  ///< null, or of any window
    /// Single events, where there are few enough in the wanted window to tell apart.
    [[nodiscard]] const load::RowBars* bars(std::size_t row, Interval window) const;
    [[nodiscard]] const std::vector<timeline::Row>& rows() const { return m_rows; }
    [[nodiscard]] bool isSettled() const;  ///< nothing is on its way

signals:
    void changed();

private:
    struct Entry {
        std::optional<timeline::Strip> overview, fine;
        std::optional<load::RowBars> bars;
        Interval barsAsked;
    };
    void fetch(std::size_t row, const timeline::StripFrame& frame, bool overview);
    void fetchBars(std::size_t row);
    void arrived();
    void dropAsked();

    load::RunService& m_service;
    load::RunPtr m_run;
    std::vector<timeline::Row> m_rows;
    std::unordered_map<std::size_t, Entry> m_entries;
    std::vector<std::size_t> m_wanted;
    timeline::TimeScale m_scale;
    std::vector<load::Cancel> m_asked;
    bool m_again = false;
    QElapsedTimer m_age;  ///< of what is outstanding
};

}  // namespace flowgauge::widgets
