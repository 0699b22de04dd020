# SPDX-License-Identifier: MIT
"""SIGKILL at random moments: what a process counted before it died is in the database, once, and what is not there is stated.

FLOWGAUGE_KILLS: moments a test, FLOWGAUGE_SEED: the moments of an earlier test run again.
"""
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase, find_mpirun, find_program

MOMENTS = int(os.environ.get("FLOWGAUGE_KILLS", "50"))
SEED = int(os.environ.get("FLOWGAUGE_SEED", random.SystemRandom().randrange(1 << 32)))
SLOT = struct.Struct("<8q")
SLOTS = 16
READS = 1500
PATIENCE_S = 120


class Slot:
    """What one process of counted_reader acknowledged: it counts after each call has returned."""

    def __init__(self, pid, opens, reads, closes, reduces, done, *_):
        self.pid, self.opens, self.reads, self.closes, self.reduces, self.done = pid, opens, reads, closes, reduces, done


class Killed(RunTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        print(f"FLOWGAUGE_SEED={SEED} for these {MOMENTS} moments", file=sys.stderr, flush=True)

    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{SEED} {self.id()}")
        self.data = self.folder / "data.bin"
        self.data.write_bytes(bytes(1 << 20))
        self.progress = self.folder / "progress"

    def start(self, program, *args, ranks=None, options=("--sample=20",)):
        self.progress.write_bytes(bytes(SLOT.size * SLOTS))
        command, path = self.command(program, f"--file={self.data}", f"--progress={self.progress}", *args, ranks=ranks, mpi="openmpi" if ranks else None, options=options)
        job = subprocess.Popen(command, env=self.environment({"OMPI_MCA_btl_base_warn_component_unused": "0"}), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (job.stdout.close(), job.stderr.close()))
        return job, path

    def slots(self):
        return [Slot(*numbers) for numbers in SLOT.iter_unpack(self.progress.read_bytes()) if numbers[0] != 0]

    def await_(self, what, condition, job):
        """Polls until the condition holds; returns its value. A job that ends before is fine only where the condition says so."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            value = condition()
            if value:
                return value
            if job.poll() is not None:
                value = condition()
                if value:
                    return value
                self.fail(f"the job ended before {what}: {job.communicate()}")
            time.sleep(0.001)
        return self.fail(f"waited in vain until {what}")

    def moment(self, index, slot, job):
        """A third of the moments each: just started, anywhere in the middle, near the end. Waits for it; returns the victim's pid."""
        first = self.await_("the victim began", lambda: next((one for one in self.slots()[slot:slot + 1]), None), job)
        if index % 3 == 0:
            time.sleep(self.random.uniform(0, 0.02))
        else:
            reads = self.random.randrange(READS) if index % 3 == 1 else READS - self.random.randrange(6)
            self.await_(f"{reads} reads", lambda: self.slots()[slot].reads >= reads, job)
        return first.pid

    def kill(self, pid):
        """True when it was still there."""
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def finish(self, job, path):
        """The job's end, then its database; spools are taken away, so that nothing but the database can answer."""
        out, err = job.communicate(timeout=PATIENCE_S)
        self._said.append(f"-> {job.returncode}\n{out}{err}")
        return self.open(path, subprocess.CompletedProcess(job.args, job.returncode, out, err))

    def check(self, run, others_lost=0):
        """Every process: each kind's events equal what was acknowledged, or one more, the call under way. Nothing was lost."""
        self.assertEqual(run.drops(), others_lost)
        for slot in self.slots():
            rows = dict(run.rows(f"SELECT s.kind, sum(s.calls) FROM name_stat s JOIN track t ON t.id = s.track_id JOIN process p "
                                 f"ON p.id = t.process_id LEFT JOIN name n ON n.id = s.name_id WHERE p.pid = {slot.pid} "
                                 f"AND coalesce(n.text, '') <> '{self.progress}' GROUP BY s.kind"))
            found = [rows.get(kind, 0) for kind in ("file_open", "file_read", "file_close", "allreduce")]
            acknowledged = [slot.opens, slot.reads, slot.closes, slot.reduces]
            more = [have - counted for have, counted in zip(found, acknowledged)]
            self.assertTrue(set(more) <= {0, 1} and sum(more) <= 1, f"stored {found}, acknowledged {acknowledged}")
            events = run.value(f"SELECT count(*) FROM event e JOIN process p ON p.id = e.process_id WHERE p.pid = {slot.pid} AND kind = 'file_read'")
            self.assertEqual(events, rows.get("file_read", 0))

    def test_a_killed_rank_keeps_every_acknowledged_call_of_both_ranks(self):
        if find_mpirun("openmpi") is None or not (BUILD / "bin" / "counted_reader_mpi").exists():
            self.skipTest("no Open MPI on this machine")
        for index in range(MOMENTS):
            with self.subTest(moment=index):
                job, path = self.start("counted_reader_mpi", f"--reads={READS}", "--hold-us=20", ranks=2)
                self.await_("both ranks began", lambda: len(self.slots()) == 2, job)
                self.kill(self.moment(index, index % 2, job))
                run = self.finish(job, path)
                self.check(run)
                self.assertEqual(run.value("SELECT count(*) FROM process WHERE rank IS NOT NULL"), 2)

    def test_a_killed_worker_keeps_every_acknowledged_read_of_all_workers(self):
        for index in range(MOMENTS):
            with self.subTest(moment=index):
                job, path = self.start("counted_reader", f"--reads={READS}", "--hold-us=20", "--workers=3")
                victim = index % 3
                self.await_("all workers began", lambda: len(self.slots()) == 3, job)
                pid = self.moment(index, victim, job)
                self.kill(pid)
                run = self.finish(job, path)
                self.assertEqual(job.returncode, 0)
                self.check(run)
                for slot in self.slots():
                    ended = run.value(f"SELECT ended FROM process WHERE pid = {slot.pid}")
                    self.assertIn(ended, ("normally", "without goodbye") if slot.pid == pid else ("normally",))
                    if slot.pid != pid:
                        self.assertEqual(slot.reads, READS)

    def test_a_killed_launcher_loses_nothing_and_the_next_report_takes_it_in(self):
        for index in range(MOMENTS):
            with self.subTest(moment=index):
                job, path = self.start("counted_reader", f"--reads={READS}", "--hold-us=20")
                if index % 5 == 0:  # start-up: perhaps before there is a run at all
                    time.sleep(self.random.uniform(0, 0.03))
                    pid = 0
                elif index % 5 == 1:  # it stores, or writes its answers
                    self.await_("the reader is done", lambda: any(slot.done for slot in self.slots()), job)
                    time.sleep(self.random.uniform(0, 0.15))
                    pid = 0
                else:
                    pid = self.moment(index, 0, job)
                job.kill()
                job.communicate(timeout=PATIENCE_S)
                self.await_no_reader(path)
                report = self.call([FLOWGAUGE, "report", path])
                if not self.slots():
                    continue  # nothing was started
                self.assertEqual(report.returncode, 0, report.stderr)
                self.check(self.open(path, report))
                self.assertEqual(self.slots()[0].reads, READS, "the job goes on without its launcher")
                self.assertIsNotNone(pid)

    def await_no_reader(self, path):
        """Waits until no process is of this run any more: the job outlives its launcher. One that the launcher has forked and that has
        not called exec yet has the launcher's words and not the run's variable; in the middle of exec it shows neither."""
        until, quiet = time.monotonic() + PATIENCE_S, 0
        while time.monotonic() < until:
            busy = any(self.is_of(process, path) for process in pathlib.Path("/proc").iterdir() if process.name.isdigit())
            quiet = 0 if busy else quiet + 1
            if quiet == 3:
                return
            time.sleep(0.02)
        self.fail("the job did not end")

    @staticmethod
    def is_of(process, path):
        try:
            return (f"FLOWGAUGE_RUN={path}\0".encode() in (process / "environ").read_bytes() + b"\0"
                    or os.fsencode(path) in (process / "cmdline").read_bytes().split(b"\0"))
        except OSError:
            return False

    def test_where_a_ring_was_full_stored_and_lost_reads_add_up(self):
        """One file, opened once: what its ring loses can only be reads."""
        for index in range(max(3, MOMENTS // 10)):
            with self.subTest(moment=index):
                job, path = self.start("counted_reader", "--reads=100000000", "--block=64", "--hold-us=0", "--once", options=("--sample=0",))
                job_environment_ring = self.await_("it reads", lambda: next((slot for slot in self.slots() if slot.reads > 0), None), job)
                time.sleep(self.random.uniform(0, 0.3))
                self.kill(job_environment_ring.pid)
                run = self.finish(job, path)
                slot, = self.slots()
                stored = run.value("SELECT count(*) FROM file_read")
                lost = run.value("SELECT coalesce(sum(amount), 0) FROM ledger WHERE state = 'dropped' AND reason = 'ring_full'")
                self.assertEqual(run.drops(), lost)
                self.assertIn(stored + lost, (slot.reads, slot.reads + 1), f"{stored} stored, {lost} lost")
                self.assertEqual(run.value("SELECT ended FROM process WHERE program = 'counted_reader'"), "killed")


class KilledWhileStoring(RunTestCase):
    def test_an_ingest_killed_ten_times_stores_each_event_once(self):
        spools = self.folder / "spools"
        data = self.folder / "data.bin"
        data.write_bytes(bytes(1 << 20))
        progress = self.folder / "progress"
        run = self.folder / "run"
        reads = 1_000_000
        environment = self.environment({"LD_PRELOAD": str(BUILD / "lib" / "libflowgauge.so"), "FLOWGAUGE_RUN": str(run),
                                        "FLOWGAUGE_RING": "64M", "FLOWGAUGE_SAMPLE": "0"})
        self.assertEqual(self.call([find_program("counted_reader"), f"--file={data}", f"--progress={progress}", f"--reads={reads}",
                                    "--block=64", "--hold-us=0", "--once"], env=environment).returncode, 0)
        self.assertTrue(list(spools.glob("*/*/*/*.spool")))
        chance = random.Random(SEED)
        began = time.monotonic()
        took = 0.5
        for index in range(10):
            report = subprocess.Popen([FLOWGAUGE, "report", run], env=self.environment(), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, took))
            report.kill()
            report.wait()
        del began
        report = self.call([FLOWGAUGE, "report", run])
        self.assertEqual(report.returncode, 0, report.stderr)
        whole = self.open(run, report)
        lost = whole.drops()
        self.assertEqual(whole.value("SELECT count(*) FROM file_read") + lost, reads)
        self.assertEqual(whole.value("SELECT sum(calls) FROM name_stat WHERE kind = 'file_read'") + lost, reads)
        self.assertFalse((run / "run.lock").exists())


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
            job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 0)
        self.assertGreater(reports, 0)
        run = self.open(path, subprocess.CompletedProcess(job.args, job.returncode, "", ""))
        self.assertEqual(run.row("SELECT count(*), sum(bytes) FROM file_read"), (run.ledger["reads"], run.ledger["bytes"]))


if __name__ == "__main__":
    unittest.main()
