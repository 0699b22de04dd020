# SPDX-License-Identifier: MIT
"""Two hosts that share only the run's directory. Each is a UTS and mount namespace: a host name and a temporary folder of its own.

Needs root (unshare, nsenter); elsewhere it says why it does not run.
"""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import time
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase, find_program

SLOT = struct.Struct("<8q")
PATIENCE_S = 120


class Host:
    """A sleeping process that keeps the namespaces; commands are run in them through nsenter."""

    def __init__(self, name, tmp):
        tmp.mkdir(exist_ok=True)
        script = f"hostname {name} && mount -t tmpfs none {tmp} && echo ready && exec sleep 1000"
        self.holder = subprocess.Popen(["unshare", "--uts", "--mount", "sh", "-c", script], stdout=subprocess.PIPE, text=True)
        self.name, self.tmp = name, tmp
        self.ready = self.holder.stdout.readline().strip() == "ready"

    def command(self, *words):
        return ["nsenter", f"--target={self.holder.pid}", "--uts", "--mount", "env", "-u", "FLOWGAUGE_SPOOL", f"TMPDIR={self.tmp}",
                *map(str, words)]

    def spools(self):
        """Names of what lies in the host's own temporary folder."""
        found = subprocess.run(self.command("find", self.tmp, "-type", "f"), capture_output=True, text=True, check=True).stdout
        return sorted(pathlib.Path(line).name for line in found.splitlines())

    def close(self):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()


@unittest.skipIf(os.geteuid() != 0, "needs root to give two processes two host names")
@unittest.skipIf(shutil.which("nsenter") is None or shutil.which("unshare") is None, "needs unshare and nsenter")
class TwoHosts(RunTestCase):
    def setUp(self):
        super().setUp()
        self.hosts = [Host(name, self.folder / f"tmp-{name}") for name in ("node-a", "node-b")]
        for host in self.hosts:
            self.addCleanup(host.close)
        if not all(host.ready for host in self.hosts):
            self.skipTest("this system lets nobody make host names and mounts of their own")
        self.a, self.b = self.hosts
        self.data = self.folder / "data.bin"
        self.data.write_bytes(bytes(1 << 20))
        self.run_folder = self.folder / "run"

    def reader(self, rank, reads, hold_us=500):
        return ["env", f"RANK={rank}", "WORLD_SIZE=2", f"LOCAL_RANK=0", find_program("counted_reader"), f"--file={self.data}",
                f"--progress={self.folder}/progress{rank}", f"--reads={reads}", f"--hold-us={hold_us}"]

    def acknowledged(self, rank):
        file = self.folder / f"progress{rank}"
        numbers = SLOT.unpack(file.read_bytes()[:SLOT.size]) if file.exists() and file.stat().st_size >= SLOT.size else (0,) * 8
        return {"pid": numbers[0], "reads": numbers[2]}

    def job(self, reads, hold_us=500):
        """`flowgauge run` on node-a of one rank there and one on node-b."""
        quoted = [" ".join(f"'{word}'" for word in words) for words in
                  (self.reader(0, reads[0], hold_us), self.b.command(*self.reader(1, reads[1], hold_us)))]
        return self.a.command(FLOWGAUGE, "run", "--sample=50", "-o", self.run_folder, "--", "sh", "-c", f"{quoted[0]} & {quoted[1]}; wait")

    def reads_by_host(self, run):
        return run.rows("SELECT rank, host, count(*) FROM file_read GROUP BY rank, host ORDER BY rank")

    def test_both_ranks_stand_in_one_database_when_the_job_ends_normally(self):
        job = self.call(self.job((2000, 2500)))
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertNotIn("collect", job.stderr)
        run = self.open(self.run_folder, job)
        self.assertEqual(self.reads_by_host(run), [(0, "node-a", 2000), (1, "node-b", 2500)])
        self.assertEqual(run.drops(), 0)
        self.assertEqual(run.rows("SELECT ended FROM process WHERE rank IS NOT NULL"), [("normally",), ("normally",)])
        self.assertEqual(sorted(run.rows("SELECT DISTINCT host FROM memory_counter")), [("node-a",), ("node-b",)])
        self.assertEqual(sorted(run.rows("SELECT DISTINCT host FROM cpu_counter")), [("node-a",), ("node-b",)])
        self.assertEqual([name for name in self.b.spools() if name.endswith((".spool", ".rings"))], [])
        self.assertEqual(list((self.run_folder / "spool").glob("*/*.recording")), [])

    def test_what_a_killed_rank_of_another_host_left_is_named_and_collected(self):
        job = subprocess.Popen([str(word) for word in self.job((400, 100_000_000))], env=self.environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + PATIENCE_S
        while self.acknowledged(1)["reads"] < 300 and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(self.acknowledged(1)["pid"], signal.SIGKILL)
        _, said = job.communicate(timeout=PATIENCE_S)
        self.assertIn("host node-b keeps its own recording: run `flowgauge collect", said)

        report = self.call(self.a.command(FLOWGAUGE, "report", self.run_folder))
        self.assertEqual(report.returncode, 2, report.stderr)
        self.assertIn("spools of host node-b are not here yet: run `flowgauge collect", report.stderr)

        collected = self.call(self.b.command(FLOWGAUGE, "collect", self.run_folder))
        self.assertEqual((collected.returncode, collected.stdout), (0, "1 processes collected\n"), collected.stderr)
        report = self.call(self.a.command(FLOWGAUGE, "report", self.run_folder))
        self.assertEqual(report.returncode, 0, report.stderr)
        run = self.open(self.run_folder, report)
        counts = {rank: (host, reads) for rank, host, reads in self.reads_by_host(run)}
        self.assertEqual(counts[0], ("node-a", 400))
        self.assertEqual(counts[1][0], "node-b")
        self.assertIn(counts[1][1] - self.acknowledged(1)["reads"], (0, 1))
        self.assertEqual(run.value("SELECT ended FROM process WHERE rank = 1"), "without goodbye")

    def test_two_hosts_never_write_one_database(self):
        job = self.call(self.job((50, 50)))
        self.assertEqual(job.returncode, 0, job.stderr)
        before = (self.run_folder / "run.db").read_bytes()
        spool = self.folder / "spools" / "late.spool"
        spool.parent.mkdir(exist_ok=True)
        (self.run_folder / "run.lock").write_text("node-a 00000000-0000-0000-0000-000000000000 1\n")
        (self.run_folder / "spool" / "node-b" / "1-1.spool").write_bytes(b"anything")
        report = self.call(self.b.command(FLOWGAUGE, "report", self.run_folder))
        self.assertIn("host node-a (process 1) is writing this run's database, this is node-b", report.stderr)
        self.assertEqual((self.run_folder / "run.db").read_bytes(), before)
        self.assertTrue((self.run_folder / "run.lock").exists())

    def test_a_job_does_not_wait_for_a_run_that_cannot_be_written(self):
        """The launcher's directory is gone from node-b's view: the rank ends as it would, and its spool stays where it is."""
        hide = f"mount -t tmpfs -o ro none {self.folder}/run; exec \"$@\""
        words = self.b.command("unshare", "--mount", "sh", "-c", hide, "sh", *self.reader(1, 50))
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        started = time.monotonic()
        job = self.call(self.a.command(FLOWGAUGE, "run", "--sample=0", "-o", self.run_folder, "--", "sh", "-c", quoted))
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertLess(time.monotonic() - started, 60)
        self.assertEqual(self.acknowledged(1)["reads"], 50)
        self.assertEqual(len([name for name in self.b.spools() if name.endswith(".spool")]), 1)


if __name__ == "__main__":
    unittest.main()
