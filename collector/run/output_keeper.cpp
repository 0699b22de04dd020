// SPDX-License-Identifier: MIT
#include "collector/run/output_keeper.h"

#include "collector/ingest/output_log.h"
#include "collector/record/error.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <string>

namespace flowgauge::run {
namespace {

constexpr std::uint32_t bothStreams = 3;
constexpr std::int64_t mostReadBack = std::int64_t{256} << 20;

std::int64_t readClock(clockid_t clock)
{
    timespec at{};
    clock_gettime(clock, &at);
    return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}

/// Unix time by the clock as it was first read: the events of a run are on such a line too, so that a step of the clock parts no line of
/// the log from what happened beside it.
std::int64_t steadyUnixNow()
{
    static const std::int64_t offset = readClock(CLOCK_REALTIME) - readClock(CLOCK_MONOTONIC_RAW);
    return readClock(CLOCK_MONOTONIC_RAW) + offset;
}

/// Writes all of it; false when the other side is gone.
bool writeAll(int to, const char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t put = ::write(to, bytes, count);
        if (put < 0 && errno == EAGAIN) {  // somebody set the place we share with others to non-blocking
            pollfd room{to, POLLOUT, 0};
            (void)::poll(&room, 1, -1);
            continue;
        }
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= static_cast<std::size_t>(put);
    }
    return true;
}

void closeIfOpen(int& fd)
{
    if (fd >= 0) ::close(fd);
    fd = -1;
}

/// Both ends keep the bytes as they are: the real terminal behind us does the translating, once.
bool openTerminal(int like, int& master, int& slave)
{
    winsize size{};
    termios settings{};
    (void)::ioctl(like, TIOCGWINSZ, &size);
    if (::tcgetattr(like, &settings) != 0) return false;
    settings.c_oflag &= static_cast<tcflag_t>(~OPOST);
    settings.c_lflag &= static_cast<tcflag_t>(~ECHO);
    if (::openpty(&master, &slave, nullptr, &settings, &size) != 0) return false;
    for (const int fd : {master, slave}) (void)::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return true;
}

}  // namespace

OutputLog::OutputLog(const std::filesystem::path& run)
    : m_log(::open((run / "output.log").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)),
      m_index(::open((run / "output.idx").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644))
{
    if (m_log >= 0 && m_index >= 0) return;
    const int problem = errno;
    closeIfOpen(m_log);
    closeIfOpen(m_index);
    throw Error((run / "output.log").native(), "cannot be made: ", std::strerror(problem));
}

OutputLog::~OutputLog()
{
    closeIfOpen(m_log);
    closeIfOpen(m_index);
}

void OutputLog::append(std::uint32_t stream, const char* bytes, std::size_t count, std::int64_t realtimeNs)
{
    const std::lock_guard lock(m_mutex);
    if (m_log < 0) return;
    const ingest::OutputPiece piece{m_offset, realtimeNs, static_cast<std::uint32_t>(count), stream};
    if (writeAll(m_log, bytes, count) && writeAll(m_index, reinterpret_cast<const char*>(&piece), sizeof piece)) {
        m_offset += count;
        return;
    }
    closeIfOpen(m_log);  // a full disk: what is there stays readable
    closeIfOpen(m_index);
}

OutputKeeper::~OutputKeeper()
{
    finish(0);
    closeIfOpen(m_stop);
}

void OutputKeeper::prepare()
{
    m_stop = ::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    struct stat out = {}, err = {};
    const bool haveOut = ::fstat(STDOUT_FILENO, &out) == 0;
    const bool haveErr = ::fstat(STDERR_FILENO, &err) == 0;
    const bool both = haveOut && haveErr && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
    if (haveOut) prepareStream(STDOUT_FILENO, both);
    if (haveErr && !both) prepareStream(STDERR_FILENO, false);
}

void OutputKeeper::prepareStream(int target, bool both)
{
    struct stat status = {};
    if (::fstat(target, &status) != 0) return;
    auto stream = std::make_unique<Stream>();
    stream->target = target;
    stream->number = both ? bothStreams : static_cast<std::uint32_t>(target);
    std::array<int, 2> ends{-1, -1};
    if (S_ISREG(status.st_mode)) {
        const bool appends = (::fcntl(target, F_GETFL) & O_APPEND) != 0;
        stream->means = Means::ReadBack;
        stream->startOffset = appends ? status.st_size : std::max<off_t>(0, ::lseek(target, 0, SEEK_CUR));
    } else if (S_ISFIFO(status.st_mode) && ::pipe2(ends.data(), O_CLOEXEC) == 0) {
        stream->means = Means::Pipe;
        stream->readEnd = ends[0];
        stream->writeEnd = ends[1];
    } else if (::isatty(target) == 1 && openTerminal(target, stream->readEnd, stream->writeEnd)) {
        stream->means = Means::Terminal;
    } else {
        return;
    }
    m_streams.push_back(std::move(stream));
}

