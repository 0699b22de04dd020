# SPDX-License-Identifier: MIT
"""The machine's counters arrive, agree with what a program did, and go on when the process that read them is killed; and a run
without the launcher: LD_PRELOAD and FLOWGAUGE_RUN alone."""
import fcntl
import json
import os
import shlex
import signal
import struct
import subprocess
import time
import unittest

import two_hosts
from harness import BUILD, FLOWGAUGE, RunTestCase, find_program

LIBRARY = BUILD / "lib" / "libflowgauge.so"
MIB = 1 << 20
SLOT = struct.Struct("<8q")
PATIENCE_S = 60

# Reads one byte, lets a few samples pass, reads the rest of 64 MiB, lets a few samples pass.
READER = f"""
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY)
os.read(fd, 1)
time.sleep(0.5)
for _ in range(64): os.read(fd, {MIB})
time.sleep(0.5)
"""


class Counters(RunTestCase):
    def test_every_family_of_this_machine_is_sampled_and_agrees_with_the_program(self):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(64 * MIB + 1))
        run = self.profile("/usr/bin/python3", "-c", READER, data, options=("--sample=20",))
        families = {row[0] for row in run.rows("SELECT DISTINCT k.family FROM track t JOIN counter_kind k ON k.counter = t.counter WHERE t.events > 0")}
        self.assertLessEqual({"memory", "cpu", "nic", "process", "sampler"}, families)
        absent = {row[0] for row in run.rows("SELECT DISTINCT what FROM ledger WHERE state = 'absent'")}
        for family in ("disk", "nfs", "ib"):
            self.assertTrue(family in families or any(family in what for what in absent), f"{family} is neither sampled nor told: {absent}")

        grown, = run.row("SELECT max(value) - min(value) FROM process_counter c JOIN process p ON p.id = c.process_id "
                         "WHERE c.counter = 'process_read_chars' AND p.program LIKE 'python3%'")
        self.assertGreaterEqual(grown, 64 * MIB)
        self.assertLess(grown, 66 * MIB)
        self.assertEqual(run.value("SELECT sum(bytes) FROM file_read"), 64 * MIB + 1)

        with open("/proc/meminfo", encoding="ascii") as file:
            total = int(file.readline().split()[1]) * 1024
        self.assertEqual(run.rows("SELECT DISTINCT value FROM memory_counter WHERE counter = 'memory_total_kib'"), [(total,)])
        falling = run.value("SELECT count(*) FROM (SELECT value, lag(value) OVER (PARTITION BY source, counter ORDER BY at_ns) AS before "
                            "FROM cpu_counter WHERE counter IN ('cpu_user_ticks', 'cpu_system_ticks')) WHERE value < before")
        self.assertEqual(falling, 0)


    def test_the_last_reading_of_a_process_is_taken_as_it_ends(self):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(32 * MIB))
        for end in ("pass", "os._exit(0)"):
            with self.subTest(end=end):
                script = f"import os\nfd = os.open({str(data)!r}, os.O_RDONLY)\nfor _ in range(32): os.read(fd, {MIB})\n{end}"
                run = self.profile("/usr/bin/python3", "-c", script, options=("--sample=30000",))
                read, = run.row("SELECT max(value) FROM process_counter c JOIN process p ON p.id = c.process_id "
                                "WHERE c.counter = 'process_read_chars' AND p.program LIKE 'python3%'")
                self.assertGreaterEqual(read, 32 * MIB)


# What a Lustre client has counted, before the job and after it: programs read 3 MB more, of which its two targets sent 1 MB.
LUSTRE_READS = {"llite/scratch-ffff8803a1b2c3d4": (5_000_000, 8_000_000),
                "osc/scratch-OST0000-osc-ffff8803a1b2c3d4": (1_000_000, 1_600_000),
                "osc/scratch-OST0001-osc-ffff8803a1b2c3d4": (2_000_000, 2_400_000)}
