# SPDX-License-Identifier: MIT
"""Two ranks train; what was recorded equals what each rank's own books say, for every way of reading, every way of dealing out
the shards, under Open MPI and under MPICH."""
import math
import os
import pathlib
import unittest

from training import TrainingTestCase, booked

MODES = ("read", "pread", "fread", "mmap")
RULES = ("sticky", "reshuffle", "rotate")
STEPS, EPOCHS, BUCKETS = 4, 2, 5  # 64 records, 2 ranks, batch 8
PAGE = 4096


class Equal(TrainingTestCase):
    def check(self, mpi):
        for mode in MODES:
            for rule in RULES:
                with self.subTest(mpi=mpi, mode=mode, rule=rule):
                    run = self.train("--epochs", EPOCHS, "--read-mode", mode, "--shard-rule", rule, mpi=mpi)
                    self.assert_equals_the_ledgers(run)
                    self.assert_the_books_are_those_of_this_job(run, mode, rule)
                    self.assert_buckets(run)

    def assert_the_books_are_those_of_this_job(self, run, mode, rule):
        """Guards against books that agree because both are empty."""
        for ledger in run.ledgers:
            self.assertEqual((ledger["read_mode"], ledger["shard_rule"], ledger["steps"]), (mode, rule, STEPS * EPOCHS))
            self.assertEqual(ledger["reads"] > 0, mode != "mmap")
            self.assertEqual(len(ledger["mapped_files"]) > 0, mode == "mmap")

    def assert_buckets(self, run):
        """The gradients of 161 tensors travel in 5 buckets a step; the other allreduces (evaluation) are of 24 bytes."""
        for ledger in run.ledgers:
            self.assertEqual((ledger["tensors"], len(ledger["buckets"])), (161, BUCKETS))
            sizes = run.rows(f"SELECT bytes, count(*) FROM allreduce WHERE rank = {ledger['rank']} GROUP BY bytes")
            expected = {size: STEPS * EPOCHS * ledger["buckets"].count(size) for size in ledger["buckets"]}
            self.assertEqual(dict(sizes), {**expected, 24: EPOCHS})

    def test_under_open_mpi(self):
        self.check("openmpi")

    def test_under_mpich(self):
        self.check("mpich")


class TheWholeModel(TrainingTestCase):
    def test_the_tensors_of_resnet_50_travel_in_five_buckets(self):
        run = self.train("--epochs", "1", "--steps", "2", "--scale", "1", "--evaluate-every", "0")
        self.assert_equals_the_ledgers(run)
        for ledger in run.ledgers:
            self.assertEqual((ledger["parameters"], ledger["tensors"], sum(ledger["buckets"])), (25_557_032, 161, 4 * 25_557_032))
            bytes_of_a_step = run.rows(f"SELECT bytes FROM allreduce WHERE rank = {ledger['rank']} ORDER BY begin_ns LIMIT {BUCKETS}")
            self.assertEqual([size for size, in bytes_of_a_step], ledger["buckets"])


class MoreThanReading(TrainingTestCase):
    def test_checkpoints_and_reader_threads(self):
        run = self.train("--epochs", EPOCHS, "--readers", "3", "--checkpoint", self.folder / "checkpoints", "--tiny-reads", "512")
        self.assert_equals_the_ledgers(run)
        self.assertGreater(booked(run.ledgers[0])["writes"][1], 0)

    def test_one_rank_without_a_launcher(self):
        run = self.train("--epochs", "1", ranks=None)
        self.assert_equals_the_ledgers(run, ranks=1)


def cold_read_is_counted(file):
    """Whether this file system says in /proc/PID/io what it fetches: block devices and NFS do; tmpfs and FUSE do not."""
    def fetched():
        return next(int(line.split()[1]) for line in pathlib.Path("/proc/self/io").read_text().splitlines() if line.startswith("read_bytes"))
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fdatasync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        before = fetched()
        os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        return fetched() - before >= os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


class MappedPages(TrainingTestCase):
    """What is read through a mapping is no call. The kernel tells one sum of it, /proc/PID/io read_bytes: what was fetched from
    storage for this process, page faults and read-ahead included; major faults are no measure of bytes (storage.md, 2)."""
    dataset_options = {"samples": 256, "validation": 0, "mean_bytes": 40_000}
    # Beside its data a rank fetches only program pages that nobody had in memory: some late ones of the MPI library and our own.
    OTHER_BYTES = 1 << 20
    # Asked to forget a file, the kernel keeps the few pages that stand in a processor's batch (15 pages) at that moment.
    KEPT_BYTES = 64 * PAGE

    def test_bytes_fetched_for_page_faults_are_the_mapped_files(self):
        """Cold, every record is touched once by one of the ranks: both together fetch each page of each shard once, whoever came first.
        The pause lets the first sample come before the first fault, the computing lets the last one come after the last."""
        shards = sorted(self.data.glob("*.rec"))
        if not cold_read_is_counted(shards[0]):
            self.skipTest(f"{self.data}: this file system does not count what it fetches")
        run = self.train("--epochs", "1", "--read-mode", "mmap", "--shard-rule", "sticky", "--drop-cache", "--evaluate-every", "0",
                         "--shuffle-pause-ms", "300", compute_ms=30, options=("--sample", "20"))
        self.assert_equals_the_ledgers(run)
        self.assertEqual(run.row("SELECT count(*) FROM file_read"), (0,))
        pages = sum(math.ceil(file.stat().st_size / PAGE) * PAGE for file in shards)
        grown = run.rows("SELECT rank, max(value) - min(value) FROM process_counter WHERE counter = 'process_read_bytes' AND rank IS NOT NULL"
                         " GROUP BY rank ORDER BY rank")
        self.assertEqual([rank for rank, _ in grown], [0, 1])
        fetched = sum(size for _, size in grown)
        self.assertGreaterEqual(fetched, pages - self.KEPT_BYTES)
        self.assertLessEqual(fetched, pages + self.OTHER_BYTES)


if __name__ == "__main__":
    unittest.main()
