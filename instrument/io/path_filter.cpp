// SPDX-License-Identifier: MIT
#include "instrument/io/path_filter.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace flowgauge::io {
namespace {

using std::string_view;

/// Folders of the system. /dev/shm is a place where data sets are staged, so it is listed as data below.
constexpr std::array<string_view, 14> systemFolders{"/usr/", "/lib/",  "/lib64/", "/lib32/", "/libx32/", "/bin/",  "/sbin/",
                                                    "/etc/", "/proc/", "/sys/",   "/dev/",   "/run/",    "/boot/", "/snap/"};

/// Anywhere in a path: module trees of interpreters, and the private files of MPI and PMIx (session folders, shared segments).
constexpr std::array<string_view, 8> codeInside{"/site-packages/", "/dist-packages/", "/lib/python", "/lib64/python",
                                                "/__pycache__/",   "/ompi.",          "/prte.",      "/pmix"};

constexpr std::array<string_view, 11> codeEndings{".py", ".pyc", ".pyi", ".pyo", ".pyd", ".pyx", ".so", ".pth", ".mo", ".conf", ".jar"};
constexpr std::array<string_view, 5> codeNames{"pyvenv.cfg", "entry_points.txt", "METADATA", "PKG-INFO", "pybuilddir.txt"};

/// Segments that libraries make in /dev/shm to talk to each other: semaphores, tensors and blocks on their way between
/// processes of a loader, and the shared memory of MPI, UCX and NCCL. Not files of interest.
constexpr string_view sharedMemory = "/dev/shm/";
constexpr std::array<string_view, 12> segmentNames{"sem.",  "torch_", "psm_", "mp-",   "pym-",  "nccl-",
                                                   "vader", "sm_",    "ompi", "mpich", "MPICH", "ucx"};

/// One list of patterns, kept here.
struct PatternList {
    std::array<char, 4096> text{};
    std::size_t length = 0;

    void set(string_view from)
    {
        length = std::min(from.size(), text.size());
        if (length > 0) std::memcpy(text.data(), from.data(), length);
    }
    [[nodiscard]] string_view all() const { return {text.data(), length}; }
    [[nodiscard]] bool matches(string_view path) const
    {
        string_view rest = all();
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(':'), rest.size());
            if (end > 0 && matchesPattern(string_view(rest.data(), end), path)) return true;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return false;
    }
};
constinit PatternList moreCode, moreData;
constinit std::array<PatternList, 2> ourFolders;

bool starts(string_view text, string_view with)
{
    return text.size() >= with.size() && std::memcmp(text.data(), with.data(), with.size()) == 0;
}
bool ends(string_view text, string_view with)
{
    return text.size() >= with.size() && std::memcmp(text.data() + text.size() - with.size(), with.data(), with.size()) == 0;
}

string_view lastComponent(string_view path)
{
    const std::size_t slash = path.rfind('/');
    if (slash != string_view::npos) path.remove_prefix(slash + 1);
    return path;
}

bool isSegment(string_view path)
{
    if (!starts(path, sharedMemory)) return false;
    path.remove_prefix(sharedMemory.size());
    return std::any_of(segmentNames.begin(), segmentNames.end(), [&](string_view name) { return starts(path, name); });
}

/// libc.so.6, libtorch.so.2.1: a version behind ".so" and nothing else.
bool isVersionedLibrary(string_view name)
{
    const std::size_t at = name.rfind(".so.");
    if (at == string_view::npos) return false;
    name.remove_prefix(at + 4);
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

bool isCodeName(string_view name)
{
    return std::any_of(codeEndings.begin(), codeEndings.end(), [&](string_view ending) { return ends(name, ending); }) ||
           std::find(codeNames.begin(), codeNames.end(), name) != codeNames.end() || isVersionedLibrary(name);
}

bool isBuiltInCode(string_view path)
{
    if (isSegment(path)) return true;
    if (!starts(path, sharedMemory) &&
        std::any_of(systemFolders.begin(), systemFolders.end(), [&](string_view folder) { return starts(path, folder); }))
        return true;
    return isCodeName(lastComponent(path)) ||
           std::any_of(codeInside.begin(), codeInside.end(), [&](string_view part) { return path.find(part) != string_view::npos; });
}

/// Classic two-pointer match: on a mismatch, the last '*' swallows one more character.
bool globMatches(string_view pattern, string_view text)
{
    std::size_t p = 0, t = 0, star = string_view::npos, swallowed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            swallowed = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p, ++t;
        } else if (star != string_view::npos) {
            p = star + 1;
            t = ++swallowed;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace

bool matchesPattern(string_view pattern, string_view path)
{
    if (pattern.find('/') == string_view::npos) return globMatches(pattern, lastComponent(path));
    if (pattern[0] == '/' && pattern.find('*') == string_view::npos && pattern.find('?') == string_view::npos) {
        while (pattern.size() > 1 && pattern.back() == '/') pattern.remove_suffix(1);
        return pattern == "/" || (starts(path, pattern) && (path.size() == pattern.size() || path[pattern.size()] == '/'));
    }
    return globMatches(pattern, path);
}

void setPathRules(const PathRules& rules)
{
    moreCode.set(rules.code);
    moreData.set(rules.data);
    for (std::size_t i = 0; i < ourFolders.size(); ++i) ourFolders[i].set(rules.ourFolders[i]);
}

bool hasDataRules() { return moreData.length > 0; }

PathClass classOfPath(string_view path)
{
    for (const PatternList& folder : ourFolders)
        if (folder.length > 0 && matchesPattern(folder.all(), path)) return PathClass::Ignored;
    if (moreData.matches(path)) return PathClass::Data;
    return isBuiltInCode(path) || moreCode.matches(path) ? PathClass::Code : PathClass::Data;
}

}  // namespace flowgauge::io