LUSTRE_STATS = "snapshot_time 1700000000.5 secs.nsecs\nread_bytes 9 samples [bytes] 4096 1048576 {}\n"
READ_AND_COUNT = """
import pathlib, sys
pathlib.Path(sys.argv[1]).read_bytes()
for name, text in zip(sys.argv[2::2], sys.argv[3::2]): pathlib.Path("/sys/kernel/debug/lustre", name, "stats").write_text(text)
"""


class ParallelFileSystems(RunTestCase):
    def test_what_a_lustre_client_counted_reaches_the_report(self):
        """Its files of /sys/kernel/debug are ones of this test: there is no Lustre here."""
        why = two_hosts.why_not()
        if why is not None:
            self.skipTest(why)
        later = []
        for name, (before, after) in LUSTRE_READS.items():
            (self.folder / "debug/lustre" / name).mkdir(parents=True)
            (self.folder / "debug/lustre" / name / "stats").write_text(LUSTRE_STATS.format(before))
            later += [name, LUSTRE_STATS.format(after)]
        data = self.folder / "data.bin"
        data.write_bytes(bytes(MIB))
        command, path = self.command("/usr/bin/python3", "-c", READ_AND_COUNT, data, *later)
        script = f"mount --bind {self.folder / 'debug'} /sys/kernel/debug; exec {shlex.join(command)}"
        job = self.call(["unshare", "--mount", "--fork", "/bin/sh", "-ec", script])
        self.assertEqual(job.returncode, 0, job.stderr)
        run = self.open(path, job)
        self.assertEqual(dict(run.rows("SELECT counter, max(value) - min(value) FROM file_system_counter GROUP BY 1")),
                         {"fs_asked_bytes": 3_000_000, "fs_asked_write_bytes": 0, "fs_fetched_bytes": 1_000_000, "fs_sent_bytes": 0})
        host = run.value("SELECT name FROM host")
        told = json.loads(self.call([FLOWGAUGE, "report", "--format=json", path]).stdout)["storage"]["told"]
        self.assertIn(f"Programs on {host} read 3.00 MB from scratch-ffff8803a1b2c3d4 by calls, hits of its client's cache included.", told)
        self.assertIn(f"The client of scratch-ffff8803a1b2c3d4 on {host} fetched 1.00 MB from its servers and sent them 0 B.", told)


class Preloaded(RunTestCase):
    def preload(self, run, **more):
        return self.environment({"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(run), **more})

    def test_without_the_launcher_report_takes_in_what_was_recorded(self):
        run = self.folder / "run"
        env = self.preload(run, FLOWGAUGE_LEDGER=str(self.folder / "ledger.json"))
        self.assertEqual(self.call([find_program("read_shards"), f"--dir={self.folder}", "--threads=2", "--files=4"], env=env).returncode, 0)
        self.assertFalse((run / "run.db").exists())
        for _ in range(2):  # the second time there is nothing new
            report = self.call([FLOWGAUGE, "report", run])
            self.assertEqual((report.returncode, report.stderr), (0, ""))
        found = self.open(run, report)
        self.assertEqual(found.row("SELECT count(*), sum(bytes) FROM file_read"), (found.ledger["reads"], found.ledger["bytes"]))
        self.assertEqual(found.value("SELECT count(*) FROM file_open"), found.ledger["opens"] + 4 + 1)  # four were made first, and the ledger
        self.assertEqual(found.rows("SELECT program, ended FROM process"), [("read_shards", "normally")])
        self.assertEqual(found.drops(), 0)

    def test_a_relative_run_and_two_programs_make_one_run(self):
        env = self.preload("runs/one")
        for _ in range(2):
            done = subprocess.run([find_program("read_shards"), "--block=4096"], cwd=self.folder, env=env, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0)
        report = self.call([FLOWGAUGE, "report", self.folder / "runs" / "one"])
        self.assertEqual(report.returncode, 0, report.stderr)
        run = self.open(self.folder / "runs" / "one", report)
        self.assertEqual(run.rows("SELECT events.n FROM process p JOIN (SELECT process_id, count(*) AS n FROM file_read GROUP BY 1) events "
                                  "ON events.process_id = p.id"), [(514,), (514,)])

    def test_an_image_that_was_replaced_by_exec_did_not_die(self):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(1000))
        script = f"import os; open({str(data)!r}, 'rb').read(); os.execvp('head', ['head', '-c', '10', {str(data)!r}])"
        run = self.profile("/usr/bin/python3", "-c", script)
        self.assertEqual(run.rows("SELECT program, ended FROM process WHERE program <> 'flowgauge' ORDER BY begin_ns"),
                         [(run.value("SELECT program FROM process WHERE program LIKE 'python3%'"), "replaced by exec"), ("head", "normally")])
        self.assertEqual(run.value("SELECT count(DISTINCT pid) FROM process WHERE program <> 'flowgauge'"), 1)

    def test_each_end_has_its_word(self):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(1000))
        ends = {"os._exit(3)": (3, "normally"), "sys.exit(0)": (0, "normally"), "os.kill(os.getpid(), 9)": (-9, "killed"),
                "os.abort()": (-6, "killed"), "ctypes.CDLL(None).syscall(231, 5)": (5, "without goodbye")}
        for end, (status, word) in ends.items():
            with self.subTest(end=end):
                script = f"import ctypes, os, sys; open({str(data)!r}, 'rb').read(); {end}"
                run = self.profile("/usr/bin/python3", "-c", script, status=status)
                self.assertEqual(run.value("SELECT ended FROM process WHERE program LIKE 'python3%'"), word)


