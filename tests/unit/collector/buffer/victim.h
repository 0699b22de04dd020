// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"

#include <filesystem>
#include <functional>
#include <string>

namespace flowgauge::test {

/// A folder that is gone at the end of the scope.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::filesystem::path& under = std::filesystem::temp_directory_path());
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct VictimSettings {
    std::filesystem::path folder;
    std::uint64_t maxSpoolBytes = 0;
    std::uint64_t ringBytes = 0;
    std::string kinds = {};
};

/// Runs a body in a child process in which the recorder is enabled, as in a foreign program. The recorder's state is one a
/// process, so every test has a process of its own. Returns the child's wait status; the body's end is _exit(0) after
/// finish() unless it ended otherwise.
[[nodiscard]] int runVictim(const VictimSettings& settings, const std::function<void()>& body);

/// The same, but returns at once; wait for the pid.
[[nodiscard]] int startVictim(const VictimSettings& settings, const std::function<void()>& body);

void enableRecorder(const VictimSettings& settings);

/// An event that carries a number, to be found again.
[[nodiscard]] inline Event numbered(std::uint64_t number)
{
    const Ticks at = now();
    return fileTransfer({at, at + 1}, Kind::FileRead, {1, static_cast<std::int64_t>(number), 4096, 4096});
}
[[nodiscard]] inline std::uint64_t numberOf(const Event& event) { return event.arg[1]; }

/// Ends the victim with a status that the test sees.
#define VICTIM_EXPECT(condition) \
    if (!(condition)) _exit(100 + __LINE__ % 100)

}  // namespace flowgauge::test
