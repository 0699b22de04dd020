// SPDX-License-Identifier: MIT
// What reading mountstats costs: 20 NFS 4.2 mounts, each with the 69 lines of operations that a 6.12 kernel prints, read from a file in
// memory, understood and put into the sink. The kernel's own time for printing them comes on top (20 to 30 us a mount: facts/storage.md
// §8).
#include "collector/sample/host_samplers.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace flowgauge;

constexpr int mounts = 20, operations = 69;
constexpr double atLeastMs = 1;

std::string mountText(int number)
{
    std::string text =
        "device nas" + std::to_string(number) + ":/data mounted on /data" + std::to_string(number) +
        " with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,nconnect=4,"
        "timeo=600,retrans=2,sec=sys,clientaddr=10.0.0.1,local_lock=none\n\tage:\t13968\n\timpl_id:\tname='',domain='',date='0,0'\n"
        "\tcaps:\tcaps=0x3ffbffff,wtmult=512,dtsize=1048576,bsize=0,namlen=255\n\tnfsv4:\tbm0=0xfdffbfff,bm1=0xf9be3e,"
        "bm2=0x68800,acl=0x3,sessions,pnfs=not configured,lease_time=90,lease_expired=0\n\tsec:\tflavor=1,pseudoflavor=1\n"
        "\tevents:\t10 20 3 1 0 5 6 0 0 40 0 0 0 0 0 0 0 600 0 0 0 0 0 0 0 0 0 \n"
        "\tbytes:\t1000 2000 300 0 500000000 6000 122071 2 \n\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n";
    for (int connection = 0; connection < 4; ++connection) text += "\txprt:\ttcp 832 0 1 0 11 6428 6428 0 12154 0 24 26 5726\n";
    text += "\tper-op statistics\n\t        READ: 10 12 1 2000 10485760 6 90 100 0 \n\t       WRITE: 3 3 0 300 30 0 9 9 0 \n";
    for (int operation = 2; operation < operations; ++operation)
        text += "\t  OPERATION" + std::to_string(operation) + ": " +
                (operation % 3 == 0 ? "7 7 0 1400 1500 1 2 3 0 \n" : "0 0 0 0 0 0 0 0 0 \n");
    return text + "\n";
}

std::string makeRoot(const fs::path& root)
{
    fs::create_directories(root / "proc/self");
    std::string stats, info;
    for (int number = 0; number < mounts; ++number) {
        const std::string name = std::to_string(number);
        stats += mountText(number);
        info += std::to_string(100 + number) + " 1 0:" + std::to_string(40 + number) + " / /data" + name + " rw - nfs4 nas" + name +
                ":/data rw,addr=10.0.1." + name + "\n";
    }
    std::ofstream(root / "proc/self/mountstats") << stats;
    std::ofstream(root / "proc/self/mountinfo") << info;
    return stats;
}

std::size_t stored = 0;
constexpr sample::Outlet counting{[](const Event&) { ++stored; },
                                  [](NameClass, std::string_view) -> NameKey {
                                      static NameKey last = 0;
                                      return ++last;
                                  }};

double medianMs(sample::HostSamplers& samplers, int readings)
{
    using clock = std::chrono::steady_clock;
    std::vector<double> times;
    Nanos now = 1;
    for (int i = 0; i < readings; ++i) {
        const auto begin = clock::now();
        samplers.sample(now += 1'000'000'000);
        times.push_back(std::chrono::duration<double, std::milli>(clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + readings / 2, times.end());
    return times[static_cast<std::size_t>(readings / 2)];
}

}  // namespace

int main(int argc, char** argv)
{
    const int readings = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
    std::string folder = "/tmp/flowgauge-mountstats-cost.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return 2;
    const std::size_t bytes = makeRoot(folder).size();
    sample::HostSamplers* const samplers = sample::HostSamplers::make(folder, counting);
    samplers->open(1);
    const double ms = medianMs(*samplers, readings);
    sample::HostSamplers::discard(samplers);
    fs::remove_all(folder);
    std::printf("mountstats_cost: %d mounts, %zu bytes, median of %d readings: %.3f ms; at least %.1f; %zu samples stored\n", mounts, bytes,
                readings, ms, atLeastMs, stored);
    return stored > 0 && ms <= atLeastMs ? 0 : 1;
}
