// SPDX-License-Identifier: MIT
#include "instrument/hook/find.h"

#include "collector/record/raw.h"

#include <dlfcn.h>
#include <link.h>
#include <array>
#include <cstring>

#pragma weak dladdr1  // musl has none, and would refuse to start a program that we were put in front of

namespace flowgauge::hook {
namespace {

/// A failed lookup leaves a message that the program would take for its own.
void* orNothing(void* found)
{
    if (found == nullptr) dlerror();
    return found;
}

const void* baseOf(const void* address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// The main program's handle stands for the global order, in which our own hook comes first.
bool isOurs(const void* address)
{
    static const char anchor = 0;
    return baseOf(address) == baseOf(&anchor);
}

/// The definition that a loaded object or one of its dependencies holds. NOLOAD: only what is there already.
void* findInObject(const char* object, const char* name)
{
    void* const handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return orNothing(nullptr);
    void* const found = orNothing(dlsym(handle, name));
    if (found != nullptr && !isOurs(found)) return found;  // the handle is kept: the pointer must stay good
    dlclose(handle);
    return nullptr;
}

void* findInCallersObject(const char* name, const void* returnAddress)
{
    Dl_info info;
    link_map* map = nullptr;
    if (dladdr1 == nullptr) return nullptr;
    if (dladdr1(returnAddress, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
    if (map->l_name == nullptr || *map->l_name == '\0') return nullptr;  // the main program: RTLD_NEXT answers for it
    return findInObject(map->l_name, name);
}

/// Copies the name of the n-th loaded object. dlopen must not be called inside the walk: it holds the linker's lock.
struct NthObject {
    std::size_t left;
    std::array<char, 4096> name;
};

int takeNth(dl_phdr_info* object, std::size_t, void* into)
{
    auto& wanted = *static_cast<NthObject*>(into);
    if (wanted.left-- != 0) return 0;
    const std::size_t length = std::strlen(object->dlpi_name);
    if (length >= wanted.name.size()) return wanted.name[0] = '\0', 1;
    std::memcpy(wanted.name.data(), object->dlpi_name, length + 1);
    return 1;
}

void* findInAnyObject(const char* name)
{
    NthObject object;
    for (std::size_t index = 0;; ++index) {
        object.left = index;
        if (dl_iterate_phdr(takeNth, &object) == 0) return nullptr;
        if (object.name[0] == '\0') continue;
        if (void* const found = findInObject(object.name.data(), name)) return found;
    }
}

}  // namespace

void* findNext(const char* name)
{
    const raw::KeepErrno keep;
    return orNothing(dlsym(RTLD_NEXT, name));
}

void* findFromCaller(const char* name, const void* returnAddress)
{
    const raw::KeepErrno keep;
    if (void* const found = findInCallersObject(name, returnAddress)) return found;
    if (void* const found = findNext(name)) return found;
    return findInAnyObject(name);
}

void* findData(const char* name, const void* returnAddress)
{
    const raw::KeepErrno keep;
    if (void* const found = orNothing(dlsym(RTLD_DEFAULT, name))) return found;
    return findFromCaller(name, returnAddress);
}

}  // namespace flowgauge::hook
