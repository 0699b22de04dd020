// SPDX-License-Identifier: MIT
#include "instrument/hook/vendor.h"

#include "collector/record/raw.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <cstdlib>
#include <cstring>

namespace flowgauge::hook {
namespace {

/// A failed lookup leaves a message that the program would take for its own.
void* orNothing(void* found)
{
    if (found == nullptr) dlerror();
    return found;
}

/// What a walk over the loaded objects looks for; the walk holds the linker's lock, so it only copies.
struct Search {
    std::string_view text;
    bool inFolder;
    LibraryPath* into;
};

/// How much of the path answers the search; 0: it does not.
std::size_t matched(const Search& wanted, std::string_view path)
{
    if (wanted.inFolder) {
        const std::size_t at = path.find(wanted.text);
        return at == std::string_view::npos ? 0 : at + wanted.text.size();
    }
    std::string_view file = path;
    if (const std::size_t slash = path.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
    return file.size() >= wanted.text.size() && std::memcmp(file.data(), wanted.text.data(), wanted.text.size()) == 0 ? path.size() : 0;
}

int takeIfWanted(dl_phdr_info* object, std::size_t, void* search)
{
    const auto& wanted = *static_cast<const Search*>(search);
    const std::size_t length = matched(wanted, object->dlpi_name);
    if (length == 0 || length >= wanted.into->size()) return 0;
    std::memcpy(wanted.into->data(), object->dlpi_name, length);
    (*wanted.into)[length] = '\0';
    return 1;
}

bool search(const Search& wanted)
{
    const raw::KeepErrno keep;
    Search mine = wanted;
    return dl_iterate_phdr(takeIfWanted, &mine) != 0;
}

/// The file that holds an address, as the linker spells it; nullptr for what is in none.
const char* fileOf(const void* address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fname : nullptr;
}

}  // namespace

bool findLoaded(std::string_view head, LibraryPath& into) { return search({head, false, &into}); }
bool findLoadedBelow(std::string_view folder, LibraryPath& into) { return search({folder, true, &into}); }

void* openLibrary(const char* path)
{
    const raw::KeepErrno keep;
    return orNothing(dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE));
}

void* openLoaded(const char* path)
{
    const raw::KeepErrno keep;
    return orNothing(dlopen(path, RTLD_LAZY | RTLD_NOLOAD));
}

void* findIn(void* library, const char* name)
{
    const raw::KeepErrno keep;
    return library == nullptr ? nullptr : orNothing(dlsym(library, name));
}

std::string_view fileThatDefines(const char* name, LibraryPath& into)
{
    const raw::KeepErrno keep;
    // The program itself comes before us in the global order, so RTLD_NEXT alone would miss a static copy in it.
    void* const program = dlopen(nullptr, RTLD_LAZY);
    void* found = program != nullptr ? orNothing(dlsym(program, name)) : nullptr;
    const char* file = found != nullptr ? fileOf(found) : nullptr;
    const char* const ours = fileOf(reinterpret_cast<const void*>(&fileThatDefines));
    if (file != nullptr && ours != nullptr && std::strcmp(file, ours) == 0) {
        found = orNothing(dlsym(RTLD_NEXT, name));
        file = found != nullptr ? fileOf(found) : nullptr;
    }
    if (file == nullptr) return {};
    const std::size_t length = std::strlen(file);
    if (length >= into.size()) return {};
    std::memcpy(into.data(), file, length + 1);
    return {into.data(), length};
}

bool ownFile(LibraryPath& into)
{
    const raw::KeepErrno keep;
    const char* const file = fileOf(reinterpret_cast<const void*>(&ownFile));
    return file != nullptr && realpath(file, into.data()) != nullptr;
}

bool isSameFile(const char* one, const char* other)
{
    struct stat first, second;
    return raw::call(SYS_newfstatat, AT_FDCWD, one, &first, 0) == 0 && raw::call(SYS_newfstatat, AT_FDCWD, other, &second, 0) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace flowgauge::hook
