// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

/// Libraries of vendors, which may or may not be on a machine: found and opened at run time, never linked. All keep errno and leave
/// no message in dlerror(). They may allocate and take the linker's lock: never on the path of an event.
namespace flowgauge::hook {

using LibraryPath = std::array<char, 4096>;

/// The path of the first loaded object whose file name begins with `head` ("libcupti.so"). False when there is none.
[[nodiscard]] bool findLoaded(std::string_view head, LibraryPath& into);

/// As findLoaded, for the first object that has `folder` ("/site-packages/") in its path: `into` is the path up to and with it.
[[nodiscard]] bool findLoadedBelow(std::string_view folder, LibraryPath& into);

/// A handle of the library, which stays loaded for good; nullptr when it cannot be loaded.
[[nodiscard]] void* openLibrary(const char* path);

/// The same for one that is loaded already, by its path or file name; nullptr otherwise.
[[nodiscard]] void* openLoaded(const char* path);

/// A function of an opened library (and what it depends on), or nullptr.
[[nodiscard]] void* findIn(void* library, const char* name);

/// The file that holds the definition of `name` which programs meet behind ours, or "" when there is none.
[[nodiscard]] std::string_view fileThatDefines(const char* name, LibraryPath& into);

/// The file of this library, with links resolved. False when the system does not tell.
[[nodiscard]] bool ownFile(LibraryPath& into);

/// True when both paths name one file, by whatever names.
[[nodiscard]] bool isSameFile(const char* one, const char* other);

}  // namespace flowgauge::hook
