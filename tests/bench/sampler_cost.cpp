// SPDX-License-Identifier: MIT
// What the host's sampler costs: processor time of the sampler thread and of the whole process while it samples about 60
// counters at 100 Hz through the real recorder. Interfaces, disks, memory and processors are this machine's; four
// InfiniBand ports are made of links to real sysfs counters, so that each read costs what a sysfs read costs (without the
// adapter's own answer time, which is waiting and not processor time). The counters move all the time, since quiet ones are
// asked less often. Beside it, in the same run: a thread that wakes as often and does nothing, and one that wakes and reads as
// many files as the sampler reads with every beat, and does nothing with them. The second is what the kernel alone takes: on a
// virtual machine whose timers cost an exit each that may be more than the 0.5 % which holds elsewhere, so the sampler is then
// held against that loop.
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "collector/sample/host_samplers.h"
#include "collector/sample/infiniband.h"
#include "collector/sample/sampler.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace flowgauge;

constexpr double goalPercent = 0.3, atLeastPercent = 0.5, atLeastOfBare = 1.5;

/// A root with this machine's files and four ports of nine counters.
void makeRoot(const fs::path& root)
{
    fs::create_directories(root / "sys/class/infiniband");
    fs::create_symlink("/proc", root / "proc");
    fs::create_symlink("/sys/block", root / "sys/block");
    fs::create_symlink("/sys/class/net", root / "sys/class/net");
    for (int port = 0; port < 4; ++port) {
        const fs::path folder = root / ("sys/class/infiniband/mlx5_" + std::to_string(port)) / "ports/1";
        fs::create_directories(folder / "counters");
        std::ofstream(folder / "state") << "4: ACTIVE\n";
        for (const char* const name : {"port_rcv_data", "port_xmit_data", "port_rcv_packets", "port_xmit_packets", "port_xmit_wait",
                                       "symbol_error", "link_downed", "port_rcv_errors", "port_xmit_discards"})
            fs::create_symlink("/sys/class/net/lo/statistics/rx_bytes", folder / "counters" / name);
    }
}

std::set<std::pair<std::uint64_t, std::uint64_t>> seen;

/// How many counters the same samplers find on that root.
std::size_t countCounters(const std::string& root)
{
    static constexpr sample::Outlet outlet{[](const Event& event) { seen.emplace(event.arg[0], event.arg[1]); },
                                           [](NameClass, std::string_view) {
                                               static NameKey last = 0;
                                               return ++last;
                                           }};
    sample::HostSamplers* const samplers = sample::HostSamplers::make(root, outlet);
    samplers->open(1);
    samplers->sample(2);
    samplers->putOwn(0, 0);
    sample::HostSamplers::discard(samplers);
    return seen.size();
}

/// Nanoseconds on a processor of the thread with that name; 0 when there is none.
double threadNs(const std::string& wanted)
{
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm"), name);
        double ns = 0;
        if (name == wanted && std::ifstream(task.path() / "schedstat") >> ns) return ns;
    }
    return 0;
}

/// Moves the counters that stand for the ports: a small packet over the loopback every millisecond.
void sendUntil(const std::atomic<bool>& end)
{
    const int from = socket(AF_INET, SOCK_DGRAM, 0), to = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address = {};
    socklen_t length = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(to, reinterpret_cast<sockaddr*>(&address), length) == 0) getsockname(to, reinterpret_cast<sockaddr*>(&address), &length);
    while (!end) {
        sendto(from, "x", 1, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&address), length);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    close(from);
    close(to);
}

/// Wakes as often as the sampler, under that name, and reads those files: what the kernel alone takes for it.
void wakeUntil(const std::atomic<bool>& end, const char* name, unsigned periodMs, const std::vector<fs::path>& files)
{
    prctl(PR_SET_NAME, name);
    std::vector<int> open;
    for (const fs::path& file : files) open.push_back(::open(file.c_str(), O_RDONLY));
    std::array<char, 64> text;
    auto due = std::chrono::steady_clock::now();
    while (!end) {
        std::this_thread::sleep_until(due += std::chrono::milliseconds(periodMs));
        for (const int file : open)
            if (pread(file, text.data(), text.size(), 0) <= 0) std::abort();
    }
    for (const int file : open) close(file);
}

