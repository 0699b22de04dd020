# SPDX-License-Identifier: MIT
"""What `flowgauge run` says of RDMA ports equals what perftest sent over soft-RoCE, and of NFS over RDMA what was read. Runs in the guest
that boot.py makes."""
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "e2e")]
from harness import FLOWGAUGE, RunTestCase  # noqa: E402  (the path to it is set above)
from growth import growth  # noqa: E402
from nfs_server import EXPORT, RDMA_PORT, READ_OVERHEAD, NfsServer, ThisHost, shell  # noqa: E402

SIZE = 3_000_001
MTU, MESSAGE, MESSAGES = 1024, 65536, 100
# Ethernet, IPv4, UDP, BTH and ICRC of every packet; the first of a write says besides where to.
PACKET_HEADERS, WRITE_HEADER = 14 + 20 + 8 + 12 + 4, 16
TOLD_BYTES = 20_000
NEAR, FAR = "10.98.0.1", "10.98.0.2"

# Both ends of the wire lie in the guest's own network: soft-RoCE of this kernel knows no other. What goes from one end's address to the
# other's is to take the wire all the same, not the short way inside the kernel.
WIRE = f"""
modprobe -a veth rdma_rxe crc32_generic
ip link add near type veth peer name far
ip address add {NEAR}/24 dev near
ip address add {FAR}/24 dev far
for name in all near far; do echo 1 >/proc/sys/net/ipv4/conf/$name/accept_local; echo 0 >/proc/sys/net/ipv4/conf/$name/rp_filter; done
ip link set near up
ip link set far up
ip rule add pref 5 iif lo to {FAR} lookup 101
ip rule add pref 6 iif lo to {NEAR} lookup 102
ip rule add pref 20 lookup local
ip rule del pref 0
ip route add {FAR} dev near src {NEAR} table 101
ip route add {NEAR} dev far src {FAR} table 102
ip neighbour replace {FAR} lladdr $(cat /sys/class/net/far/address) dev near nud permanent
ip neighbour replace {NEAR} lladdr $(cat /sys/class/net/near/address) dev far nud permanent
rdma link add rxe_near type rxe netdev near
rdma link add rxe_far type rxe netdev far
"""

# An acknowledgement may be seconds late on a busy machine: none is to be taken for lost.
PERFTEST = f"""
test=$1; shift
$test -d rxe_far "$@" & server=$!
until ss -Hltn 'sport = :18515' | grep -q .; do sleep 0.1; done
$test -d rxe_near "$@" {FAR}
wait $server
"""
COMMON = ("-F", "-x", "1", "-u", "23", "-m", str(MTU), "-s", str(MESSAGE), "-n", str(MESSAGES))


def setUpModule():
    shell(WIRE)


