// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/io/access.h"
#include "instrument/io/foreign.h"

/// Streams of the C library. What they do inside never comes by our hooks (they call the kernel directly), so a stream's calls
/// are recorded as the program made them: bytes by what the call returned, offset by where the stream stands.
namespace flowgauge::io {

/// Records what moved the stream's position since the last call we saw: characters taken one by one (getc, a macro in many
/// programs), fscanf, fprintf. One event without duration. Returns the position, -1 unknown.
std::int64_t noteUnseen(const File& file, _IO_FILE* stream);

}  // namespace flowgauge::io