/// What the sampler reads with every beat: the bytes of each port, and of each interface that has hardware behind it.
std::vector<fs::path> filesOfEveryBeat(const fs::path& root)
{
    std::vector<fs::path> files;
    for (const auto& device : fs::directory_iterator(root / "sys/class/infiniband"))
        for (const char* const name : {"port_rcv_data", "port_xmit_data"}) files.push_back(device.path() / "ports/1/counters" / name);
    for (const auto& device : fs::directory_iterator(root / "sys/class/net"))
        for (const char* const name : {"rx_bytes", "tx_bytes"})
            if (fs::exists(device.path() / "device")) files.push_back(device.path() / "statistics" / name);
    return files;
}

/// Percent of a core that each of the three threads takes.
struct Shares {
    double sampler, empty, bare;
};

Shares sharesOver(std::chrono::seconds time)
{
    constexpr std::array threads{"flowgauge-s", "empty-beat", "bare-beat"};
    std::array<double, threads.size()> used{};
    for (std::size_t at = 0; at < threads.size(); ++at) used[at] = -threadNs(threads[at]);
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(time);
    const double wall = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t at = 0; at < threads.size(); ++at) used[at] = (used[at] + threadNs(threads[at])) / wall * 100;
    return {used[0], used[1], used[2]};
}

void printRate(const char* what, std::int64_t leastMs, unsigned periodMs)
{
    std::printf("  read %s: %.4g Hz\n", what, 1000.0 / static_cast<double>(std::max<std::int64_t>(leastMs, periodMs)));
}

/// A counter is counted once however seldom it is read, so the table says how often that is.
void printRates(unsigned periodMs)
{
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) \
    if (std::string_view(#what) != "infiniband") printRate(#what, leastMs, periodMs);
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
    const auto rateOf = [](Counter counter) { return sample::PortFile{counter, "", ""}.leastMs(); };
    printRate("infiniband bytes", rateOf(Counter::IbRxBytes), periodMs);
    printRate("infiniband packets and waiting", rateOf(Counter::IbRxPackets), periodMs);
    printRate("infiniband errors", rateOf(Counter::IbRxErrors), periodMs);
}

}  // namespace

int main(int argc, char** argv)
{
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
    const unsigned periodMs = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 10;
    std::string folder = "/tmp/flowgauge-sampler-cost.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return 2;
    makeRoot(folder + "/root");
    fs::create_directories(folder + "/spool");
    const std::size_t counters = countCounters(folder + "/root");

    chooseClock();
    buffer::enable({(folder + "/spool").c_str(), "bench", kindMaskOf(""), 0, 0});
    buffer::record(epochStart(now(), 1));
    sample::startElected({(folder + "/spool").c_str(), periodMs, (folder + "/root").c_str()});
    std::atomic<bool> end{false};
    const std::vector<fs::path> files = filesOfEveryBeat(folder + "/root");
    // A third of a period apart: a thread that wakes right behind another one finds the processor awake and warm.
    const auto apart = std::chrono::microseconds(periodMs * 1000 / 3);
    std::thread sender(sendUntil, std::cref(end));
    std::this_thread::sleep_for(apart);
    std::thread empty(wakeUntil, std::cref(end), "empty-beat", periodMs, std::vector<fs::path>{});
    std::this_thread::sleep_for(apart);
    std::thread bare(wakeUntil, std::cref(end), "bare-beat", periodMs, files);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const Shares shares = sharesOver(std::chrono::seconds(seconds));
    end = true;
    for (std::thread* const one : {&sender, &empty, &bare}) one->join();
    const bool sampled = sample::elected();
    const double atLeast = std::max(atLeastPercent, atLeastOfBare * shares.bare);
    sample::stop();
    buffer::finish();
    fs::remove_all(folder);
    std::printf(
        "sampler_cost: %zu counters every %u ms for %d s: %.3f %% of a core (sampler thread); beside it a thread that only wakes as often: "
        "%.3f %%; one that wakes and reads %zu files: %.3f %%; goal %.1f, at least %.2f (0.5, or %.1fx the last)\n",
        counters, periodMs, seconds, shares.sampler, shares.empty, files.size(), shares.bare, goalPercent, atLeast, atLeastOfBare);
    printRates(periodMs);
    if (!sampled) std::puts("sampler_cost: the sampler did not run");
    return sampled && shares.sampler <= atLeast ? 0 : 1;
}
