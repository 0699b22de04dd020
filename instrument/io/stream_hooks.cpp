// SPDX-License-Identifier: MIT
// Some header of the C++ library brings stdio.h in, which at -O2 gives getline a body of its own; clang allows no second one.
#define __NO_INLINE__ 1  // NOLINT(bugprone-reserved-identifier)
#include "instrument/io/real.h"
#include "instrument/io/stream.h"

#include <cstring>

namespace flowgauge::io {
namespace {

/// "r+", "wb", "ax", ... as the flags of open.
int flagsOfMode(const char* mode)
{
    if (mode == nullptr) return O_RDONLY;
    const bool both = std::strchr(mode, '+') != nullptr;
    const int access = both ? O_RDWR : (mode[0] == 'r' ? O_RDONLY : O_WRONLY);
    if (mode[0] == 'w') return access | O_CREAT | O_TRUNC;
    return mode[0] == 'a' ? access | O_CREAT | O_APPEND : access;
}

template <typename Real>
_IO_FILE* openedStream(const char* path, const char* mode, Real real)
{
    if (!watching()) return real();
    const Ticks begin = now();
    _IO_FILE* const stream = real();
    noteOpen({begin, now()}, path, flagsOfMode(mode), stream != nullptr ? fileno(stream) : -1);
    return stream;
}

/// A path of nullptr changes only the mode; the stream is then a new open of the same file.
template <typename Real>
_IO_FILE* reopenedStream(const char* path, const char* mode, _IO_FILE* before, Real real)
{
    if (!watching()) return real();
    const File file = table::cached(fileno(before));
    if (file.isData()) noteUnseen(file, before);
    table::forget(file.fd);
    return path == nullptr ? real() : openedStream(path, mode, real);
}

/// The story of every stream call: ask, time, call, note. `bytes` makes bytes of the call's result.
template <typename Real, typename Bytes>
auto streamed(_IO_FILE* stream, Kind kind, std::uint64_t requested, Real real, Bytes bytes)
{
    if (!watching()) return real();
    const File file = table::fileOf(fileno(stream));
    if (file.fileClass() == FileClass::NotAFile) return real();
    const std::int64_t position = file.isData() ? noteUnseen(file, stream) : -1;
    const Ticks begin = now();
    const auto result = real();
    const Ticks end = now();
    const auto got = static_cast<std::int64_t>(bytes(result));
    noteTransfer(file, {begin, end}, {kind, position, requested, flagStdio}, got);
    if (position >= 0) noteSeek(file, position + got);
    return result;
}

template <typename Real>
size_t streamedItems(_IO_FILE* stream, Kind kind, size_t size, size_t count, Real real)
{
    return streamed(stream, kind, size * count, real, [&](size_t items) { return items * size; });
}

template <typename Real>
char* streamedText(_IO_FILE* stream, int size, Real real)
{
    const auto requested = static_cast<std::uint64_t>(size > 0 ? size - 1 : 0);
    return streamed(stream, Kind::FileRead, requested, real, [](const char* line) { return line != nullptr ? std::strlen(line) : 0; });
}

template <typename Real>
ssize_t streamedLine(_IO_FILE* stream, Real real)
{
    return streamed(stream, Kind::FileRead, 0, real, [](ssize_t length) { return length > 0 ? length : 0; });
}

template <typename Real>
auto moved(_IO_FILE* stream, Real real)
{
    if (!watching()) return real();
    const File file = table::cached(fileno(stream));
    if (!file.isData()) return real();
    noteUnseen(file, stream);
    struct AfterCall {
        const File& file;
        _IO_FILE* stream;
        ~AfterCall()
        {
            const raw::KeepErrno keep;
            noteSeek(file, ftello64(stream));
        }
    } const after{file, stream};
    return real();
}

}  // namespace

std::int64_t noteUnseen(const File& file, _IO_FILE* stream)
{
    const raw::KeepErrno keep;
    const std::int64_t position = ftello64(stream);
    if (position < 0 || file.positionIsShared()) return position < 0 ? -1 : position;
    const std::int64_t seen = file.slot->position.exchange(position, std::memory_order_relaxed);
    if (position <= seen || file.access() == O_RDWR) return position;
    const Kind kind = file.access() == O_RDONLY ? Kind::FileRead : Kind::FileWrite;
    const Ticks at = now();
    note(fileTransfer({at, at}, kind, {file.key, seen, position - seen, static_cast<std::uint64_t>(position - seen)}, flagStdio));
    return position;
}

}  // namespace flowgauge::io

