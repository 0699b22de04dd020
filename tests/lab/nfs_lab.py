# SPDX-License-Identifier: MIT
"""What `flowgauge run` says of a real NFS client equals what was read, byte for byte: through every version and way of reading, cold and
warm, after a change on the server, and past an outage. Runs in the guest that boot.py makes."""
import json
import pathlib
import re
import shlex
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "e2e")]
from growth import growth  # noqa: E402  (the path to what follows is set above)
from harness import BUILD, FLOWGAUGE  # noqa: E402
from nfs_server import EXPORT, READ_OVERHEAD, NfsServer, another_host, shell  # noqa: E402
from training import TrainingTestCase  # noqa: E402

SIZE, MIB, OUTAGE_S = 3_000_001, 1 << 20, 5
PLACES = {version: pathlib.Path("/mnt") / f"v{version}" for version in READ_OVERHEAD}
MAPPED = "import mmap, sys; f = open(sys.argv[1], 'rb'); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ); sum(m[0:len(m):4096])"


def padding(*sizes):
    """What XDR adds to the last reply of files of those sizes."""
    return sum(-size % 4 for size in sizes)


class Nfs(TrainingTestCase):
    """A server on another host, mounted in every version; the client's cache is empty when a test begins."""
    dataset_options = {"samples": 128, "mean_bytes": 30_000}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = NfsServer(*another_host(cls.shared))
        cls.addClassCleanup(cls.server.close)
        for version, place in PLACES.items():
            cls.server.mount(place, version)
        cls.server.write("file", SIZE)
        shell(f"cp -r {cls.data} {PLACES['4.2']}/set && sync")
        cls.data = PLACES["4.2"] / "set"

    def setUp(self):
        super().setUp()
        shell("sync; echo 3 >/proc/sys/vm/drop_caches")

    def assert_fetched(self, run, place, version, *sizes):
        """The payload once, and over the wire nothing but it and the replies' stated overhead."""
        self.assertEqual(growth(run, "nfs_fetched_bytes", place, "nfs"), sum(sizes))
        replies = growth(run, "nfs_read_ops", place, "nfs")
        received = growth(run, "nfs_read_received_bytes", place, "nfs")
        self.assertEqual(received, sum(sizes) + READ_OVERHEAD[version] * replies + padding(*sizes))

    def on_server(self, script):
        """A shell word list that runs a script on the server's host, outside the recording."""
        return shlex.join(["env", "-u", "LD_PRELOAD", "-u", "FLOWGAUGE_RUN", *self.server.command(script)])

    def mount(self, *arguments, **options):
        """As the server's, for this test alone."""
        place = self.server.mount(*arguments, **options)
        self.addCleanup(shell, f"umount {place}")
        return place

    def shell_job(self, script, *arguments):
        return self.profile("/bin/sh", "-ec", script, "sh", *arguments)

    def test_a_cold_epoch_is_fetched_once_and_warm_ones_not_at_all(self):
        run = self.train("--epochs", 3, "--evaluate-every", 0)
        self.assert_equals_the_ledgers(run)
        files = {file for ledger in run.ledgers for file, size in ledger["files"].items() if size}
        self.assert_fetched(run, PLACES["4.2"], "4.2", *(pathlib.Path(file).stat().st_size for file in files))
        booked = [sum(rank["read_bytes"] for rank in epoch) for epoch in zip(*(ledger["epochs"] for ledger in run.ledgers))]
        self.assertEqual(run.rows("SELECT read_bytes FROM epoch_bytes ORDER BY number"), [(size,) for size in booked])
        told = json.loads(self.call([FLOWGAUGE, "report", "--format", "json", run.path]).stdout)["epochs"]
        by = [epoch["fetched_bytes"] for epoch in told]
        self.assertEqual([fetched for fetched, in run.rows("SELECT fetched_bytes FROM epoch_bytes ORDER BY number")], by)
        # What comes between two readings is spread evenly between them, so that a border in between shares it out.
        self.assertGreater(by[0], 0.5 * booked[0])
        self.assertLess(by[1], 0.25 * by[0])
        self.assertEqual(by[2], 0)
        border, = run.row("SELECT min(begin_ns) FROM epoch_rank WHERE number = 2")
        readings = run.rows("SELECT value FROM nfs_counter WHERE counter = 'nfs_fetched_bytes' AND source = ? AND at_ns >= ?",
                            str(PLACES["4.2"]), border)
        self.assertEqual(len(set(readings)), 1, "nothing is fetched once the cold epoch is over")

    def test_read_in_every_version(self):
        run = self.shell_job("for place in $@; do cat $place/file >/dev/null; done", *PLACES.values())
        for version, place in PLACES.items():
            with self.subTest(version=version):
                self.assert_fetched(run, place, version, SIZE)
                self.assertEqual(growth(run, "nfs_asked_bytes", place, "nfs"), SIZE)

    def test_mapped_in_every_version_nothing_is_asked_and_all_is_fetched(self):
        run = self.shell_job(f'for place in $@; do python3 -c "{MAPPED}" $place/file; done', *PLACES.values())
        for version, place in PLACES.items():
            with self.subTest(version=version):
                self.assert_fetched(run, place, version, SIZE)
                self.assertEqual(growth(run, "nfs_asked_bytes", place, "nfs"), 0)

    def test_past_the_cache_every_pass_is_fetched_and_the_kernel_counts_what_was_requested(self):
        run = self.shell_job("for place in $@ $@; do dd if=$place/file of=/dev/null bs=1M iflag=direct status=none; done", *PLACES.values())
        requests = SIZE // MIB + 2  # one more for the rest and one that finds the end
        for version, place in PLACES.items():
            with self.subTest(version=version):
                self.assert_fetched(run, place, version, SIZE, SIZE)
                self.assertEqual(growth(run, "nfs_direct_bytes", place, "nfs"), 2 * requests * MIB)
                self.assertEqual(growth(run, "nfs_asked_bytes", place, "nfs"), 0)

    def test_a_kernel_that_reads_by_read_plus_is_counted_as_one_that_does_not(self):
        """On 4.2 it takes the place of READ where the kernel was built with it: Debian's 6.12 is, its 6.1 is not."""
        config, = (BUILD / "lab-kernel" / "boot").glob("config-*")
        plus = "CONFIG_NFS_V4_2_READ_PLUS=y" in config.read_text()
        place = PLACES["4.2"]
        run = self.shell_job("cat $1/file >/dev/null; cat /proc/self/mountstats", place)
        record = run.stdout.partition(f" mounted on {place} ")[2].partition("\n\n")[0]
        done = {name: int(count) for name, count in re.findall(r"^[\t ]+(READ|READ_PLUS): (\d+)", record, re.M)}
        self.assertEqual((done["READ_PLUS"] > 0, done["READ"] > 0), (plus, not plus))
        ours = run.value("SELECT max(value) FROM nfs_counter WHERE source = ? AND counter = 'nfs_read_ops'", str(place))
        self.assertEqual(ours, done["READ"] + done["READ_PLUS"])
        print(f"{config.name}: READ_PLUS is {'on' if plus else 'off'}; {done}", flush=True)

    def test_twenty_mounts_more_are_sampled_one_by_one(self):
        places = [self.mount(pathlib.Path(f"/mnt/more{number}"), "3", "proto=tcp", "port=2049", "nosharecache") for number in range(20)]
        run = self.profile("/bin/sleep", "2")
        sampled = {source for source, in run.rows("SELECT DISTINCT source FROM nfs_counter WHERE counter = 'nfs_age_s'")}
        self.assertEqual(sampled, {str(place) for place in (*places, *PLACES.values())})
        passes = sorted(value for value, in run.rows("SELECT value FROM sampler_counter WHERE counter = 'sample_pass_ns'"))
        print(f"a pass over {len(sampled)} mounts and all else, on a processor that is translated: median {passes[len(passes) // 2] / 1e6:.2f} ms",
              flush=True)

    def test_two_mounts_of_a_superblock_count_once(self):
        again = self.mount(pathlib.Path("/mnt/again"), "4.2")
        run = self.shell_job("cat $@ >/dev/null", PLACES["4.2"] / "file", again / "file")
        self.assert_fetched(run, PLACES["4.2"], "4.2", SIZE)
        self.assertEqual(growth(run, "nfs_asked_bytes", PLACES["4.2"], "nfs"), 2 * SIZE)
        self.assertEqual({source for source, in run.rows("SELECT DISTINCT source FROM nfs_counter WHERE counter = 'nfs_fetched_bytes'")},
                         {str(place) for place in PLACES.values()})

    def test_what_changes_on_the_server_is_fetched_again(self):
        change = self.on_server(f"printf x | dd of={EXPORT}/file conv=notrunc status=none")
        for version in ("3", "4.2"):
            with self.subTest(version=version):
                file = PLACES[version] / "file"
                run = self.shell_job(f"cat $1 $1 >/dev/null; {change}; cat $1 >/dev/null", file)
                self.assert_fetched(run, PLACES[version], version, SIZE, SIZE)
                self.assertEqual(growth(run, "nfs_invalidations", PLACES[version], "nfs"), 1)
                self.assertEqual(growth(run, "nfs_asked_bytes", PLACES[version], "nfs"), 3 * SIZE)

    def test_sampling_goes_on_while_the_server_is_gone_and_reads_go_on_when_it_is_back(self):
        stop, start = self.on_server("rpc.nfsd 0"), self.on_server("rpc.nfsd 2")
        file = PLACES["3"] / "file"
        run = self.shell_job(f"head -c 1 $1 >/dev/null; {stop}; (sleep {OUTAGE_S}; {start}) & cat $1 >/dev/null; wait", file)
        self.assert_fetched(run, PLACES["3"], "3", SIZE)
        self.assertEqual(run.value("SELECT sum(bytes) FROM file_read WHERE file = ?", str(file)), SIZE + 1)
        calls = [call for kind in ("file_open", "file_read")
                 for call in run.rows(f"SELECT begin_ns, end_ns FROM {kind} WHERE file = ?", str(file))]
        stuck = max(calls, key=lambda call: call[1] - call[0])
        stuck_s = (stuck[1] - stuck[0]) / 1e9
        samples = run.value("SELECT count(DISTINCT at_ns) FROM sampler_counter WHERE at_ns BETWEEN ? AND ?", *stuck)
        self.assertGreater(stuck_s, 1, "the reader takes a while to start")
        self.assertGreater(samples, stuck_s, "of about ten a second")
        server = f"{self.server.address} v3 tcp"
        self.assertGreaterEqual(growth(run, "nfs_connects", server, "nfs_transport"), 1)
        self.assert_outage_is_a_finding(run, server, stuck)

    def assert_outage_is_a_finding(self, run, server, stuck):
        """It covers the call that waited, up to a reading or two, and ends with it."""
        report = json.loads(self.call([FLOWGAUGE, "report", "--format", "json", run.path]).stdout)
        finding, = (finding for finding in report["findings"] if finding["diagnosis"] == "storage_outage")
        print(finding["text"], *finding["details"], sep="\n", flush=True)
        when = finding["evidence"][0]
        self.assertGreater(min(when["end_ns"], stuck[1]) - max(when["begin_ns"], stuck[0]), 0.8 * (stuck[1] - stuck[0]))
        self.assertTrue(any(detail.startswith(f"{server} did not answer node at ") for detail in finding["details"]), finding["details"])
        self.assertFalse([told for told in report["storage"]["told"] if "did not answer" in told], "told once")

    def nfsiostat(self, place):
        """A finished run that read the file at a mount, and nfsiostat's figures of it in its words; ops/s of the heading is "sends/s"."""
        run = self.shell_job("cat $1/file >/dev/null; nfsiostat $1", place)
        numbers = [line.replace("(", " ").split() for line in run.stdout.splitlines() if re.match(r"^ +[0-9]", line)]
        words = ("ops/s", "kB/s", "kB/op", "retrans", "retrans %", "RTT", "exe", "queue", "errors")
        return run, dict(zip(words, numbers[1])) | {"sends/s": numbers[0][0]}

    def test_nfsiostat_has_the_same_retransmissions_and_times_and_other_bytes(self):
        place = PLACES["4.1"]
        run, told = self.nfsiostat(place)
        total = {name: run.value("SELECT max(value) FROM nfs_counter WHERE source = ? AND counter = ?", str(place), f"nfs_read_{name}")
                 for name in ("ops", "retrans", "errors", "rtt_ms", "execute_ms", "queue_ms", "received_bytes")}
        self.assertEqual((told["retrans"], told["errors"]), (str(total["retrans"]), str(total["errors"])))
        for name, column in (("RTT", "rtt_ms"), ("exe", "execute_ms"), ("queue", "queue_ms")):
            self.assertEqual(told[name], f"{total[column] / total['ops']:.3f}", name)
        payload = run.value("SELECT max(value) FROM nfs_counter WHERE source = ? AND counter = 'nfs_fetched_bytes'", str(place))
        said = float(told["kB/op"]) * 1024 * total["ops"]
        self.assertGreater(said, total["received_bytes"], "replies with their headers, and the requests")
        self.assertGreater(total["received_bytes"], payload)
        self.say_where_it_is_wrong("kB/s and kB/op", f"{said:.0f} bytes, requests and headers among them", f"{payload} bytes of payload")

    def test_nfsiostat_tells_of_the_last_of_several_connections_alone(self):
        address = "10.99.1.3"  # under another address the server is another one, which is not connected with yet
        self.server.do(f"ip address add {address}/24 dev to-node")
        place = self.mount(pathlib.Path("/mnt/many"), "3", "proto=tcp", "port=2049", "nconnect=4", address=address)
        run, told = self.nfsiostat(place)
        total = {name: run.value("SELECT max(value) FROM nfs_transport_counter WHERE source = ? AND counter = ?",
                                 f"{address} v3 tcp", f"nfs_{name}") for name in ("connections", "sends")}
        self.assertEqual(total["connections"], 4)
        reads = run.value("SELECT max(value) FROM nfs_counter WHERE source = ? AND counter = 'nfs_read_ops'", str(place))
        self.assertGreater(total["sends"], reads)
        self.assertLess(float(told["sends/s"]), float(told["ops/s"]), "fewer requests than READs among them")
        theirs, ours = f"{told['sends/s']} requests, among them {told['ops/s']} READs a second", f"{total['sends']}, among them {reads}"
        self.say_where_it_is_wrong("ops/s with nconnect=4", theirs, ours)

    @staticmethod
    def say_where_it_is_wrong(what, theirs, ours):
        print(f"nfsiostat, {what}: {theirs}; Flowgauge: {ours}", flush=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
