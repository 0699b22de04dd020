// SPDX-License-Identifier: MIT
#include "collector/ingest/liveness.h"

#include <unistd.h>
#include <array>
#include <fstream>
#include <sstream>

namespace flowgauge::ingest {

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string bootId()
{
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id;
}

std::uint64_t processStart(int pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text, '\0');
    const auto name = text.rfind(')');  // the name before it may hold spaces and parentheses
    if (name == std::string::npos) return 0;
    std::istringstream fields(text.substr(name + 1));
    std::string state, skipped;
    fields >> state;
    if (state == "Z" || state == "X") return 0;
    for (int field = 4; field < 22; ++field) fields >> skipped;
    std::uint64_t start = 0;
    fields >> start;
    return start;
}

bool isAlive(const spool::SpoolHeader& header)
{
    const std::string host = hostName().substr(0, header.host.size() - 1);  // as much of it as a header holds
    return bootId() == header.bootId.data() && host == header.host.data() && processStart(header.pid) == header.processStart &&
           header.processStart != 0;
}

}  // namespace flowgauge::ingest
