// SPDX-License-Identifier: MIT
// Every public recording of mountstats (facts/storage.md §7) gives the numbers that stand in its text.
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

using Number = std::optional<std::uint64_t>;
constexpr std::nullopt_t none = std::nullopt;

/// The mount of a file that fetched most, or its first.
struct Expected {
    const char* file;
    std::size_t mount;
    const char* path;
    Number age, asked, direct, fetched, reads, received, rttMs;
    std::uint64_t others, connections, sends;
};

std::string textOf(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(fixtures() + "/mountstats/" + file).rdbuf();
    return text.str();
}

/// All NFS mounts of a text; the text must outlive them.
std::vector<NfsMount> mountsOf(const std::string& text)
{
    std::vector<NfsMount> all;
    NfsMounts mounts(text);
    for (NfsMount mount; mounts.next(mount);) all.push_back(mount);
    return all;
}

Number known(const MaybeNumber& number) { return number.known ? Number(number.value) : none; }

const Expected recordings[] = {
    {"01-el8-4.18.0-80-v3-v40-v41-v42-rpc1.0.txt", 0, "/mnt/nfsv4.2", 57, 0, 0, 0, 0, 0, 0, 21, 1, 31},
    {"02-el8-4.18.0-105-v3-v40-v41-v42-rpc1.1.txt", 0, "/mnt/nfsv4.2", 92, 0, 0, 0, 0, 0, 0, 38, 1, 29},
    {"03-el8.7-v3-rdma-nconnect8.txt", 3, "/d3/d8", 1166720, 5990252963873, 0, 1730835995062, 36019499, 1735446589952, 26116356, 681139, 8,
     40009085},
    {"04-isilon-v3-plus-v40-v41-mixed.txt", 1, "/mnt/nfsv4", 19, 1612840960, 0, 627536112, 9797, 628138612, 7953, 59886, 1, 69698},
    {"06-fedora24-v42-krb5p.txt", 0, "/home", 5547, 4365236327, 0, 4406481497, 38821, 4414245700, 824228, 476914, 1, 653672},
    {"09-dupes-and-udp-xprt10.txt", 0, "/mnt/nfs/d1", 13968, 1207640230, 0, 1210214218, 1298, 1210292152, 79386, 0, 1, 6428},
    {"10-v3-statvers1.0-t0.txt", 0, "/mnt/d5", 15860876, 157446200657, 0, 114069658024, 3506477, 114512740400, 9135087, 51131847, 1,
     137593048},
    {"11-v3-statvers1.0-t1.txt", 0, "/mnt/d5", 15913327, 157447624926, 0, 114069658781, 3506478, 114512741288, 9135123, 51166923, 1,
     137628141},
    {"12-v40-queue-underflow-u64.txt", 0, "/mnt/nfs/d1", 13968, 1207640230, 0, 1210214218, 1298, 1210292152, 79386, 2927395007, 1, 6428},
    {"15-v41-multiline-impl_id.txt", 0, "/mnt/nfs", 1234567, none, none, none, none, none, none, 0, 0, 0},
    {"16-v3-nconnect16-fsc-truncated.txt", 0, "/srv/nfs/files", 186, 49163927552, 0, 41916993536, none, none, none, 0, 2, 5645},
    {"17-v3-rdma-nconnect16-petabytes-truncated.txt", 0, "/mnt/d1", 1270876, 3104202770327296, 0, 2013200952170479, none, none, none, 0, 1,
     494490723},
    {"19-linux-2.6.16-v3-udp-7col-25events.txt", 0, "/u/d1", 274, 194733, 0, 37748, none, none, none, 0, 1, 74},
    {"19b-pnfs-scsi-layout-excerpt.txt", 0, "/mnt/d2/d1", none, none, none, none, 0, 0, 0, 77, 0, 0},
    {"20-lab-6.12-17mounts-weirdnames-ipv6-shared-sb.txt", 0, "/mnt/v3", 11, 0, 0, 0, 0, 0, 0, 6, 1, 7},
    {"21-lab-6.12-after-reads-readplus.txt", 0, "/mnt/v3", 69, 102301696, 35651584, 119586816, 1113, 119729280, 3681, 40, 1, 1154},
    {"22-lab-6.12-server-down-25s.txt", 2, "/mnt/nc4", 170, 404291584, 35651584, 421576704, 2265, 421848376, 17269, 104, 1, 2579},
    {"23-lab-6.12-server-back.txt", 2, "/mnt/nc4", 189, 404291584, 35651584, 421576704, 2265, 421848376, 17269, 131, 1, 2608},
    {"24-lab-6.12-rdma-v3.txt", 2, "/mnt/nc4", 276, 421068800, 35651584, 438353920, 2329, 438633272, 17574, 147, 1, 3355},
    {"26-lab-6.1-nconnect4-nconnect8-tcp6-space.txt", 0, "/mnt/nc4", 9, 16777216, 0, 16777216, 64, 16783872, 295, 19, 4, 83},
    {"27-lab-6.1-fsc-line.txt", 0, "/mnt/fsc", 25, 33554432, 0, 16777216, 64, 16781056, 909, 30, 1, 181},
    {"28-lab-6.1-v40-rdma.txt", 0, "/mnt/rdma40", 7, 16777216, 0, 16777216, 64, 16781056, 1702, 20, 1, 84},
    {"29-lab-6.1-v3-rdma.txt", 0, "/mnt/rdma3", 5, 16777216, 0, 16777216, 64, 16785408, 5209, 9, 1, 74},
    {"30-lab-6.12-after-200-jpeg-epochs.txt", 0, "/mnt/v3", 87, 102301696, 35651584, 119586816, 1113, 119729280, 3681, 40, 1, 1154},
    {"31-lab-6.1-final.txt", 3, "/mnt/v3", 469, 1702259712, 17825792, 1183236768, 10289, 1184553760, 69307, 18070, 1, 28729},
    {"32-lab-6.12-final-overlay.txt", 2, "/mnt/nc4", 301, 421068800, 35651584, 438353920, 2329, 438633272, 17574, 148, 1, 3427},
};

