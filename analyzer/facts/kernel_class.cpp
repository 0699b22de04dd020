// SPDX-License-Identifier: MIT
#include "analyzer/facts/kernel_class.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace flowgauge::facts {
namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// The name a function has in its mangled form: `_Z` and the length before it are not part of it.
std::string_view withoutMangling(std::string_view name)
{
    if (!name.starts_with("_z")) return name;
    const std::size_t first = name.find_first_not_of("0123456789", 2);
    return first == std::string_view::npos ? name : name.substr(first);
}

}  // namespace

KernelClass classOf(std::string_view kernelName)
{
    const std::string whole = lower(kernelName);
    std::string_view name = withoutMangling(whole);
    if (name.starts_with("void ")) name.remove_prefix(5);
    for (const std::string_view prefix : {"nccl", "rccl", "hccl", "msccl"})
        if (name.starts_with(prefix)) return KernelClass::Communication;
    for (const std::string_view form : {"nccldevkernel", "ncclkernel", "ncclsymdevkernel", "ncclsymkdevkernel", "mscclkernel"})
        if (name.find(form) != std::string_view::npos) return KernelClass::Communication;
    return name.find("nccl") != std::string_view::npos ? KernelClass::Unclear : KernelClass::Compute;
}

}  // namespace flowgauge::facts
