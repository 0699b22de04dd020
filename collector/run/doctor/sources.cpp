// SPDX-License-Identifier: MIT
#include "collector/run/doctor/doctor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

/// What there is to be recorded: libraries that are called, and what the samplers find by name.
namespace flowgauge::run::doctor {
namespace {

namespace fs = std::filesystem;

/// Names in a folder that begin so, sorted; none where there is no such folder.
std::vector<std::string> namesIn(const fs::path& folder, const std::string& beginning = "")
{
    std::vector<std::string> names;
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
        if (const std::string name = at->path().filename().string(); name.starts_with(beginning)) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// Folders in which the dynamic loader and the usual installations keep libraries.
std::vector<fs::path> libraryFolders(const Place& place)
{
    std::vector<fs::path> folders;
    if (place.root == "/") {
        const char* const path = std::getenv("LD_LIBRARY_PATH");
        std::istringstream text(path != nullptr ? path : "");
        for (std::string folder; std::getline(text, folder, ':');)
            if (!folder.empty()) folders.emplace_back(folder);
    }
    for (const char* folder :
         {"usr/lib/x86_64-linux-gnu", "usr/lib64", "usr/lib", "lib/x86_64-linux-gnu", "usr/local/lib", "usr/local/cuda/lib64",
          "usr/local/cuda/extras/CUPTI/lib64", "usr/lib64/openmpi/lib", "usr/lib64/mpich/lib", "usr/lib/x86_64-linux-gnu/openmpi/lib"})
        folders.push_back(place.root / folder);
    return folders;
}

/// The first file of such a beginning, as a path.
std::optional<fs::path> findLibrary(const Place& place, const std::string& beginning)
{
    for (const fs::path& folder : libraryFolders(place))
        if (const auto names = namesIn(folder, beginning); !names.empty()) return folder / names.front();
    return std::nullopt;
}

Row libraryRow(const Place& place, const std::string& what, const std::string& beginning, const std::string& otherwise)
{
    const auto file = findLibrary(place, beginning);
    return file ? Row{what, State::Ok, file->native()}
                : Row{what, State::Absent, beginning + " was not found in the usual places: " + otherwise};
}

}  // namespace

Row checkMpi(const Place& place)
{
    std::vector<std::string> found;
    for (const char* beginning : {"libmpi.so", "libmpich.so", "libmpi_abi.so"})
        if (const auto file = findLibrary(place, beginning)) found.push_back(file->native());
    if (found.empty())
        return {"MPI", State::Absent,
                "no libmpi or libmpich was found in the usual places; a module may bring one, and it will be recorded then"};
    return {"MPI", State::Ok, listed(found)};
}

std::string nfsMounts(const Place& place)
{
    std::ifstream mounts(place.root / "proc/self/mountstats");
    std::vector<std::string> found;
    // "device SERVER:PATH mounted on PLACE with fstype nfs4 statvers=1.1"
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string device, source, mounted, on, target, with, fstype, type;
        if (words >> device >> source >> mounted >> on >> target >> with >> fstype >> type && device == "device" &&
            (type == "nfs" || type == "nfs4"))
            found.push_back(target.append(" (").append(type).append(" of ").append(source).append(")"));
    }
    return listed(found);
}

std::string infinibandNames(const Place& place) { return listed(namesIn(place.root / "sys/class/infiniband")); }

Row checkFabricPorts(const Place& place)
{
    const std::string what = "fabric ports", question = "switches and other hosts cannot be asked for their counters (--fabric mad://...)";
    const fs::path folder = place.root / "dev/infiniband";
    const auto devices = namesIn(folder, "umad");
    if (devices.empty())
        return {what, State::Absent, "no " + (folder / "umad*").native() + " (no InfiniBand, or without modprobe ib_umad): " + question};
    const Row library = libraryRow(place, what, "libibumad.so.3", question);
    if (library.state != State::Ok) return library;
    for (const std::string& device : devices)
        if (::faccessat(AT_FDCWD, (folder / device).c_str(), R_OK | W_OK, AT_EACCESS) == 0)
            return {what, State::Ok, (folder / device).native() + ", " + library.detail};
    return {what, State::Degraded,
            "no permission for " + (folder / devices.front()).native() + ": " + question + "; root's, unless a udev rule says otherwise"};
}

std::string interfaceNames(const Place& place)
{
    const fs::path folder = place.root / "sys/class/net";
    auto names = namesIn(folder);
    std::erase(names, "lo");
    const auto isVirtual = [&](const std::string& name) { return !fs::exists(folder / name / "device"); };
    if (!std::all_of(names.begin(), names.end(), isVirtual)) std::erase_if(names, isVirtual);
    return listed(names);
}

/// Asks the kernel about a socket that is not connected: how much it would tell.
Row checkConnections(const Place&)
{
    constexpr socklen_t withBytes = 136, withResent = 216;  // of struct tcp_info: Linux 4.2 and 4.19
    std::array<unsigned char, 512> info;
    socklen_t length = info.size();
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool told = fd >= 0 && ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, info.data(), &length) == 0;
    if (fd >= 0) ::close(fd);
    if (!told || length < withBytes) return {"TCP", State::Absent, "this kernel does not tell what a connection moved (TCP_INFO)"};
    const std::string found = "TCP_INFO of " + std::to_string(length) + " bytes";
    if (length < withResent)
        return {"TCP", State::Degraded, found + ": bytes acknowledged stand for bytes sent, and none sent again are told"};
    return {"TCP", State::Ok, found + ": bytes of the job's own connections, bytes sent again, round trips"};
}

Row checkCuda(const Place& place)
{
    Row driver = libraryRow(place, "CUDA driver", "libcuda.so", "no GPU work to record");
    if (driver.state != State::Ok || !namesIn(place.root / "dev", "nvidia").empty()) return driver;
    return {"CUDA driver", State::Degraded, driver.detail + ", but there is no /dev/nvidia*: no GPU is visible here"};
}

Row checkCupti(const Place& place) { return libraryRow(place, "CUPTI", "libcupti.so", "GPU kernels and copies cannot be recorded"); }

Row checkNccl(const Place& place) { return libraryRow(place, "NCCL", "libnccl.so", "a framework may bring its own"); }

}  // namespace flowgauge::run::doctor
