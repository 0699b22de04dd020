# SPDX-License-Identifier: MIT
"""One training job on two hosts joined by a wire, with its data on a third: every byte of both wires has its reason, both hosts' recordings
become one run, and a clock that is set wrong is found out. Skips, and says why, where namespaces or FUSE are not to be had."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import two_hosts
from harness import BUILD, FLOWGAUGE, RunTestCase, find_mpirun, find_program
from training import make_dataset

WIRE_FS, CLOCK_SHIFT = BUILD / "bin" / "wire_fs", BUILD / "lib" / "clock_shift.so"
PORT, PATIENCE_S = 7511, 120
SHIFT_NS, BOOTED_S = 7_000_000, 3_000
OFFSETS = ("SELECT received + raw_to_run_ns - begin_ns, answered + raw_to_run_ns - end_ns FROM clock_exchange"
           " JOIN host ON host.name = clock_exchange.reference ORDER BY begin_ns")


def why_not():
    if find_mpirun("openmpi") is None:
        return "needs Open MPI: its launch agent can be replaced"
    if not WIRE_FS.exists() or not os.path.exists("/dev/fuse") or shutil.which("fusermount3") is None:
        return "needs FUSE 3 to read files over the wire"
    return two_hosts.why_not()


@unittest.skipIf(why_not() is not None, why_not())
class TwoHosts(RunTestCase):
    TRAINER = ("train_sim", "--batch", 8, "--compute-ms", 4, "--scale", "0.02")

    def setUp(self):
        super().setUp()
        hosts_file = self.folder / "hosts"
        hosts_file.write_text("127.0.0.1 localhost\n10.99.0.1 node-a\n10.99.0.2 node-b\n")
        self.a, self.b, self.store = (two_hosts.Host(name, self.folder / f"tmp-{name}", hosts_file, booted)
                                      for name, booted in (("node-a", 0), ("node-b", BOOTED_S), ("store", 0)))
        for host in (self.a, self.b, self.store):
            self.addCleanup(host.close)
        two_hosts.join(self.a, "peer", self.b, "peer", "10.99.0")
        two_hosts.join(self.a, "data", self.store, "to-a", "10.99.1")
        two_hosts.join(self.b, "data", self.store, "to-b", "10.99.2")
        self.data = make_dataset(self.folder / "set", samples=256, mean_bytes=20000)
        self.mount = self.folder / "data"
        self.mount.mkdir()
        self.run_folder = self.folder / "run"
        self.serve()

    def serve(self):
        server = self.start(self.store.command(WIRE_FS, "serve", self.data, PORT), stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.assertEqual(server.stdout.readline(), "serving\n")
        for host, end in ((self.a, "to-a"), (self.b, "to-b")):
            self.start(host.command(WIRE_FS, "mount", self.data, self.mount, self.store.addresses[end], PORT))
            until = time.monotonic() + PATIENCE_S
            while host.do("ls", self.mount) == "":
                self.assertLess(time.monotonic(), until, "wire_fs does not serve")
                time.sleep(0.02)

    def start(self, command, **options):
        process = subprocess.Popen(list(map(str, command)), **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def job(self, *options):
        """`flowgauge run` on node-a of the trainer's two ranks, the second on node-b."""
        words = [find_program(self.TRAINER[0]), self.mount, *self.TRAINER[1:], "--log-every", 1, *options, "--ledger", f"{self.folder}/ledger-%r.json"]
        shifted = [f"LD_PRELOAD={CLOCK_SHIFT}", "CLOCK_SHIFT_HOST=node-b", f"CLOCK_SHIFT_NS={SHIFT_NS}"]
        return two_hosts.job_on(self.a, self.b, self.folder / "agent", "peer", self.run_folder, words, shifted)

    def test_every_byte_of_both_wires_has_its_reason_and_the_clocks_are_brought_together(self):
        ends = [(host, end) for host in (self.a, self.b) for end in ("peer", "data")]
        before = {(host.name, end): host.counters(end) for host, end in ends}
        job = self.call(self.job("--epochs", 2))
        self.assertEqual(job.returncode, 0, job.stderr)
        moved = {(host.name, end): tuple(now - then for now, then in zip(host.counters(end), before[host.name, end])) for host, end in ends}
        run = self.open(self.run_folder, job)
        ledgers = [json.loads((self.folder / f"ledger-{rank}.json").read_text()) for rank in (0, 1)]
        self.assert_one_run(run, ledgers)
        self.assert_explained(run, moved)
        self.assert_attributed(moved)
        self.assert_connections(run, moved)
        self.assert_offset_recovered(run)

    def assert_one_run(self, run, ledgers):
        self.assertEqual(run.drops(), 0)
        self.assertEqual(run.rows("SELECT rank, host.name, ended FROM process JOIN host ON host.id = host_id WHERE rank IS NOT NULL ORDER BY rank"),
                         [(0, "node-a", "normally"), (1, "node-b", "normally")])
        self.assertEqual(run.rows("SELECT DISTINCT host FROM memory_counter ORDER BY host"), [("node-a",), ("node-b",)], "one sampler a host")
        for rank, ledger in enumerate(ledgers):
            self.assertEqual(run.row(f"SELECT count(*), sum(bytes) FROM file_read WHERE rank = {rank}"), (ledger["reads"], ledger["read_bytes"]))

    def assert_explained(self, run, moved):
        """Two ranks reduce S bytes by sending S each way, a broadcast goes one way; what is read comes in over the other wire."""
        for rank, host in enumerate(("node-a", "node-b")):
            reduced = run.value(f"SELECT sum(bytes) FROM allreduce WHERE rank = {rank}")
            given, taken = (run.value(f"SELECT coalesce(sum(bytes), 0) FROM broadcast WHERE rank = 0 AND root {sign} {rank}") for sign in ("=", "<>"))
            read = run.value(f"SELECT sum(bytes) FROM file_read WHERE rank = {rank} AND file GLOB '{self.mount}/*'")
            for what, told, counted in (("sent to the peer", reduced + given, moved[host, "peer"][1]),
                                        ("received from the peer", reduced + taken, moved[host, "peer"][0]),
                                        ("received from the store", read, moved[host, "data"][0])):
                with self.subTest(host=host, what=what):
                    print(f"{host}: {what}: {counted} bytes on the wire, {told} explained ({told / counted * 100:.2f} %)")
                    self.assertLess(abs(counted - told), 0.05 * counted)
            for end in ("peer", "data"):
                sampled = run.value("SELECT max(value) - min(value) FROM nic_counter"
                                    f" WHERE host = '{host}' AND source = '{end}' AND counter = 'nic_rx_bytes'")
                with self.subTest(host=host, sampled=end):
                    self.assertLess(abs(sampled - moved[host, end][0]), 0.05 * moved[host, end][0])

    def assert_attributed(self, moved):
        """The report finds out by itself which port carries what: gradients go both ways, and files that no client counts come in only."""
        told = self.call(self.a.command(FLOWGAUGE, "report", "--format", "json", self.run_folder))
        self.assertEqual(told.returncode, 0, told.stderr)
        network = json.loads(told.stdout)["network"]
        ports = {(port["host"], port["port"]): port for port in network["ports"]}
        self.assertEqual(set(ports), set(moved))
        for (host, end), counted in moved.items():
            for way, bytes_moved in zip(("received", "sent"), counted):
                carried = ports[host, end][way]
                with self.subTest(host=host, end=end, way=way):
                    parts = sum(carried[f"{part}_bytes"] for part in ("gradient", "storage", "header", "other_tcp", "unexplained"))
                    self.assertAlmostEqual(parts, carried["moved_bytes"], delta=1)
                    if end == "peer":
                        print(f"{host}: {way} at the peer's port: {carried['unexplained_bytes'] / carried['moved_bytes'] * 100:.2f} % unexplained")
                        self.assertLess(abs(carried["unexplained_bytes"]), 0.1 * bytes_moved)
                    else:
                        self.assertEqual((carried["gradient_bytes"], carried["storage_bytes"]), (0, 0), "no client of that file system counts")
        self.assertEqual(sum("nothing tells the algorithm" in check for check in network["checks"]), 2, network["checks"])
        self.assertEqual(sum("storage was not counted" in check for check in network["checks"]), 2, network["checks"])

    def assert_connections(self, run, moved):
        """Open MPI's sockets moved all that its collectives are made of, and less than 5 % beside it: its own headers and its daemons' talk."""
        told = json.loads(self.call(self.a.command(FLOWGAUGE, "report", "--format", "json", self.run_folder)).stdout)["network"]["connections"]
        for rank, (host, peer) in enumerate((("node-a", "node-b"), ("node-b", "node-a"))):
            row, = (row for row in told if (row["host"], row["peer"]) == (host, peer))
            self.assertEqual(row["where"], "other host")
            reduced = run.value(f"SELECT sum(bytes) FROM allreduce WHERE rank = {rank}")
            given, taken = (run.value(f"SELECT coalesce(sum(bytes), 0) FROM broadcast WHERE rank = 0 AND root {sign} {rank}") for sign in ("=", "<>"))
            for what, payload, on_wire in (("sent", reduced + given, moved[host, "peer"][1]), ("received", reduced + taken, moved[host, "peer"][0])):
                counted = row[f"{what}_bytes"]
                with self.subTest(host=host, what=what):
                    print(f"{host}: {what} by its connections: {counted:.0f} bytes, {payload} of them collectives ({payload / counted * 100:.2f} %)")
                    self.assertLessEqual(payload, counted)
                    self.assertLess(counted, 1.05 * payload)
                    self.assertLess(counted, on_wire)

    def assert_offset_recovered(self, run):
        """Both hosts are one kernel, so what is true is known: node-b's clock since boot is that much ahead and its time of day 7 ms late."""
        lines = dict(run.rows("SELECT name, raw_to_run_ns FROM host"))
        truth = lines["node-a"] - lines["node-b"] - (BOOTED_S * 1_000_000_000 if self.b.own_clock else 0)
        self.assertLess(abs(truth + SHIFT_NS), SHIFT_NS / 10)
        bounds = run.rows(OFFSETS)
        self.assertIn(len(bounds), (1, 2), "at MPI_Init and, where an answer came in time, at MPI_Finalize")
        for upper, lower in bounds:
            print(f"node-b to node-a: {(upper + lower) / 2e6:+.4f} ms, bound {(upper - lower) / 2e3:.1f} us; truth {truth / 1e6:+.4f} ms")
            self.assertLessEqual(lower, truth)
            self.assertGreaterEqual(upper, truth)
            self.assertLess((upper - lower) / 2, SHIFT_NS, "the skew is known to be there")

    def test_a_rank_that_is_killed_on_the_other_host_is_named(self):
        job = self.start(self.job("--epochs", 100_000), env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stderr.close)
        while "Epoch" not in (line := job.stdout.readline()):
            self.assertNotEqual(line, "", "the trainer never began")
        os.kill(self.pid_of_rank(1), signal.SIGKILL)
        _, said = job.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("host node-b keeps its own recording: run `flowgauge collect", said)
        report = self.call(self.a.command(FLOWGAUGE, "report", self.run_folder))
        self.assertEqual(report.returncode, 2)
        self.assertIn("spools of host node-b are not here yet", report.stderr)
        collected = self.call(self.b.command(FLOWGAUGE, "collect", self.run_folder))
        self.assertEqual(collected.returncode, 0, collected.stderr)
        report = self.call(self.a.command(FLOWGAUGE, "report", self.run_folder))
        self.assertEqual(report.returncode, 0, report.stderr)
        run = self.open(self.run_folder, report)
        self.assertEqual(run.value("SELECT ended FROM process WHERE rank = 1"), "without goodbye")
        self.assertRegex(" ".join(report.stdout.split()), r"ranks? (0, )?1 of 2 (is|are) recorded up to a crash or kill only")

    def pid_of_rank(self, rank):
        wanted = (f"OMPI_COMM_WORLD_RANK={rank}".encode(), f"FLOWGAUGE_RUN={self.run_folder}".encode())
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "comm").read_text() == f"{self.TRAINER[0]}\n" and set(wanted) <= set((folder / "environ").read_bytes().split(b"\0")):
                    return int(folder.name)
            except OSError:
                continue
        raise AssertionError(f"rank {rank} is not running")


if __name__ == "__main__":
    unittest.main()