class MountstatsFixture : public testing::Test {
protected:
    void SetUp() override
    {
        if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    }
};

TEST_F(MountstatsFixture, EveryRecordingGivesItsNumbers)
{
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures() + "/mountstats")) files += entry.is_regular_file();
    EXPECT_EQ(files, std::size(recordings) + 2) << "and two files without an NFS mount";
    for (const Expected& expected : recordings) {
        SCOPED_TRACE(expected.file);
        const std::string text = textOf(expected.file);
        const std::vector<NfsMount> mounts = mountsOf(text);
        ASSERT_GT(mounts.size(), expected.mount);
        const NfsMount& mount = mounts[expected.mount];
        EXPECT_EQ(mount.path, expected.path);
        EXPECT_EQ(known(mount.ageSeconds), expected.age);
        EXPECT_EQ(known(mount.of(BytesField::NormalRead)), expected.asked);
        EXPECT_EQ(known(mount.of(BytesField::DirectRead)), expected.direct);
        EXPECT_EQ(known(mount.of(BytesField::ServerRead)), expected.fetched);
        EXPECT_EQ(known(mount.of(OpColumn::Operations)), expected.reads);
        EXPECT_EQ(known(mount.of(OpColumn::BytesReceived)), expected.received);
        EXPECT_EQ(known(mount.of(OpColumn::RttMs)), expected.rttMs);
        EXPECT_EQ(mount.others.of(OpColumn::Operations).value, expected.others);
        EXPECT_EQ(mount.transport.connections, expected.connections);
        EXPECT_EQ(mount.transport.sends, expected.sends);
    }
}

/// Two readings of one machine, 52,451 s apart; both of its mounts are one superblock, printed at two moments.
TEST_F(MountstatsFixture, TwoReadingsDifferByWhatHappened)
{
    const std::string first = textOf("10-v3-statvers1.0-t0.txt"), second = textOf("11-v3-statvers1.0-t1.txt");
    const NfsMount before = mountsOf(first)[0], after = mountsOf(second)[0];
    EXPECT_EQ(after.ageSeconds.value - before.ageSeconds.value, 52'451U);
    EXPECT_EQ(after.of(BytesField::NormalRead).value - before.of(BytesField::NormalRead).value, 1'424'269U);
    EXPECT_EQ(after.of(BytesField::ServerRead).value - before.of(BytesField::ServerRead).value, 757U);
    EXPECT_EQ(after.of(BytesField::ReadPages).value - before.of(BytesField::ReadPages).value, 1U);
}

TEST_F(MountstatsFixture, ASumBelowZeroIsUnknownAndItsNeighboursAreNot)
{
    const std::string text = textOf("12-v40-queue-underflow-u64.txt");
    const OpSums others = mountsOf(text)[0].others;
    EXPECT_FALSE(others.of(OpColumn::QueueMs).known) << "18446743919241604546";
    EXPECT_EQ(known(others.of(OpColumn::RttMs)), 1667369447U);
    EXPECT_EQ(known(others.of(OpColumn::ExecuteMs)), 1953587717U);
    EXPECT_FALSE(others.of(OpColumn::Errors).known) << "eight columns";
}

TEST_F(MountstatsFixture, ServerDownGrowsConnectsAndNotSends)
{
    const std::string down = textOf("22-lab-6.12-server-down-25s.txt"), before = textOf("21-lab-6.12-after-reads-readplus.txt");
    EXPECT_GT(mountsOf(down)[2].transport.connects, mountsOf(before)[0].transport.connects);
}

TEST_F(MountstatsFixture, OptionsLayoutsAndLocalCaches)
{
    const std::string lab = textOf("26-lab-6.1-nconnect4-nconnect8-tcp6-space.txt"), cache = textOf("27-lab-6.1-fsc-line.txt");
    const std::string petabytes = textOf("17-v3-rdma-nconnect16-petabytes-truncated.txt"),
                      scsi = textOf("19b-pnfs-scsi-layout-excerpt.txt");
    const NfsMount four = mountsOf(lab)[0];
    EXPECT_EQ(four.option("nconnect"), "4");
    EXPECT_EQ(four.transport.connections, 4U);
    EXPECT_EQ(four.option("vers"), "4.2");
    EXPECT_EQ(four.option("rsize"), "262144");
    EXPECT_TRUE(four.hasOption("hard"));
    EXPECT_FALSE(four.hasOption("fsc"));
    EXPECT_EQ(four.layout, "") << "pnfs=not configured";
    EXPECT_EQ(mountsOf(scsi)[0].layout, "LAYOUT_SCSI");
    EXPECT_TRUE(mountsOf(cache)[0].hasOption("fsc"));
    EXPECT_TRUE(mountsOf(cache)[0].cachePages.known);
    const TransportSums rdma = mountsOf(petabytes)[0].transport;
    EXPECT_TRUE(rdma.rdma);
    EXPECT_EQ(rdma.rdmaRequestBytes, 135120843409861U);
    EXPECT_EQ(rdma.rdmaReplyBytes, 135119397156505U);
    EXPECT_EQ(rdma.connects, 5808U);
}

}  // namespace
}  // namespace flowgauge::sample
