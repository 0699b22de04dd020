// SPDX-License-Identifier: MIT
#include "collector/buffer/identity.h"

#include "collector/buffer/text.h"
#include "collector/record/raw.h"

#include <sys/utsname.h>
#include <array>

namespace flowgauge::buffer {
namespace {

constexpr std::array<std::string_view, 30> interests{
#define FLOWGAUGE_INTEREST(pattern) pattern,
#include "collector/buffer/variables.def"
#undef FLOWGAUGE_INTEREST
};
static_assert(!interests.back().empty(), "the table and its length agree");

constexpr std::size_t longestCommandLine = 16384;

/// Up to `room` bytes of a file of /proc; 0 when it cannot be read.
std::size_t readFile(const char* path, char* into, std::size_t room)
{
    const int fd = raw::open(path, O_RDONLY);
    if (fd < 0) return 0;
    std::size_t total = 0;
    for (ssize_t got = 1; got > 0 && total<room; total += got> 0 ? static_cast<std::size_t>(got) : 0)
        got = raw::read(fd, into + total, room - total);
    raw::close(fd);
    return total;
}

/// First line of a small file, zero-terminated and cut to fit.
template <std::size_t size>
void readLine(const char* path, std::array<char, size>& into)
{
    const std::size_t got = readFile(path, into.data(), size - 1);
    std::size_t length = 0;
    while (length < got && into[length] != '\n' && into[length] != '\0') ++length;
    std::memset(into.data() + length, 0, size - length);
}

/// Field 22 of /proc/self/stat. Counted from the last ')': the program's name, field 2, may hold blanks and parentheses.
std::uint64_t processStartTicks()
{
    std::array<char, 1024> text;
    const std::size_t got = readFile("/proc/self/stat", text.data(), text.size());
    std::size_t at = got;
    while (at > 0 && text[at - 1] != ')') --at;
    if (at == 0) return 0;
    for (int field = 2; at < got && field < 22; ++at) field += text[at] == ' ' ? 1 : 0;
    std::uint64_t value = 0;
    for (; at < got && text[at] >= '0' && text[at] <= '9'; ++at) value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    return value;
}

/// Zero-terminated texts one behind the other; what does not fit whole is left out.
struct Texts {
    char* into;
    std::size_t room;
    std::size_t used = 0;

    void add(std::string_view key, std::string_view value)
    {
        const std::size_t needed = key.size() + value.size() + 1;
        if (needed > room - used) return;
        std::memcpy(into + used, key.data(), key.size());
        std::memcpy(into + used + key.size(), value.data(), value.size());
        into[used + needed - 1] = '\0';
        used += needed;
    }
};

void addLink(Texts& texts, std::string_view key, const char* path)
{
    std::array<char, 4096> target;
    const ssize_t length = raw::readlink(path, target.data(), target.size());
    if (length > 0) texts.add(key, {target.data(), static_cast<std::size_t>(length)});
}

void addCommandLine(Texts& texts)
{
    std::array<char, longestCommandLine> words;
    const std::size_t got = readFile("/proc/self/cmdline", words.data(), words.size());
    for (std::size_t from = 0; from < got;) {
        std::size_t to = from;
        while (to < got && words[to] != '\0') ++to;
        texts.add("argv=", {words.data() + from, to - from});
        from = to + 1;
    }
}

bool matches(std::string_view name, std::string_view pattern)
{
    if (pattern.back() != '*') return name == pattern;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
}

}  // namespace

spool::SpoolHeader describeProcess()
{
    spool::SpoolHeader header{};
    const ClockAnchor start = readAnchor();
    header.magic = spool::spoolMagic;
    header.version = spool::spoolVersion;
    header.headerBytes = spool::pageBytes;
    header.pid = raw::processId();
    header.parentPid = static_cast<std::int32_t>(raw::call(SYS_getppid));
    header.userId = static_cast<std::uint32_t>(raw::call(SYS_getuid));
    header.clock = clockSource();
    header.startTicks = start.ticks;
    header.startRawNs = start.rawNs;
    header.startRealtimeNs = start.realtimeNs;
    header.processStart = processStartTicks();
    utsname machine{};
    if (raw::call(SYS_uname, &machine) == 0) std::memcpy(header.host.data(), machine.nodename, header.host.size() - 1);
    readLine("/proc/sys/kernel/random/boot_id", header.bootId);
    readLine("/proc/self/comm", header.program);
    return header;
}

bool isOfInterest(std::string_view assignment)
{
    const std::size_t end = assignment.find('=');
    if (end == std::string_view::npos) return false;
    assignment.remove_suffix(assignment.size() - end);
    for (const std::string_view pattern : interests)
        if (matches(assignment, pattern)) return true;
    return false;
}

// The live environment, not /proc/self/environ: launchers written in Python set RANK and its kin after the program started.
std::size_t describeEnvironment(char* into, std::size_t room)
{
    Texts texts{into, room};
    addLink(texts, "exe=", "/proc/self/exe");
    addLink(texts, "cwd=", "/proc/self/cwd");
    addCommandLine(texts);
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (isOfInterest(*at)) texts.add(*at, "");
    const std::size_t padded = (texts.used + spool::slotBytes - 1) / spool::slotBytes * spool::slotBytes;
    std::memset(into + texts.used, 0, padded - texts.used);
    return padded;
}

}  // namespace flowgauge::buffer
