// SPDX-License-Identifier: MIT
#pragma once

/// Makes the storage slow for the calling thread while above 0: each read, pread and fread of it sleeps that many nanoseconds
/// before the real call. The delay stands *behind* the name `read`, in a shared library of its own, so that whoever interposes
/// read (a preload library) measures it as the duration of the call, exactly as a slow file system would look.
extern "C" void slowStorageDelay(long long nanoseconds);
