// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/io/path_filter.h"

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

/// Parts of afterForkInChild: keys and addresses of the parent mean nothing in the child.
void forgetMappings();
void forgetRequests();

/// Part of every open, since a program that maps a file has opened it before: see hook/patch.h.
void handOnPatches();

}  // namespace flowgauge::io
