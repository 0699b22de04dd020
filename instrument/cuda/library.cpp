// SPDX-License-Identifier: MIT
#include "instrument/cuda/library.h"

#include "collector/buffer/text.h"
#include "collector/record/raw.h"

#include <array>
#include <cstdlib>
#include <cstring>

namespace flowgauge::cuda {
namespace {

using Path = buffer::PathText;
using std::string_view;

constexpr std::array<const char*, 4> fileNames{"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so.11.2"};
constexpr std::array<unsigned, 4> majorOf{13, 12, 11, 11};

/// Below a folder that holds wheels, with the library's file name behind it (wheels of CUDA 11 and 12; of 13).
constexpr std::array<string_view, 2> wheelFolders{"nvidia/cuda_cupti/lib/", "nvidia/cu13/lib/"};
constexpr std::array<string_view, 2> wheelHomes{"/site-packages/", "/dist-packages/"};
constexpr std::array<string_view, 4> toolkitFolders{"/extras/CUPTI/lib64/", "/lib64/", "/lib/", "/targets/x86_64-linux/lib/"};

/// What the process itself uses of CUDA decides which copy fits; 0: it is not known.
unsigned runtimeMajor()
{
    hook::LibraryPath path;
    if (!hook::findLoaded("libcudart.so.", path)) return 0;
    const char* const version = std::strstr(path.data(), "libcudart.so.");
    return version == nullptr ? 0 : static_cast<unsigned>(std::strtoul(version + std::strlen("libcudart.so."), nullptr, 10));
}

/// A CUPTI that is newer than the driver does not start; one major behind it does.
unsigned mostMajor()
{
    int version = 0;
    const Driver driver = openDriver();
    if (driver.driverVersion == nullptr || driver.driverVersion(&version) != 0 || version <= 0) return 0;
    return static_cast<unsigned>(version) / 1000;
}

class Search {
public:
    explicit Search(hook::LibraryPath& into) : m_runtime(runtimeMajor()), m_most(mostMajor()), m_into(into) {}

    /// Opens the best name of the library in a folder ("" lets the loader look), the process's own major version first.
    void* in(string_view folder)
    {
        for (std::size_t i = 0; i < fileNames.size(); ++i)
            if (majorOf[i] == m_runtime)
                if (void* const found = tryOpen(folder, i)) return found;
        for (std::size_t i = 0; i < fileNames.size(); ++i)
            if (majorOf[i] != m_runtime && (m_most == 0 || majorOf[i] <= m_most))
                if (void* const found = tryOpen(folder, i)) return found;
        return nullptr;
    }
    void* below(const char* home, string_view folder)
    {
        if (home == nullptr || *home != '/') return nullptr;
        Path path;
        path.add(home).add(folder);
        return path.whole() ? in({path.text(), path.length()}) : nullptr;
    }

private:
    void* tryOpen(string_view folder, std::size_t name)
    {
        Path path;
        path.add(folder).add(fileNames[name]);
        if (!path.whole() || (!folder.empty() && raw::call(SYS_faccessat, AT_FDCWD, path.text(), R_OK) != 0)) return nullptr;
        void* const found = hook::openLibrary(path.text());
        if (found != nullptr) std::memcpy(m_into.data(), path.text(), path.length() + 1);
        return found;
    }
    unsigned m_runtime, m_most;
    hook::LibraryPath& m_into;
};

void* openFrameworks(Search& search)
{
    hook::LibraryPath home;
    for (const string_view wheels : wheelHomes)
        for (const string_view folder : wheelFolders)
            if (hook::findLoadedBelow(wheels, home))
                if (void* const found = search.below(home.data(), folder)) return found;
    return search.below(std::getenv("CONDA_PREFIX"), "/lib/");
}

void* openToolkits(Search& search)
{
    for (const char* const home : {static_cast<const char*>(std::getenv("CUDA_HOME")), static_cast<const char*>(std::getenv("CUDA_PATH"))})
        for (const string_view folder : toolkitFolders)
            if (void* const found = search.below(home, folder)) return found;
    if (void* const found = search.in("")) return found;  // LD_LIBRARY_PATH and ld.so.cache
    for (const string_view folder : toolkitFolders)
        if (void* const found = search.below("/usr/local/cuda", folder)) return found;
    return nullptr;
}

template <typename Function>
void take(Function& into, void* library, const char* name)
{
    into = reinterpret_cast<Function>(hook::findIn(library, name));
}

enum class Need : std::uint8_t { Needed, Optional };

bool fill(Cupti& into, void* library)
{
    bool whole = true;
#define FLOWGAUGE_CUPTI(member, function, need, ...) \
    take(into.member, library, #function);           \
    whole = whole && (into.member != nullptr || Need::need == Need::Optional);
#include "instrument/cuda/cupti.def"
#undef FLOWGAUGE_CUPTI
    return whole && into.getVersion(&into.version) == statusSuccess;
}

/// The library's file name begins so wherever it comes from.
bool isCuptiFile(string_view path) { return path.find("libcupti") != string_view::npos; }

}  // namespace

Reason openCupti(Cupti& into)
{
    hook::LibraryPath owner;
    const string_view file = hook::fileThatDefines("cuptiSubscribe", owner);
    if (!file.empty() && !isCuptiFile(file)) return "a copy of CUPTI is linked into the program itself";
    void* library = hook::findLoaded("libcupti.so", into.path) ? hook::openLoaded(into.path.data()) : nullptr;
    Search search(into.path);
    if (library == nullptr) library = openFrameworks(search);
    if (library == nullptr) library = openToolkits(search);
    if (library == nullptr) return "libcupti.so was not found: not loaded, not beside the CUDA wheels, in no toolkit";
    static_cast<void>(hook::findLoaded("libcupti.so", into.path));  // the whole path, where the loader found it
    return fill(into, library) ? Reason() : Reason("libcupti.so lacks functions that CUPTI has had since 11.2");
}

Driver openDriver()
{
    Driver driver{};
    void* const library = hook::openLoaded("libcuda.so.1");
    if (library == nullptr) return driver;
    take(driver.driverVersion, library, "cuDriverGetVersion");
    take(driver.deviceCount, library, "cuDeviceGetCount");
    take(driver.deviceGet, library, "cuDeviceGet");
    take(driver.deviceName, library, "cuDeviceGetName");
    take(driver.deviceUuid, library, "cuDeviceGetUuid");
    take(driver.deviceBusId, library, "cuDeviceGetPCIBusId");
    return driver;
}

bool seesGpu()
{
    // /dev/dxg: WSL. /dev/nvhost-gpu, /dev/nvgpu: Tegra. Nodes may have any number where a container was given some of the GPUs.
    constexpr std::array<const char*, 3> other{"/dev/dxg", "/dev/nvhost-gpu", "/dev/nvgpu/igpu0"};
    for (const char* const node : other)
        if (raw::call(SYS_faccessat, AT_FDCWD, node, F_OK) == 0) return true;
    for (std::uint64_t number = 0; number < 32; ++number) {
        buffer::Text<32> node;
        node.add("/dev/nvidia").add(number);
        if (raw::call(SYS_faccessat, AT_FDCWD, node.text(), F_OK) == 0) return true;
    }
    return false;
}

}  // namespace flowgauge::cuda