class Roce(RunTestCase):
    def test_packets_and_bytes_are_those_that_perftest_sent(self):
        for test, first in (("ib_write_bw", WRITE_HEADER), ("ib_send_bw", 0)):
            with self.subTest(test=test):
                run = self.profile("/bin/sh", "-ec", PERFTEST, "sh", test, *COMMON)
                self.assertRegex(run.stdout, rf"\n {MESSAGE} +{MESSAGES} ", "perftest's own row of its result")
                sent = growth(run, "ib_tx_packets", "rxe_near/1", "ib")
                self.assert_packets(run, sent)
                told = growth(run, "nic_tx_bytes", "near", "nic") - sent * (MTU + PACKET_HEADERS) - first * MESSAGES
                self.assertGreater(told, 0)
                self.assertLess(told, TOLD_BYTES, "besides, perftest's two sides tell each other about their buffers")

    def assert_packets(self, run, sent):
        """Every packet of every message once; and where the wire brought some out of order, the recording says that they came again."""
        packets = MESSAGES * MESSAGE // MTU
        again = sum(growth(run, counter, "rxe_far/1", "ib") for counter in ("ib_duplicates", "ib_out_of_sequence"))
        self.assertEqual(growth(run, "ib_rx_packets", "rxe_far/1", "ib"), sent)
        if again == 0:
            self.assertEqual(sent, packets)
        else:
            self.assertGreaterEqual(sent, packets + again)
        acknowledged = growth(run, "ib_tx_packets", "rxe_far/1", "ib")
        self.assertEqual(growth(run, "ib_rx_packets", "rxe_near/1", "ib"), acknowledged)

    def test_a_network_namespace_that_shares_the_device_reads_by_netlink_what_the_files_tell(self):
        self.assertEqual(self.call(["/bin/sh", "-ec", PERFTEST, "sh", "ib_send_bw", *COMMON]).returncode, 0)
        port = pathlib.Path("/sys/class/infiniband/rxe_near/ports/1")
        shell("ip netns add other")
        shown = self.call(["ip", "netns", "exec", "other", "ls", port]).stdout.split()
        self.assertIn("state", shown)
        self.assertNotIn("hw_counters", shown, "a namespace that shares the device is not shown them")
        command, path = self.command("/bin/sh", "-c", "sleep 3")
        run = self.open(path, self.call(["ip", "netns", "exec", "other", *command]))
        files = {"ib_tx_packets": "sent_pkts", "ib_rx_packets": "rcvd_pkts", "ib_duplicates": "duplicate_request",
                 "ib_out_of_sequence": "out_of_seq_request", "ib_sequence_naks": "rcvd_seq_err", "ib_rnr_retries": "rcvd_rnr_err"}
        read = dict(run.rows("SELECT counter, max(value) FROM ib_counter WHERE source = 'rxe_near/1' AND counter <> 'ib_state' AND "
                             "counter <> 'ib_data_rate_mbps' GROUP BY counter"))
        self.assertEqual(read, {counter: int((port / "hw_counters" / file).read_text()) for counter, file in files.items()})
        self.assertGreaterEqual(read["ib_tx_packets"], MESSAGES * MESSAGE // MTU)
        self.assertIn("by netlink", run.value("SELECT reason FROM ledger WHERE what = 'infiniband rxe_near/1 hw_counters'"))

    def test_soft_roce_has_no_counters_of_queue_pairs(self):
        run = self.profile("/bin/true")
        self.assertEqual(run.rows("SELECT state, reason FROM ledger WHERE what = 'queue pairs' ORDER BY state"),
                         [("absent", "no driver here has counters of single queue pairs"),
                          ("unanswered", "Whose packets did RDMA ports lose or send again: which process of the job had them?")])
        doctor = self.call([FLOWGAUGE, "doctor"]).stdout
        self.assertIn("no driver here has counters of single queue pairs", " ".join(doctor.split()))

    def test_nfs_over_rdma_is_fetched_once(self):
        server = NfsServer(ThisHost(), FAR)
        self.addCleanup(server.close)
        server.listen_for_rdma()
        server.write("file", SIZE)
        place = server.mount(pathlib.Path("/mnt/rdma"), "3", "proto=rdma", f"port={RDMA_PORT}")
        run = self.profile("/bin/cat", place / "file")
        self.assertEqual(growth(run, "nfs_fetched_bytes", place, "nfs"), SIZE)
        replies = growth(run, "nfs_read_ops", place, "nfs")
        self.assertEqual(growth(run, "nfs_read_received_bytes", place, "nfs"), SIZE + READ_OVERHEAD["3"] * replies + -SIZE % 4)
        self.assertEqual(growth(run, "nfs_rdma_reply_bytes", f"{FAR} v3 rdma", "nfs_transport"), SIZE)
        packets = growth(run, "ib_rx_packets", "rxe_near/1", "ib")
        self.assertGreater(packets, SIZE / MTU, "the data came through the port")
        said = run.value("SELECT reason FROM ledger WHERE what = ?", f"nfs mount {place}")
        self.assertIn(f"from {FAR}:{EXPORT}, vers 3, proto rdma", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
