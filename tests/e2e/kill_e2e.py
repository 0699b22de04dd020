# SPDX-License-Identifier: MIT
"""SIGKILL at random moments: what the reader counted before it died is in the database, once."""
import os
import pathlib
import random
import signal
import struct
import subprocess
import time
import unittest

from harness import FLOWGAUGE, RunTestCase

MOMENTS = int(os.environ.get("FLOWGAUGE_KILLS", "6"))


class Killed(RunTestCase):
    """The reader adds one to a mapped counter after each call has returned: an acknowledged read. The call that was under way
    when it died may or may not have been recorded, per thread."""

    def start(self):
        command, path = self.command("read_shards", f"--dir={self.folder}", "--mode=pread", "--block=4096", "--rounds=100000",
                                     f"--progress={self.folder}/progress")
        job = subprocess.Popen(command, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (job.stdout.close(), job.stderr.close()))
        return job, path

    def acknowledged(self):
        return struct.unpack("<Q", (self.folder / "progress").read_bytes())[0]

    def reader(self, path):
        """The process id of the reader, from its spool's name; waits until it records."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for spool in (self.folder / "spools").glob("*/*/*/*.spool"):
                pid = int(spool.name.split("-")[0])
                try:
                    if pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == "read_shards":
                        return pid
                except FileNotFoundError:
                    pass
            time.sleep(0.005)
        self.fail("the reader never recorded")

    def check(self, run, acknowledged):
        stored = run.value("SELECT count(*) FROM file_read")
        self.assertGreater(stored, 0)
        drops = run.drops()  # of all kinds: a full ring loses an open or a close as well
        self.assertLessEqual(stored, acknowledged + 1)
        self.assertGreaterEqual(stored + drops, acknowledged, f"{drops} counted as lost")
        if drops == 0:
            self.assertIn(stored, (acknowledged, acknowledged + 1))
        self.assertEqual(run.value("SELECT sum(calls) FROM name_stat WHERE kind = 'file_read'"), stored)

    def again(self):
        (self.folder / "progress").unlink(missing_ok=True)
        subprocess.run(["rm", "-rf", str(self.folder / "spools")], check=True)

    def test_a_killed_job_keeps_every_acknowledged_read(self):
        for moment in range(MOMENTS):
            with self.subTest(moment=moment):
                job, path = self.start()
                pid = self.reader(path)
                time.sleep(random.uniform(0, 0.4))
                os.kill(pid, signal.SIGKILL)
                job.communicate(timeout=120)
                self.assertEqual(job.returncode, -signal.SIGKILL)
                acknowledged = self.acknowledged()
                self.again()
                self.check(self.open(path, subprocess.CompletedProcess(job.args, job.returncode, "", "")), acknowledged)

    def test_a_killed_launcher_loses_nothing_and_the_next_report_takes_it_in(self):
        for moment in range(MOMENTS):
            with self.subTest(moment=moment):
                job, path = self.start()
                pid = self.reader(path)
                time.sleep(random.uniform(0, 0.4))
                job.kill()
                job.communicate(timeout=120)
                os.kill(pid, signal.SIGKILL)
                while os.path.exists(f"/proc/{pid}"):
                    time.sleep(0.01)
                report = self.call([FLOWGAUGE, "report", path])
                self.assertEqual(report.returncode, 0, report.stderr)
                acknowledged = self.acknowledged()
                self.again()
                self.check(self.open(path, subprocess.CompletedProcess(job.args, job.returncode, "", "")), acknowledged)


class TakenInPieces(RunTestCase):
    def test_reports_during_the_run_and_after_it_add_up_to_the_ledger(self):
        command, path = self.command("read_shards", f"--dir={self.folder}", "--mode=pread", "--block=65536", "--rounds=20", "--hold-ms=2")
        environment = self.environment({"FLOWGAUGE_LEDGER": str(path.parent / "ledger.json")})
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
            while job.poll() is None and not list((self.folder / "spools").glob("*/*/*/*.spool")):
                time.sleep(0.01)
            reports = 0
            while job.poll() is None and reports < 5:
                self.call([FLOWGAUGE, "report", path])
                reports += 1
            job.communicate(timeout=120)
        self.assertEqual(job.returncode, 0)
        self.assertGreater(reports, 0)
        run = self.open(path, subprocess.CompletedProcess(job.args, job.returncode, "", ""))
        self.assertEqual(run.row("SELECT count(*), sum(bytes) FROM file_read"), (run.ledger["reads"], run.ledger["bytes"]))


if __name__ == "__main__":
    unittest.main()
