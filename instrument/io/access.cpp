// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"

namespace flowgauge::io {

namespace detail {
constinit Watch watch{};
constinit std::atomic<const DescriptorWatch*> descriptorWatch{nullptr};
}  // namespace detail

namespace {

/// Where a sequential call began. Moves the known position past it; asks the kernel where others may have moved it.
std::int64_t sequentialOffset(const File& file, std::int64_t got)
{
    const std::int64_t moved = got > 0 ? got : 0;
    if (!file.positionIsShared()) return file.slot->position.fetch_add(moved, std::memory_order_relaxed);
    const std::int64_t position = kernelPosition(file.fd);
    return position < 0 ? -1 : position - moved;
}

void noteFailedOpen(Span span, const char* path, int openFlags, int error)
{
    if (path == nullptr || error == EFAULT || classOfPath(path) != PathClass::Data) return;
    const bool searching = error == ENOENT || error == ENOTDIR;
    if (searching && !detail::watch.hasRecorded.load(std::memory_order_relaxed)) return;
    note(fileOpen(span, buffer::name(NameClass::File, path), static_cast<std::uint32_t>(openFlags), -error));
}

}  // namespace

void note(const Event& event)
{
    if (!detail::watch.hasRecorded.load(std::memory_order_relaxed)) detail::watch.hasRecorded.store(true, std::memory_order_relaxed);
    buffer::record(event);
}

std::int64_t kernelPosition(int fd)
{
    const long position = raw::call(SYS_lseek, fd, 0L, SEEK_CUR);
    return position < 0 ? -1 : position;
}

std::uint64_t bytesOf(const iovec* buffers, int count)
{
    std::uint64_t bytes = 0;
    for (int i = 0; i < count; ++i) bytes += buffers[i].iov_len;
    return bytes;
}

void noteTransfer(const File& file, Span span, const Transfer& transfer, std::int64_t got)
{
    const raw::KeepErrno keep;
    if (file.fileClass() == FileClass::Code) {
        const auto bytes = static_cast<std::uint64_t>(got > 0 ? got : 0);
        if (transfer.kind == Kind::FileRead) buffer::addCode({0, 1, bytes, span.end - span.begin});
        return;
    }
    const std::int64_t result = got < 0 ? -static_cast<std::int64_t>(errno) : got;
    const std::int64_t offset = transfer.offset == atPosition ? sequentialOffset(file, got) : transfer.offset;
    note(fileTransfer(span, transfer.kind, {file.key, offset, result, transfer.requested}, transfer.flags));
}

void noteOpen(Span span, const char* path, int openFlags, int fd)
{
    const raw::KeepErrno keep;
    if (inVforkChild()) return;
    handOnPatches();
    if (fd < 0) return noteFailedOpen(span, path, openFlags, errno);
    const File file = table::opened(fd, path, openFlags);
    if (file.fileClass() == FileClass::Code) return buffer::addCode({1, 0, 0, span.end - span.begin});
    if (file.isData()) note(fileOpen(span, file.key, static_cast<std::uint32_t>(openFlags), fd));
}

void noteSeek(const File& file, std::int64_t position)
{
    if (position >= 0 && file.slot != nullptr && !file.positionIsShared()) file.slot->position.store(position, std::memory_order_relaxed);
}

void start(const PathRules& rules)
{
    setPathRules(rules);
    rememberProcess();
    bool wanted = false;
    for (const KindRow& row : kindRows) wanted = wanted || (row.lane == Lane::Io && buffer::wants(row.kind));
    detail::watch.on.store(wanted, std::memory_order_relaxed);
}

void watchDescriptors(const DescriptorWatch& watch) { detail::descriptorWatch.store(&watch, std::memory_order_release); }

void afterForkInParent() { table::positionsAreShared(); }

void afterForkInChild()
{
    rememberProcess();
    table::forgetAfterFork();
    forgetMappings();
    forgetRequests();
    detail::watch.hasRecorded.store(false, std::memory_order_relaxed);
}

}  // namespace flowgauge::io
