// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/sample/process.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace flowgauge::sample {
namespace {

/// Every parser on a text, whatever it is: each takes what it understands.
std::uint64_t parseAll(std::string_view text)
{
    std::uint64_t taken = 0;
    NetDeviceLines devices(text);
    for (NetDevice device; devices.next(device);) taken += device.rxBytes;
    DiskLines disks(text);
    for (DiskLine disk; disks.next(disk);) taken += disk.readOps + isWholeDiskName(disk.name);
    NfsMounts mounts(text);
    for (NfsMount mount; mounts.next(mount);) taken += mount.of(BytesField::ServerRead).value;
    MountInfoLines infos(text);
    for (MountInfo info; infos.next(info);) taken += info.path.size();
    std::uint64_t value = 0;
    std::array<char, 64> decoded;
    taken += parseValueFile(text, value) + decodeOctal(text, decoded.data(), decoded.size());
    taken += parseMemoryInfo(text).total.value + parseVirtualMemory(text).pageInKib.value + parseCpuTimes(text).user;
    taken += parseProcessIo(text).readBytes.value + parseProcessStat(text).minorFaults;
    return taken + static_cast<std::uint64_t>(parsePortState(text) + 1);
}

/// Each prefix in memory of exactly its size, so that a read behind its end is found by the address sanitizer.
void parsePrefixes(const std::string& text, std::size_t step)
{
    std::uint64_t taken = 0;
    for (std::size_t length = 0; length <= text.size(); length += step) {
        const auto exact = std::make_unique<char[]>(length);
        std::copy_n(text.data(), length, exact.get());
        taken += parseAll({exact.get(), length});
    }
    static_cast<void>(taken);
}

int parseFolder(const std::string& folder)
{
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        // A step prime to the lines' lengths meets every kind of cut in the few long recordings.
        parsePrefixes(text.str(), text.str().size() > 8192 ? 997 : text.str().size() > 2048 ? 61 : 1);
        ++files;
    }
    return files;
}

TEST(EveryPrefix, OfOurOwnTreesIsParsedWithoutHarm) { EXPECT_GT(parseFolder(FLOWGAUGE_SYSROOTS), 140); }

TEST(EveryPrefix, OfThePublicRecordingsIsParsedWithoutHarm)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    EXPECT_EQ(parseFolder(fixtures() + "/mountstats"), 28);
    EXPECT_EQ(parseFolder(fixtures() + "/other"), 36);
}

/// A crude fuzzer: one byte of the NFS client's text at a time becomes each of a few that matter to the parsers.
TEST(EveryByte, OfAMountstatsTextMayBeWrong)
{
    std::ostringstream whole;
    whole << std::ifstream(sysroot("nfs-client") + "/proc/self/mountstats").rdbuf();
    std::string text = whole.str();
    ASSERT_GT(text.size(), 3000U);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char right = text[at];
        for (const char wrong : {'\n', ' ', '9', '\0', '\\'}) {
            text[at] = wrong;
            NfsMounts mounts(text);
            int count = 0;
            for (NfsMount mount; mounts.next(mount);) ++count;
            EXPECT_GE(count, 3) << at;
            EXPECT_LE(count, 5) << at;
        }
        text[at] = right;
    }
}

}  // namespace
}  // namespace flowgauge::sample