using namespace flowgauge;
using namespace flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT _IO_FILE* fopen(const char* path, const char* mode)
{
    return openedStream(path, mode, [&] { return real::fopen.get()(path, mode); });
}
FLOWGAUGE_EXPORT _IO_FILE* fopen64(const char* path, const char* mode)
{
    return openedStream(path, mode, [&] { return real::fopen64.get()(path, mode); });
}
FLOWGAUGE_EXPORT _IO_FILE* freopen(const char* path, const char* mode, _IO_FILE* stream)
{
    return reopenedStream(path, mode, stream, [&] { return real::freopen.get()(path, mode, stream); });
}
FLOWGAUGE_EXPORT _IO_FILE* freopen64(const char* path, const char* mode, _IO_FILE* stream)
{
    return reopenedStream(path, mode, stream, [&] { return real::freopen64.get()(path, mode, stream); });
}

FLOWGAUGE_EXPORT size_t fread(void* into, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileRead, size, count, [&] { return real::fread.get()(into, size, count, stream); });
}
FLOWGAUGE_EXPORT size_t fread_unlocked(void* into, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileRead, size, count, [&] { return real::fread_unlocked.get()(into, size, count, stream); });
}
FLOWGAUGE_EXPORT size_t __fread_chk(void* into, size_t room, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileRead, size, count, [&] { return real::__fread_chk.get()(into, room, size, count, stream); });
}
FLOWGAUGE_EXPORT size_t __fread_unlocked_chk(void* into, size_t room, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileRead, size, count,
                         [&] { return real::__fread_unlocked_chk.get()(into, room, size, count, stream); });
}
FLOWGAUGE_EXPORT size_t fwrite(const void* from, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileWrite, size, count, [&] { return real::fwrite.get()(from, size, count, stream); });
}
FLOWGAUGE_EXPORT size_t fwrite_unlocked(const void* from, size_t size, size_t count, _IO_FILE* stream)
{
    return streamedItems(stream, Kind::FileWrite, size, count, [&] { return real::fwrite_unlocked.get()(from, size, count, stream); });
}

FLOWGAUGE_EXPORT char* fgets(char* into, int size, _IO_FILE* stream)
{
    return streamedText(stream, size, [&] { return real::fgets.get()(into, size, stream); });
}
FLOWGAUGE_EXPORT char* fgets_unlocked(char* into, int size, _IO_FILE* stream)
{
    return streamedText(stream, size, [&] { return real::fgets_unlocked.get()(into, size, stream); });
}
FLOWGAUGE_EXPORT char* __fgets_chk(char* into, size_t room, int size, _IO_FILE* stream)
{
    return streamedText(stream, size, [&] { return real::__fgets_chk.get()(into, room, size, stream); });
}
FLOWGAUGE_EXPORT char* __fgets_unlocked_chk(char* into, size_t room, int size, _IO_FILE* stream)
{
    return streamedText(stream, size, [&] { return real::__fgets_unlocked_chk.get()(into, room, size, stream); });
}
FLOWGAUGE_EXPORT ssize_t getline(char** into, size_t* room, _IO_FILE* stream)
{
    return streamedLine(stream, [&] { return real::getline.get()(into, room, stream); });
}
FLOWGAUGE_EXPORT ssize_t getdelim(char** into, size_t* room, int delimiter, _IO_FILE* stream)
{
    return streamedLine(stream, [&] { return real::getdelim.get()(into, room, delimiter, stream); });
}
FLOWGAUGE_EXPORT ssize_t __getdelim(char** into, size_t* room, int delimiter, _IO_FILE* stream)
{
    return streamedLine(stream, [&] { return real::__getdelim.get()(into, room, delimiter, stream); });
}

FLOWGAUGE_EXPORT int fseek(_IO_FILE* stream, long offset, int whence)
{
    return moved(stream, [&] { return real::fseek.get()(stream, offset, whence); });
}
FLOWGAUGE_EXPORT int fseeko(_IO_FILE* stream, off_t offset, int whence)
{
    return moved(stream, [&] { return real::fseeko.get()(stream, offset, whence); });
}
FLOWGAUGE_EXPORT int fseeko64(_IO_FILE* stream, off64_t offset, int whence)
{
    return moved(stream, [&] { return real::fseeko64.get()(stream, offset, whence); });
}
FLOWGAUGE_EXPORT void rewind(_IO_FILE* stream)
{
    moved(stream, [&] { real::rewind.get()(stream); });
}
FLOWGAUGE_EXPORT int fsetpos(_IO_FILE* stream, const _G_fpos_t* position)
{
    return moved(stream, [&] { return real::fsetpos.get()(stream, position); });
}
FLOWGAUGE_EXPORT int fsetpos64(_IO_FILE* stream, const _G_fpos64_t* position)
{
    return moved(stream, [&] { return real::fsetpos64.get()(stream, position); });
}

}  // extern "C"
