// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/io/path_filter.h"

#include <cstdint>

/// The hooks of file access, as `life` switches them.
namespace flowgauge::io {

/// From now on data files are recorded, if `buffer` wants any of their kinds. Before that every call passes through.
void start(const PathRules& rules);

/// Who else wants to know what becomes of descriptors: told before a number is closed, and behind a duplication.
struct DescriptorWatch {
    void (*closing)(int fd);
    void (*closingRange)(unsigned first, unsigned last);  ///< both ends included
    void (*duplicated)(int fd, int copy);
};
/// Once, while the process has one thread. `watch` lives for ever.
void watchDescriptors(const DescriptorWatch& watch);

/// Around fork: in the parent (positions are shared from now on) and in the child (nothing is known any more).
void afterForkInParent();
void afterForkInChild();

/// Called with every regular file that is opened for reading, on the thread that opens it: its absolute path, device and inode. One
/// callback, which must be as quick and as careful as a hook.
void onDataFile(void (*callback)(std::string_view path, std::uint64_t device, std::uint64_t inode));

/// Parts of afterForkInChild: keys and addresses of the parent mean nothing in the child.
void forgetMappings();
void forgetRequests();

/// Part of every open, since a program that maps a file has opened it before: see hook/patch.h.
void handOnPatches();

}  // namespace flowgauge::io
