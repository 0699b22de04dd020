// SPDX-License-Identifier: MIT
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <cstddef>

/// Declarations of hooked functions that no header gives to an injected room: the fortified twins, which compilers call by
/// themselves, and stdio, whose header is not welcome here.
extern "C" {
}