class Takeover(RunTestCase):
    """Two processes of one run, without a launcher: one of them reads the host's counters."""

    def start(self, number):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(MIB))
        env = self.environment({"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(self.folder / "run"), "FLOWGAUGE_SAMPLE": "50"})
        process = subprocess.Popen([find_program("counted_reader"), f"--file={data}", f"--progress={self.folder}/progress{number}",
                                    "--reads=100000000", "--hold-us=2000"], env=env)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def elected(self):
        """Process id of the holder of the election's lock, or None."""
        for file in (self.folder / "spools").glob("*/*/*/sampler.lock"):
            with open(file, "r+b") as lock:
                asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
                kind, _, _, _, pid = struct.unpack("hhqqi4x", fcntl.fcntl(lock, fcntl.F_GETLK, asked))
                if kind != fcntl.F_UNLCK:
                    return pid
        return None

    def await_elected(self, among):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            pid = self.elected()
            if pid in among:
                return pid
            time.sleep(0.01)
        return self.fail("nobody samples the host")

    def test_another_process_takes_over_from_a_killed_one(self):
        processes = {process.pid: process for process in (self.start(0), self.start(1))}
        first = self.await_elected(processes)
        time.sleep(0.5)
        killed = time.time_ns()
        os.kill(first, signal.SIGKILL)
        processes.pop(first).wait()
        second = self.await_elected(processes)
        time.sleep(0.5)
        processes[second].kill()
        processes[second].wait()
        report = self.call([FLOWGAUGE, "report", self.folder / "run"])
        self.assertEqual(report.returncode, 0, report.stderr)
        run = self.open(self.folder / "run", report)
        # How long a pass took differs each time, so it is stored each time; the machine's own numbers may stand still for a second.
        times = [at for at, in run.rows("SELECT at_ns FROM sampler_counter WHERE counter = 'sample_pass_ns' ORDER BY at_ns")]
        killed -= run.value("SELECT value FROM meta WHERE key = 't_zero'")
        self.assertTrue(any(at < killed for at in times), "the first one left no sample")
        self.assertTrue(any(at > killed for at in times), "nobody sampled after the first one was killed")
        gaps = [(b - a) / 1e9 for a, b in zip(times, times[1:])]
        # It looks once a second; the rest is for a machine that is busy with other things.
        self.assertLess(max(gaps), 6)


if __name__ == "__main__":
    unittest.main()
