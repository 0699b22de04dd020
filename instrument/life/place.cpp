// SPDX-License-Identifier: MIT
#include "instrument/life/place.h"

#include "collector/record/raw.h"
#include "collector/record/settings.h"

#include <sys/utsname.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace flowgauge::life {
namespace {

using std::string_view;

constexpr std::array<string_view, 36> launchers{"sh",
                                                "bash",
                                                "dash",
                                                "zsh",
                                                "ksh",
                                                "csh",
                                                "tcsh",
                                                "fish",
                                                "busybox",
                                                "env",
                                                "nice",
                                                "ssh",
                                                "sshd",
                                                "rsh",
                                                "srun",
                                                "slurmstepd",
                                                "sbatch",
                                                "salloc",
                                                "mpirun",
                                                "mpiexec",
                                                "orterun",
                                                "orted",
                                                "prterun",
                                                "prted",
                                                "prte",
                                                "prun",
                                                "mpirun.openmpi",
                                                "mpiexec.openmpi",
                                                "mpirun.mpich",
                                                "mpiexec.mpich",
                                                "mpiexec.hydra",
                                                "hydra_pmi_proxy",
                                                "hydra_bstrap_proxy",
                                                "timeout",
                                                "sudo",
                                                "flowgauge"};

/// A text that grows in a fixed array and knows when it did not fit.
class Text {
public:
    template <std::size_t size>
    explicit Text(std::array<char, size>& into) : m_at(into.data()), m_end(into.data() + size - 1)
    {
        *m_at = '\0';
    }
    Text& operator<<(string_view part)
    {
        m_fits = m_fits && part.size() <= static_cast<std::size_t>(m_end - m_at);
        if (!m_fits) return *this;
        std::memcpy(m_at, part.data(), part.size());
        m_at += part.size();
        *m_at = '\0';
        return *this;
    }
    Text& operator<<(std::uint64_t number)
    {
        std::array<char, 20> digits;
        std::size_t count = 0;
        for (; count == 0 || number != 0; number /= 10) digits[digits.size() - ++count] = static_cast<char>('0' + number % 10);
        return *this << string_view(digits.data() + digits.size() - count, count);
    }
    [[nodiscard]] bool fits() const { return m_fits; }

private:
    char* m_at;
    char* m_end;
    bool m_fits = true;
};

bool absolutePath(string_view path, PathText& into)
{
    Text text(into);
    if (path[0] == '/') return (text << path).fits();
    PathText here;
    const long length = raw::call(SYS_getcwd, here.data(), here.size());
    if (length <= 1) return false;
    return (text << string_view(here.data(), static_cast<std::size_t>(length - 1)) << "/" << path).fits();
}

/// FNV-1a, 64 bits, as 16 hex digits: equal on every host that names the run's directory alike.
bool idOfPath(string_view path, std::array<char, 64>& into)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : path) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    std::array<char, 16> digits;
    for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15U];
    return (Text(into) << string_view(digits.data(), digits.size())).fits();
}

const char* spoolRoot()
{
    if (*settingOf(Variable::Spool) != '\0') return settingOf(Variable::Spool);
    for (const char* const variable : {"SLURM_TMPDIR", "TMPDIR"}) {
        const char* const value = std::getenv(variable);
        if (value != nullptr && *value == '/') return value;
    }
    return "/tmp";
}

bool fillRunId(Place& into)
{
    const char* const given = settingOf(Variable::RunId);
    if (*given != '\0' && std::strchr(given, '/') == nullptr) return (Text(into.runId) << given).fits();
    return idOfPath(into.run.data(), into.runId);
}

bool fillHost(Place& into)
{
    utsname names;
    if (raw::call(SYS_uname, &names) != 0) return false;
    return (Text(into.host) << names.nodename).fits();
}

/// Makes every missing folder of a path; the last component too.
void makeFolders(const char* path)
{
    PathText part;
    const std::size_t length = std::strlen(path);
    for (std::size_t i = 1; i <= length && i < part.size(); ++i) {
        if (path[i] != '/' && path[i] != '\0') continue;
        std::memcpy(part.data(), path, i);
        part[i] = '\0';
        raw::mkdir(part.data(), 0777);
    }
}

/// True when a small file has that line; the newline belongs to it. Two processes may both find it missing: a line that stands
/// twice does no harm.
bool holdsLine(int fd, const char* line)
{
    std::array<char, 16384> text;
    const ssize_t got = raw::pread(fd, text.data(), text.size() - 1, 0);
    if (got <= 0) return false;
    text[static_cast<std::size_t>(got)] = '\0';
    const char* const found = std::strstr(text.data(), line);
    return found != nullptr && (found == text.data() || found[-1] == '\n');
}

}  // namespace

bool findPlace(Place& into)
{
    const char* const run = settingOf(Variable::Run);
    if (*run == '\0' || !absolutePath(run, into.run) || !fillRunId(into) || !fillHost(into)) return false;
    Text spool(into.spoolFolder);
    spool << spoolRoot() << "/flowgauge-" << std::uint64_t{static_cast<std::uint32_t>(raw::call(SYS_getuid))} << "/"
          << string_view(into.runId.data()) << "/" << string_view(into.host.data());
    Text pointer(into.pointerFile);
    pointer << string_view(into.run.data()) << "/hosts/" << string_view(into.host.data()) << ".spool";
    const char* const launcher = settingOf(Variable::Launcher);
    into.launchedHere = string_view(launcher) == into.host.data();
    into.handsOver = *launcher != '\0' && !into.launchedHere;
    return spool.fits() && pointer.fits();
}

bool isSkipped(const char* program)
{
    string_view name(program);
    name.remove_prefix(name.rfind('/') == string_view::npos ? 0 : name.rfind('/') + 1);
    if (!name.empty() && name[0] == '-') name.remove_prefix(1);  // login shells
    if (std::find(launchers.begin(), launchers.end(), name) != launchers.end()) return true;
    string_view more(settingOf(Variable::Skip));
    while (!more.empty()) {
        const std::size_t end = std::min(more.find(','), more.size());
        if (string_view(more.data(), end) == name) return true;
        more.remove_prefix(std::min(end + 1, more.size()));
    }
    return false;
}

void announce(const Place& place)
{
    PathText folder;
    if (!(Text(folder) << string_view(place.run.data()) << "/hosts").fits()) return;
    makeFolders(folder.data());
    PathText line;
    if (!(Text(line) << string_view(place.spoolFolder.data()) << "\n").fits()) return;
    const int fd = raw::open(place.pointerFile.data(), O_RDWR | O_CREAT | O_APPEND, 0644);
    if (fd < 0) return;
    if (!holdsLine(fd, line.data())) raw::write(fd, line.data(), std::strlen(line.data()));
    raw::close(fd);
}

}  // namespace flowgauge::life
