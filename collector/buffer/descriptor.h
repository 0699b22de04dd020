// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// Our own file descriptors must not be seen by the program: it may expect the lowest free number, or close all that it finds.
namespace flowgauge::buffer {

/// Moves a descriptor to a high number (close-on-exec) and closes the low one. Keeps the low one where no high number is left.
[[nodiscard]] int moveHigh(int fd);

/// A file that stays the same whatever becomes of the descriptor's number.
struct FileIdentity {
    std::uint64_t device;
    std::uint64_t inode;
};
[[nodiscard]] bool identify(int fd, FileIdentity& into);

/// True when the number still means that file: the program may have closed it and got the number for a file of its own.
[[nodiscard]] bool isFile(int fd, const FileIdentity& file);

/// Gives the calling thread a descriptor table of its own, empty: what it opens from then on no other thread sees or can close.
/// False where the kernel or a security filter refuses; the table is then still shared.
/// Closing the copies is harmless: POSIX record locks belong to the table that took them, so the program keeps its own.
[[nodiscard]] bool ownDescriptorTable();

/// True on a thread for which that succeeded: numbers of other threads mean nothing there.
[[nodiscard]] bool hasOwnTable();

}  // namespace flowgauge::buffer