void OutputKeeper::connectChild() const
{
    for (const auto& stream : m_streams) {
        if (stream->writeEnd < 0) continue;
        (void)::dup2(stream->writeEnd, stream->target);
        if (stream->number == bothStreams) (void)::dup2(stream->writeEnd, STDERR_FILENO);
    }
}

void OutputKeeper::start()
{
    for (const auto& stream : m_streams) {
        closeIfOpen(stream->writeEnd);  // else our own copy would keep the stream from ever ending
        if (stream->readEnd >= 0) stream->thread = std::thread([this, &one = *stream] { relay(one); });
    }
}

void OutputKeeper::relay(Stream& stream) const
{
    std::array<char, 65536> buffer;
    std::array<pollfd, 2> waits{pollfd{stream.readEnd, POLLIN, 0}, pollfd{m_stop, POLLIN, 0}};
    for (;;) {
        if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
        if ((waits[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0) {
            if ((waits[1].revents & POLLIN) != 0) return;
            continue;
        }
        const ssize_t got = ::read(stream.readEnd, buffer.data(), buffer.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        // 0: a pipe's end. EIO: the last process let go of a pseudo-terminal.
        if (got <= 0 || !writeAll(stream.target, buffer.data(), static_cast<std::size_t>(got))) break;
        m_log.append(stream.number, buffer.data(), static_cast<std::size_t>(got), steadyUnixNow());
    }
    stream.ended = true;
    closeIfOpen(stream.readEnd);  // where nobody reads any more, the job gets its SIGPIPE, as it would without us
}

void OutputKeeper::resize() const
{
    for (const auto& stream : m_streams) {
        winsize size{};
        if (stream->means == Means::Terminal && !stream->ended && ::ioctl(stream->target, TIOCGWINSZ, &size) == 0)
            (void)::ioctl(stream->readEnd, TIOCSWINSZ, &size);
    }
}

/// For a daemon that the job left behind: whoever reads our stdout sees it end when the daemon's does, as without us.
void OutputKeeper::passOnAlone(const Stream& stream)
{
    if (::fork() != 0) return;
    std::array<char, 4096> buffer;
    for (ssize_t got = 1; got > 0;) {
        got = ::read(stream.readEnd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0 && !writeAll(stream.target, buffer.data(), static_cast<std::size_t>(got)))
            break;
    }
    ::_exit(0);
}

void OutputKeeper::finish(std::uint32_t patienceMs)
{
    const auto patience = std::chrono::steady_clock::now() + std::chrono::milliseconds(patienceMs);
    const auto anyOpen = [this] {
        return std::any_of(m_streams.begin(), m_streams.end(),
                           [](const auto& stream) { return stream->thread.joinable() && !stream->ended; });
    };
    while (anyOpen() && std::chrono::steady_clock::now() < patience) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::uint64_t all = m_streams.size() + 1;
    (void)!::write(m_stop, &all, sizeof all);
    for (const auto& stream : m_streams) {
        if (stream->thread.joinable()) stream->thread.join();
        if (stream->means == Means::ReadBack) readBack(*stream);
        if (stream->readEnd >= 0 && !stream->ended) passOnAlone(*stream);
        closeIfOpen(stream->readEnd);
        closeIfOpen(stream->writeEnd);
    }
    m_streams.clear();
}

void OutputKeeper::readBack(const Stream& stream)
{
    const std::string name = "/proc/self/fd/" + std::to_string(stream.target);
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::array<char, 65536> buffer;
    for (std::int64_t at = stream.startOffset; at < stream.startOffset + mostReadBack;) {
        const ssize_t got = ::pread(file, buffer.data(), buffer.size(), at);
        if (got <= 0) break;
        m_log.append(stream.number, buffer.data(), static_cast<std::size_t>(got), 0);
        at += got;
    }
    ::close(file);
}

}  // namespace flowgauge::run
