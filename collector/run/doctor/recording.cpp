// SPDX-License-Identifier: MIT
#include "collector/record/clock.h"
#include "collector/run/doctor/doctor.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

/// What the recording itself needs: the library, the clock, a disk for spools, a kernel that lets it.
namespace flowgauge::run::doctor {
namespace {

namespace fs = std::filesystem;

std::string firstLine(const fs::path& file)
{
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

std::string rounded(double value)
{
    std::ostringstream text;
    text.precision(value < 10 ? 1 : 0);
    text << std::fixed << value;
    return text.str();
}

/// MB/s of writing 32 MiB to a file that is removed again, fsync included; a negative error number when it cannot.
double writeSpeed(const fs::path& folder)
{
    std::string name = (folder / "flowgauge-doctor-XXXXXX").string();
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) return -errno;
    ::unlink(name.c_str());
    const std::vector<char> block(std::size_t{1} << 20, 'x');
    const auto begin = std::chrono::steady_clock::now();
    double result = 0;
    for (int i = 0; i < 32 && result >= 0; ++i)
        if (::write(fd, block.data(), block.size()) != static_cast<ssize_t>(block.size())) result = -errno;
    if (result >= 0 && ::fsync(fd) != 0) result = -errno;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ::close(fd);
    return result < 0 ? result : 32 * 1.048576 / took.count();
}

/// True when a program with our library in front of it still runs; otherwise the dynamic loader's words.
bool loads(const fs::path& library, std::string& words)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    const pid_t child = ::fork();
    if (child == 0) {
        (void)::dup2(ends[1], STDERR_FILENO);
        const std::string preload = "LD_PRELOAD=" + library.native();
        const std::array<const char*, 2> environment{preload.c_str(), nullptr};
        const std::array<const char*, 2> arguments{"true", nullptr};
        ::execvpe("true", const_cast<char* const*>(arguments.data()), const_cast<char* const*>(environment.data()));
        ::_exit(127);
    }
    ::close(ends[1]);
    std::array<char, 1024> buffer;
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        words.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    (void)::waitpid(child, &status, 0);
    return status == 0 && words.empty();
}

}  // namespace

Row checkLibrary(const Place& place)
{
    std::error_code problem;
    if (!fs::exists(place.library, problem))
        return {"library", State::Absent, place.library.native() + " is missing: nothing can be recorded"};
    std::string words;
    if (loads(place.library, words)) return {"library", State::Ok, place.library.native() + " loads into programs of this machine"};
    std::replace(words.begin(), words.end(), '\n', ' ');
    return {"library", State::Absent, "does not load: " + words};
}

Row checkCLibrary(const Place&)
{
    return {"C library", State::Ok,
            std::string("glibc ") + gnu_get_libc_version() +
                "; the library needs 2.28 or newer. Programs of musl and static programs are not recorded"};
}

Row checkClock(const Place& place)
{
    const std::string available = firstLine(place.root / "sys/devices/system/clocksource/clocksource0/available_clocksource");
    chooseClock();
    if (clockSource() == ClockSource::Tsc) return {"clock", State::Ok, "TSC, about 11 ns a reading (the kernel offers: " + available + ")"};
    return {"clock", State::Degraded,
            "CLOCK_MONOTONIC, about 27 ns a reading: the kernel does not offer tsc here (it offers: " + available + ")"};
}

Row checkSpoolDisk(const Place& place)
{
    struct statvfs disk = {};
    const std::string folder = place.spoolRoot.native();
    if (::statvfs(folder.c_str(), &disk) != 0)
        return {"spool disk", State::Absent, folder + ": " + std::strerror(errno) + "; set FLOWGAUGE_SPOOL"};
    const double freeGib = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) / (1024.0 * 1024 * 1024);
    const double speed = writeSpeed(place.spoolRoot);
    if (speed < 0)
        return {"spool disk", State::Absent,
                folder + " cannot be written: " + std::strerror(static_cast<int>(-speed)) + "; set FLOWGAUGE_SPOOL"};
    const std::string detail = folder + ": " + rounded(freeGib) + " GiB free, writes " + rounded(speed) +
                               " MB/s; a million events take 64 MB until they are stored";
    return {"spool disk", freeGib < 1 || speed < 50 ? State::Degraded : State::Ok, detail};
}

Row checkKernel(const Place& place)
{
    const std::string release = firstLine(place.root / "proc/sys/kernel/osrelease");
    const std::string io = fs::exists(place.root / "proc/self/io") ? "" : "; without /proc/PID/io: no bytes per process";
    const std::string workingSet = [&] {
        std::ifstream file(place.root / "proc/vmstat");
        for (std::string word; file >> word;)
            if (word == "workingset_refault_file") return std::string();
        return std::string("; before 5.9: no count of pages that were evicted and read again");
    }();
    return {"kernel", io.empty() && workingSet.empty() ? State::Ok : State::Degraded, "Linux " + release + io + workingSet};
}

}  // namespace flowgauge::run::doctor
