# SPDX-License-Identifier: MIT
"""Servers that are asked beside a job: their numbers are in the run, their passwords are nowhere, and none of them can disturb it."""
import json
import os
import pathlib
import resource
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from harness import FLOWGAUGE, SOURCE, RunTestCase, find_program
from training import make_dataset

FAKES = SOURCE / "tests" / "fakes"
PATIENCE_S = 120
PASSWORDS = {"onefs": "correct horse battery", "ufm": "fabric of lies"}

# Waits until a stand-in was asked often enough, and writes down what a stranger could see of the launcher and what it inherited itself.
JOB = """
import glob, json, os, ssl, sys, time, urllib.request
seen, base, path, times = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
until = time.monotonic() + 120
while time.monotonic() < until:
    with urllib.request.urlopen(base + "/stand-in", context=ssl._create_unverified_context()) as answer:
        if json.load(answer)["counts"].get(path, 0) >= times: break
    time.sleep(0.1)
else: sys.exit("the server was not asked")
with open(seen, "wb") as out:
    # A core file is named after the name and the program of who left it.
    names = glob.glob("/proc/[0-9]*/task/*/comm") + glob.glob("/proc/[0-9]*/cmdline")
    for link in glob.glob("/proc/[0-9]*/exe"):
        try: out.write(os.readlink(link).encode() + b"\\n")
        except OSError: pass
    for file in names + [f"/proc/{os.getppid()}/environ", "/proc/self/environ"]:
        try: out.write(open(file, "rb").read() + b"\\n")
        except OSError: pass
"""


