// SPDX-License-Identifier: MIT
#include "tests/unit/collector/buffer/victim.h"

#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <stdexcept>

#if defined(__SANITIZE_THREAD__)
/// The tests are about children of programs with threads; by default the sanitizer ends such a child at its first thread.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace flowgauge::test {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& under)
{
    std::string pattern = (under / "flowgauge-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp: " + pattern);
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

void enableRecorder(const VictimSettings& settings)
{
    const std::string folder = settings.folder.string();
    buffer::enable({folder.c_str(), "test-run", kindMaskOf(settings.kinds), settings.maxSpoolBytes, settings.ringBytes});
}

int startVictim(const VictimSettings& settings, const std::function<void()>& body)
{
    const pid_t child = ::fork();
    if (child != 0) return child;
    enableRecorder(settings);
    body();
    buffer::finish();
    ::_exit(0);
}

int runVictim(const VictimSettings& settings, const std::function<void()>& body)
{
    const int child = startVictim(settings, body);
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
}

}  // namespace flowgauge::test
