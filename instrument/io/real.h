// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/hook/next.h"
#include "instrument/io/foreign.h"

#include <sys/syscall.h>
#include <unistd.h>

/// The functions behind the hooks of io_calls.def: real::read.get()(fd, into, count).
namespace flowgauge::io {

namespace bootstrap {
inline int open(const char* path, int flags, ...) { return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0)); }
inline ssize_t read(int fd, void* into, std::size_t count) { return ::syscall(SYS_read, fd, into, count); }
inline ssize_t write(int fd, const void* from, std::size_t count) { return ::syscall(SYS_write, fd, from, count); }
inline int close(int fd) { return static_cast<int>(::syscall(SYS_close, fd)); }
inline void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept
{
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}
inline int munmap(void* at, std::size_t bytes) noexcept { return static_cast<int>(::syscall(SYS_munmap, at, bytes)); }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
/// What answers while the lookup itself is under way: allocators that read /proc or map memory come by here.
template <auto call>
inline constexpr decltype(call) of = &hook::Absent<decltype(call)>::call;
template <>
inline constexpr decltype(&::open) of<&::open> = &bootstrap::open;
template <>
inline constexpr decltype(&::open64) of<&::open64> = &bootstrap::open;
template <>
inline constexpr decltype(&::read) of<&::read> = &bootstrap::read;
template <>
inline constexpr decltype(&::write) of<&::write> = &bootstrap::write;
template <>
inline constexpr decltype(&::close) of<&::close> = &bootstrap::close;
template <>
inline constexpr decltype(&::mmap) of<&::mmap> = &bootstrap::mmap;
template <>
inline constexpr decltype(&::mmap64) of<&::mmap64> = &bootstrap::mmap;
template <>
inline constexpr decltype(&::munmap) of<&::munmap> = &bootstrap::munmap;
}  // namespace bootstrap

namespace real {
#define FLOWGAUGE_IO(call, kind, group, sentence) inline constinit hook::Next<decltype(&::call)> call{#call, bootstrap::of<&::call>};
#include "instrument/io/io_calls.def"
#undef FLOWGAUGE_IO
}  // namespace real
#pragma GCC diagnostic pop

}  // namespace flowgauge::io
