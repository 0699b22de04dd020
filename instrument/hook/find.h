// SPDX-License-Identifier: MIT
#pragma once

/// Where the function lies that a hook stands in front of. The only room that asks the dynamic linker.
namespace flowgauge::hook {

/// The next definition of `name` in the global search order behind this library, or nullptr. Keeps errno.
/// Leaves no message behind in dlerror(). May allocate and take the linker's lock: never call it from a signal handler's path twice.
[[nodiscard]] void* findNext(const char* name);

/// The definition of `name` that the code at `returnAddress` (__builtin_return_address(0) in the hook) would have meant, or nullptr.
/// A library that was loaded with RTLD_LOCAL, as Python extensions are, is in nobody's global order: RTLD_NEXT and RTLD_DEFAULT
/// answer NULL there although our hook was reached. So: first the caller's own object and what it depends on, then RTLD_NEXT,
/// then every loaded object in turn. Never answers with a function of this library. What it finds stays loaded. Keeps errno.
[[nodiscard]] void* findFromCaller(const char* name, const void* returnAddress);

/// The data object `name` as the code at `returnAddress` sees it, or nullptr. Unlike a function it may lie in the main program:
/// a linker copies the variables of shared libraries into an executable that names them, and the library itself then uses the copy.
[[nodiscard]] void* findData(const char* name, const void* returnAddress);

}  // namespace flowgauge::hook
