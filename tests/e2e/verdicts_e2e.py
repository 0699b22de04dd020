# SPDX-License-Identifier: MIT
"""Six runs: five made to have one known fault, one with none. The report's first finding names the fault and its amount.

Amounts are held against what the run was told to do (a pause, a delay, a longer step) or against its own events and books. Faults
wait by sleeping or burn processor time, so on a busy machine they last longer, never shorter: lower bounds are tight, upper ones are not.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase, find_program

MS = 1_000_000
RANKS = 2
UNEVEN = ("straggler", "imbalance")  # what a busy machine makes of ranks that do the same


def can_mount():
    """Whether a FUSE file system can be served here."""
    return os.geteuid() == 0 and os.path.exists("/dev/fuse") and (BUILD / "bin" / "slow_fs").exists() and shutil.which("fusermount3") is not None


class Verdicts(RunTestCase):
    """--no-decode and --evaluate-every 0 leave nothing to a run but its fault."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_verdicts_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.data = cls.dataset("small", "--samples", 64, "--mean-bytes", 4000)

    @classmethod
    def dataset(cls, name, *options):
        folder = cls.shared / name
        command = [find_program("make_dataset"), folder, "--validation", 0, "--shards", 4, "--pixels", 32, *options]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        return folder

    def judge(self, *args, data=None, ranks=RANKS, bucket_mib=100):
        """Trains under the recorder: the run, its report, and the books of all ranks."""
        books = self.folder / "books"
        books.mkdir()
        run = self.profile("train_sim", data or self.data, "--ledger", books / "ledger-%r.json", "--no-decode", "--evaluate-every", 0,
                           "--log-every", 1000, "--bucket-mib", bucket_mib, *args, ranks=ranks)
        self.assertEqual(run.drops(), 0)
        answer = self.call([FLOWGAUGE, "report", "--format", "json", run.path])
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        report = json.loads(answer.stdout)
        ledgers = [json.loads((books / f"ledger-{rank}.json").read_text()) for rank in range(ranks)]
        self._said.append(self.call([FLOWGAUGE, "report", run.path]).stdout)
        return run, report, ledgers

    def is_busy(self, run, ledgers, compute_ms):
        """Whether others had the processors: forward burns a third of the computing, on a clock that stands still meanwhile."""
        forward = run.value("SELECT sum(end_ns - begin_ns) FROM phase_mark WHERE name = 'forward'")
        return forward > 1.3 * sum(ledger["steps"] for ledger in ledgers) * compute_ms * MS / 3

    def first(self, run, report, diagnosis, busy=False):
        """The first finding, which must be this one, here and in the run's own table.

        On a busy machine one rank gets less of it than the other: then it does come last, and only that may stand before."""
        self.assertFalse(report["healthy"], report["verdict"])
        self.assertEqual(report["verdict"], report["findings"][0]["text"])
        self.assertEqual(run.rows("SELECT diagnosis, amount_ns FROM finding ORDER BY position"),
                         [(finding["diagnosis"], finding["amount_ns"]) for finding in report["findings"]])
        finding = next(finding for finding in report["findings"] if not (busy and finding["diagnosis"] in UNEVEN))
        self.assertEqual(finding["diagnosis"], diagnosis, report["verdict"])
        self.assertLessEqual(finding["gain"], finding["share"])
        return finding

    def step_time(self, run):
        return run.value("SELECT sum(end_ns - begin_ns) FROM step_mark")

    def slow_mount(self, delay_us):
        """self.data behind a file system on which each read takes that long, one after the other."""
        mount = self.folder / "slow"
        mount.mkdir()
        server = subprocess.Popen([BUILD / "bin" / "slow_fs", self.data, mount, str(delay_us), "0"])
        self.addCleanup(server.wait)
        self.addCleanup(subprocess.run, ["fusermount3", "-u", "-z", mount], check=False)
        until = time.monotonic() + 60
        while not os.path.ismount(mount):
            self.assertIsNone(server.poll(), "slow_fs ended early")
            self.assertLess(time.monotonic(), until, "slow_fs does not serve")
            time.sleep(0.01)
        return mount

    def test_slow_storage(self):
        """Each read takes 50 ms and nothing is read ahead: a step of 4 records 200 ms, 400 if one server has both ranks', beside 4 ms
        of computing."""
        delay = 50 * MS
        options = ("--batch", 4, "--steps", 4, "--epochs", 2, "--compute-ms", 4, "--scale", 0.001, "--prefetch", 0)
        if can_mount():
            run, report, ledgers = self.judge(*options, data=self.slow_mount(delay // 1000))
        else:
            print("no FUSE here (root, /dev/fuse and fuse3 are needed): the trainer's own reads are made slow instead", flush=True)
            run, report, ledgers = self.judge(*options, "--read-delay-ms", delay / MS)
        finding = self.first(run, report, "slow_storage", self.is_busy(run, ledgers, 4))
        reads = sum(epoch["reads"] for ledger in ledgers for epoch in ledger["epochs"])
        self.assertGreaterEqual(finding["amount_ns"], reads * delay)
        self.assertLessEqual(finding["amount_ns"], self.step_time(run))
        self.assertEqual(finding["out_of_ns"], self.step_time(run))
        self.assertGreater(finding["gain"], 0.4)

    def test_no_overlap(self):
        """All gradients are reduced after backward: what communication takes is what is exposed, from the calls' sum to the phase's."""
        run, report, ledgers = self.judge("--no-overlap", "--scale", 0.5, "--compute-ms", 80, "--epochs", 1, "--batch", 8, bucket_mib=10)
        finding = self.first(run, report, "exposed_communication", self.is_busy(run, ledgers, 80))
        self.assertEqual(finding["title"], "No overlap")
        calls = run.value("SELECT sum(a.end_ns - a.begin_ns) FROM allreduce a JOIN step_mark s ON s.rank = a.rank"
                          " AND a.begin_ns >= s.begin_ns AND a.begin_ns < s.end_ns")
        phases = run.value("SELECT sum(end_ns - begin_ns) FROM phase_mark WHERE name = 'communication'")
        self.assertGreaterEqual(finding["amount_ns"], calls)
        self.assertLessEqual(finding["amount_ns"], phases)
        self.assertGreater(finding["gain"], 0.1)

    def test_one_slow_rank(self):
        """Rank 1 computes 100 ms longer in each step, beside 20 ms: rank 0 waits as long for it."""
        slow = 100
        run, report, ledgers = self.judge("--slow-rank", 1, "--slow-ms", slow, "--compute-ms", 20, "--scale", 0.001, "--batch", 4, "--epochs", 2)
        finding = self.first(run, report, "straggler")
        self.assertEqual(finding["ranks"], [1])
        self.assertGreaterEqual(finding["amount_ns"], 0.8 * ledgers[0]["steps"] * slow * MS)
        self.assertLessEqual(finding["amount_ns"], run.value("SELECT sum(end_ns - begin_ns) FROM step_mark WHERE rank = 0"))

    def test_a_shuffle_pause(self):
        """Half a second before each of 5 epochs of 2 short steps: 4 borders between epochs, the first pause comes before all training."""
        pause, epochs = 500, 5
        run, report, ledgers = self.judge("--shuffle-pause-ms", pause, "--epochs", epochs, "--steps", 2, "--batch", 8, "--compute-ms", 10, "--scale", 0.001)
        finding = self.first(run, report, "shuffle_gap", self.is_busy(run, ledgers, 10))
        borders = epochs - 1
        self.assertGreaterEqual(finding["amount_ns"], 0.9 * borders * pause * MS)
        between = run.value("SELECT sum(after.begin_ns - before.end_ns) FROM epoch before JOIN epoch after ON after.number = before.number + 1")
        self.assertLessEqual(finding["amount_ns"], between + borders * run.value("SELECT max(end_ns - begin_ns) FROM step_mark"))
        self.assertEqual([epoch["shuffle_gap_ns"] >= pause * MS for epoch in report["epochs"][1:]], [True] * borders)

    def test_tiny_reads(self):
        """Records of 4 kB come in pieces of 64 bytes, 63 calls each or so, and the one rank computes nothing.

        Of small pictures: the kernel takes as long to clear the pages of a batch of usual ones as these calls take."""
        run, report, ledgers = self.judge("--tiny-reads", 64, "--image", 8, "--compute-ms", 0, "--scale", 0.0001, "--batch", 16, "--epochs", 2, ranks=1)
        finding = self.first(run, report, "small_reads")
        self.assertIn("64 B or a little more each", finding["text"])
        self.assertIn(f" {ledgers[0]['reads']:,} calls", finding["text"])
        # The reader reads all the time, at most one batch's worth while the step does something else (update, marks).
        reading = run.value("SELECT sum(read_ns) FROM epoch_rank")
        self.assertGreaterEqual(finding["amount_ns"], 0.5 * reading)
        self.assertLessEqual(finding["amount_ns"], self.step_time(run))
        self.assertGreater(finding["gain"], 0.2)

    def test_nothing_to_fix(self):
        """Steps of 150 ms with little to read and to reduce: whatever else a step does is below what is worth fixing.

        On a busy machine a rank that comes last, or ranks that take turns at it, may be told."""
        compute = 150
        run, report, ledgers = self.judge("--compute-ms", compute, "--scale", 0.001, "--batch", 4, "--epochs", 2)
        busy = self.is_busy(run, ledgers, compute)
        worth_fixing = [finding["diagnosis"] for finding in report["findings"] if finding["gain"] >= 0.05]
        self.assertEqual([name for name in worth_fixing if not (busy and name in UNEVEN)], [], report["verdict"])
        self.assertEqual(report["healthy"], not worth_fixing)
        if not worth_fixing:
            self.assertTrue(report["verdict"].startswith("Nothing to fix"), report["verdict"])
        part = report["breakdown"]["parts"][0]
        self.assertEqual(part["part"], "compute")
        self.assertGreater(part["share"], 0.75)
        self.assertEqual(run.value("SELECT count(*) FROM finding"), len(report["findings"]))


if __name__ == "__main__":
    unittest.main()