def is_running(pid):
    """False for a process that ended, though nobody has asked for its status yet."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class StandIn:
    """A stand-in server, for the time of one test."""

    def __init__(self, test, kind, tls=True, **switches):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=test.folder))
        self.certificate = self.folder / "certificate.pem"
        self._process = subprocess.Popen([sys.executable, "-B", FAKES / kind / f"{kind}_stand_in.py", self.folder if tls else "", json.dumps(switches)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.close)
        self.port = int(self._process.stdout.readline())
        self.base = f"{'https' if tls else 'http'}://localhost:{self.port}"

    def counts(self):
        with urllib.request.urlopen(f"{self.base}/stand-in", context=ssl._create_unverified_context()) as answer:
            return json.load(answer)["counts"]

    def close(self):
        self._process.communicate()


class RemoteTestCase(RunTestCase):
    def password_file(self, kind, mode=0o600):
        file = self.folder / f"{kind}.password"
        file.write_text(PASSWORDS[kind] + "\n")
        file.chmod(mode)
        return file

    def job(self, server, path, times=2):
        """Lives until the server was asked so often: what it answered before is with the recorder then."""
        return ["/usr/bin/python3", "-c", JOB, self.folder / "seen", server.base, path, times]

    def assert_nowhere(self, secret, run):
        """Not in the run, not in what the job and its neighbours could see."""
        files = [file for file in [self.folder / "seen", *run.path.rglob("*")] if file.is_file()]
        self.assertIn(run.path / "run.db", files)
        for file in files:
            self.assertNotIn(secret.encode(), file.read_bytes(), file)


class Storage(RemoteTestCase):
    def test_what_a_cluster_tells_is_in_the_run_and_its_password_is_not(self):
        server = StandIn(self, "onefs")
        asked = "/platform/1/statistics/current"
        # A round asks twice, for the cluster and for its nodes: with the fifth question two rounds of answers are with the recorder.
        run = self.profile(*self.job(server, asked, 5), env={"FLOWGAUGE_STORAGE_PASSWORD": PASSWORDS["onefs"]},
                           options=("--sample=0", "--poll=5", f"--storage=onefs://monitor@localhost:{server.port}", f"--ca={server.certificate}"))
        place = f"STAND-IN localhost:{server.port}"
        self.assertEqual(run.rows("SELECT DISTINCT source, value, unit FROM storage_counter WHERE counter = 'storage_disk_read_rate'"),
                         [(place, 750_000_000, "bytes/s")])
        self.assertEqual(run.rows("SELECT DISTINCT source FROM storage_counter WHERE counter = 'storage_l2_hits' ORDER BY 1"),
                         [(f"{place}/node 1",), (f"{place}/node 2",)])
        rows = run.rows("SELECT at_ns, value FROM storage_counter WHERE counter = 'storage_l1_reads' AND source LIKE '%node 1' ORDER BY at_ns")
        self.assertGreaterEqual(len(rows), 2)
        self.assertEqual(rows, sorted(rows, key=lambda row: row[1]))
        told = run.rows("SELECT state, reason FROM ledger WHERE what LIKE 'storage onefs://%'")
        self.assertTrue(any("stand-in" in reason for _, reason in told), told)
        self.assertEqual(run.drops(), 0)
        self.assert_nowhere(PASSWORDS["onefs"], run)
        self.assertEqual(server.counts()["/session/1/session"], 1)

    def test_the_report_has_what_the_cluster_told_as_the_fourth_layer_of_each_epochs_bytes(self):
        server = StandIn(self, "onefs")
        set_of_data = make_dataset(self.folder / "set")
        asked = "/platform/1/statistics/current"
        script = 'train_sim=$1; data=$2; shift 2; "$train_sim" "$data" --epochs 2 --compute-ms 1 --batch 8; exec "$@"'
        run = self.profile("/bin/sh", "-ec", script, "sh", find_program("train_sim"), set_of_data, *self.job(server, asked),
                           env={"FLOWGAUGE_STORAGE_PASSWORD": PASSWORDS["onefs"]},
                           options=("--sample=0", "--poll=5", f"--storage=onefs://monitor@localhost:{server.port}", f"--ca={server.certificate}"))
        servers = json.loads(self.call([FLOWGAUGE, "report", "--format=json", run.path]).stdout)["storage"]["servers"]
        self.assertEqual([(row["server"], row["epoch"]) for row in servers], [(f"STAND-IN localhost:{server.port}", epoch) for epoch in (0, 1, 2)])
        for row in servers:
            told = tuple(round(row[f"{layer}_bytes_per_second"]) for layer in ("served", "disk", "network"))
            self.assertEqual(told, (2_000_000_000, 750_000_000, 2_050_000_000))
        text = self.call([FLOWGAUGE, "report", run.path]).stdout
        self.assertRegex(text, r"STAND-IN localhost:\d+ +all +2\.00 GB/s +750 MB/s +2\.05 GB/s")

    def test_servers_that_cannot_be_reached_or_trusted_cost_the_job_nothing(self):
        server = StandIn(self, "onefs", slow=1000, slow_s=3600)
        untrusted = StandIn(self, "onefs")
        for storage, options in ((f"onefs://monitor@localhost:{server.port}", [f"--ca={server.certificate}"]),
                                 (f"onefs://monitor@localhost:{untrusted.port}", []), ("onefs://monitor@localhost:1", [])):
            with self.subTest(storage=storage):
                run = self.profile("/bin/sleep", "1", options=(f"--storage={storage}", f"--storage-password={self.password_file('onefs')}", *options))
                self.assertEqual(run.value("SELECT count(*) FROM storage_counter"), 0)
                states = {state for state, in run.rows("SELECT state FROM ledger WHERE what LIKE 'storage onefs://%'")}
                self.assertEqual(states, {"absent"})


class Fabric(RemoteTestCase):
    def test_telemetry_of_a_fabric_is_in_the_run(self):
        server = StandIn(self, "ufm", tls=False)
        run = self.profile(*self.job(server, "/csv/metrics"), options=("--sample=0", "--poll=5", f"--fabric=ufm://localhost:{server.port}"))
        self.assertEqual(run.rows("SELECT source, counter, min(value) FROM fabric_counter WHERE counter LIKE 'fabric_tx%' GROUP BY 1, 2 ORDER BY 2"),
                         [(f"STAND-IN localhost:{server.port}/0200000000000202/1", counter, value)
                          for counter, value in (("fabric_tx_packets", 1_000_000), ("fabric_tx_words", 4_158_000_000))])

    def test_rest_of_a_fabric_manager_is_in_the_run_and_its_password_is_not(self):
        server = StandIn(self, "ufm")
        run = self.profile(*self.job(server, "/ufmRestV3/monitoring/snapshot"), env={"FLOWGAUGE_FABRIC_PASSWORD_FILE": str(self.password_file("ufm"))},
                           options=("--sample=0", "--poll=5", f"--fabric=ufm://admin@localhost:{server.port}/ufmRestV3", f"--ca={server.certificate}"))
        self.assertEqual(run.rows("SELECT source, min(value) FROM fabric_counter WHERE counter = 'fabric_tx_bytes' GROUP BY 1"),
                         [(f"STAND-IN localhost:{server.port}/node-a HCA-1/1", 4_158_000_000)])
        self.assert_nowhere(PASSWORDS["ufm"], run)


class Watch(RemoteTestCase):
    def test_a_watch_records_the_machine_and_a_server_without_a_job(self):
        server = StandIn(self, "ufm", tls=False)
        path = self.folder / "watched"
        watch = subprocess.Popen([FLOWGAUGE, "watch", "-o", path, "--poll=5", f"--fabric=ufm://localhost:{server.port}/metrics"],
                                 env=self.environment(), stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + PATIENCE_S
        while server.counts().get("/metrics", 0) < 2 and time.monotonic() < until:  # what the first one told is in the run by then
            time.sleep(0.1)
        watch.send_signal(signal.SIGINT)
        _, said = watch.communicate(timeout=PATIENCE_S)
        self.assertEqual(watch.returncode, 0, said)
        run = self.open(path, subprocess.CompletedProcess([], 0, "", said))
        self.assertGreater(run.value("SELECT count(*) FROM cpu_counter"), 0)
        self.assertGreater(run.value("SELECT count(*) FROM fabric_counter WHERE counter = 'fabric_tx_words'"), 0)
        self.assertIn(f"flowgauge query {path}", said)
        self.assertIn(f"flowgauge-gui {path}", said)
        self.assertEqual(self.call([FLOWGAUGE, "watch", "-o", path, "--sample=0"]).returncode, 2)

        told = json.loads(self.call([FLOWGAUGE, "report", "--format=json", path]).stdout)
        self.assertEqual(told["verdict"], "No job was recorded: this is what the counters that were watched did.")
        rows = {(row["family"], row["counter"]): row for row in told["watched"]}
        memory = rows["memory", "memory_total_kib"]
        total, = run.row("SELECT DISTINCT value FROM memory_counter WHERE counter = 'memory_total_kib'")
        self.assertEqual((memory["least"], memory["mean"], memory["most"]), (total, total, total))
        self.assertIn(("cpu", "cpu_user_ticks"), rows)
        self.assertNotIn("process", {family for family, _ in rows}, "what the watch itself costs is not watched")
        self.assertIn("memory_total_kib", self.call([FLOWGAUGE, "report", path]).stdout)


    def test_what_asks_a_server_crashes_and_no_name_that_it_leaves_tells_the_password(self):
        server = StandIn(self, "onefs")
        place = self.folder / "crash"
        place.mkdir()
        watch = subprocess.Popen([FLOWGAUGE, "watch", "-o", place / "run", "--sample=0", "--poll=5", f"--storage=onefs://monitor@localhost:{server.port}",
                                  f"--ca={server.certificate}"], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env=self.environment({"FLOWGAUGE_STORAGE_PASSWORD": PASSWORDS["onefs"]}),
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
        self.addCleanup(watch.kill)
        until = time.monotonic() + PATIENCE_S
        while server.counts().get("/platform/1/statistics/current", 0) < 1 and time.monotonic() < until:
            time.sleep(0.1)
        process = pathlib.Path("/proc") / str(watch.pid)
        waiting = (process / "task" / str(watch.pid) / "children").read_text().split()
        # %e and %f of core_pattern, wherever cores go on this machine; %E is the program's path.
        names = [(process / "comm").read_text(), os.readlink(process / "exe"), *((task / "comm").read_text() for task in (process / "task").iterdir())]
        watch.send_signal(signal.SIGSEGV)
        self.assertEqual(watch.wait(timeout=PATIENCE_S), -signal.SIGSEGV)
        cores = [file for file in place.iterdir() if file.is_file()]
        pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
        print(f"core_pattern {pattern!r} left {[core.name for core in cores]}", flush=True)
        if pattern and "/" not in pattern and not pattern.startswith("|"):
            self.assertEqual(len(cores), 1)
            self.assertEqual(cores[0].read_bytes()[:4], b"\x7fELF")
        for name in [*names, *(str(file) for file in place.rglob("*"))]:
            for word in PASSWORDS["onefs"].split():
                self.assertNotIn(word, name)
        self.assertEqual(len(waiting), 1)
        while is_running(waiting[0]) and time.monotonic() < until:
            time.sleep(0.1)
        self.assertFalse(is_running(waiting[0]), "what the watch started to wait outlives it")


class Refusals(RemoteTestCase):
    def test_a_command_line_that_no_server_could_fulfil_is_refused_before_the_job(self):
        open_file = self.password_file("onefs", 0o644)
        for options, said in ((["--storage=onefs://monitor:hunter2@isilon"], "read by everybody"),
                              (["--storage=onefs://monitor@isilon"], "expected a password"),
                              (["--storage=onefs://monitor@isilon", f"--storage-password={open_file}"], "chmod 600"),
                              (["--storage=isilon"], "expected onefs://"),
                              (["--fabric=ufm://admin@ufm1/ufmRestV9"], "expected"),
                              (["--fabric=ufm://ufm1", "--ca=/nowhere"], "expected a file")):
            with self.subTest(options=options):
                refused = self.call([FLOWGAUGE, "run", "-o", self.folder / "none", *options, "--", "/bin/true"])
                self.assertEqual(refused.returncode, 2)
                self.assertIn(said, refused.stderr)
                self.assertNotIn("hunter2", refused.stderr)
                self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
