// SPDX-License-Identifier: MIT
#include "collector/sample/cpu.h"
#include "collector/sample/disk.h"
#include "collector/sample/memory.h"
#include "collector/sample/nic.h"
#include "collector/sample/process.h"

#include <cstdlib>

using namespace flowgauge::sample;

/// Tables and lists of /proc: a line more than the text has, or a piece that lies outside of it, is a fault.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::size_t lines = 0, count = 0;
    for (const char letter : text) lines += letter == '\n';
    NetDeviceLines devices(text);
    for (NetDevice device; devices.next(device); ++count)
        if (isVirtualName(device.name) && device.name.empty()) std::abort();
    DiskLines disks(text);
    for (DiskLine disk; disks.next(disk);) {
        if (disk.name.data() < text.data() || disk.name.data() + disk.name.size() > text.data() + text.size()) std::abort();
        if (isWholeDiskName(disk.name) && disk.name.empty()) std::abort();
    }
    if (count > lines) std::abort();
    DiskLine numbers;
    static_cast<void>(parseDiskNumbers(text, numbers));
    static_cast<void>(parseMemoryInfo(text));
    static_cast<void>(parseVirtualMemory(text));
    static_cast<void>(parseCpuTimes(text));
    static_cast<void>(parseProcessIo(text));
    static_cast<void>(parseProcessStat(text));
    static_cast<void>(parseCgroup(text));
    static_cast<void>(parseCgroupStat(text, true));
    return 0;
}
