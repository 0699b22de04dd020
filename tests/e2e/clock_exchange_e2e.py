# SPDX-License-Identifier: MIT
"""Ranks compare their clocks in MPI_Init and MPI_Finalize. Ranks of one host have one clock: what they find must be 0."""
import os
import unittest

from harness import find_mpirun, find_program
from training import PROGRAMS, TrainingTestCase

NEAR_NS = 5_000
ATTEMPTS = 25  # about a second each; on a busy machine a burst of questions may be disturbed from its first to its last
OFFSETS = ("SELECT rank, begin_ns, end_ns, received + raw_to_run_ns, answered + raw_to_run_ns, spent FROM clock_exchange"
           " JOIN host ON host.name = clock_exchange.reference ORDER BY rank, begin_ns")


class Exchange:
    """One exchange: how far the asking rank's clock is behind the other's, within what, and what it cost."""

    def __init__(self, rank, begin, end, received, answered, spent):
        self.rank, self.spent_ns = rank, spent
        lower, upper = answered - end, received - begin
        self.offset_ns, self.error_ns = (lower + upper) / 2, (upper - lower) / 2


class RanksOfOneHost(TrainingTestCase):
    def exchanges(self, run):
        return [Exchange(*row) for row in run.rows(OFFSETS)]

    def short_job(self, mpi="openmpi", clocks="ranks"):
        return self.profile(PROGRAMS[mpi], self.data, "--ledger", "{job}/ledger-%r.json", "--batch", "8", "--compute-ms", 1, "--epochs", 1,
                            ranks=2, mpi=mpi, env={"FLOWGAUGE_CLOCKS": clocks})

    def test_a_sync_of_two_ranks_is_right_within_its_bounds_and_within_5_us(self):
        for mpi in PROGRAMS:
            with self.subTest(mpi=mpi):
                if find_mpirun(mpi) is None:
                    self.skipTest(f"no launcher of {mpi} here")
                self.assertTrue(any(self.is_near(mpi) for _ in range(ATTEMPTS)), f"no sync within {NEAR_NS} ns in {ATTEMPTS} jobs")

    def is_near(self, mpi):
        """Runs a job, all of whose exchanges must hold the truth; says whether they are also near it."""
        run = self.short_job(mpi)
        found = self.exchanges(run)
        self.assertEqual({exchange.rank for exchange in found}, {1})
        self.assertLessEqual(len(found), 2, "one at MPI_Init, one at MPI_Finalize")
        for exchange in found:
            print(f"{mpi}: {exchange.offset_ns / 1e3:+.2f} us, bound {exchange.error_ns / 1e3:.2f} us, took {exchange.spent_ns / 1e6:.2f} ms")
            self.assertLessEqual(abs(exchange.offset_ns), exchange.error_ns)
        self.assert_equals_the_ledgers(run)
        return any(abs(exchange.offset_ns) < NEAR_NS for exchange in found)

    def test_a_job_of_one_host_compares_nothing_unless_told_to(self):
        for clocks in ("hosts", "off"):
            with self.subTest(clocks=clocks):
                run = self.short_job(clocks=clocks)
                self.assertEqual(run.value("SELECT count(*) FROM clock_exchange"), 0)
                self.assertFalse((run.path / "clocks.offer").exists())

    def test_a_rank_that_is_not_recorded_is_missed_and_not_waited_for(self):
        """The job ends as it would: nobody hangs in a call that the other never makes."""
        for unrecorded in (0, 1):
            with self.subTest(unrecorded=unrecorded):
                trainer = [find_program("train_sim"), self.data, "--epochs", "1", "--batch", "8", "--compute-ms", "1"]
                parts = [["env", "-u", "LD_PRELOAD", *trainer] if rank == unrecorded else trainer for rank in (0, 1)]
                run = self.profile("mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "-np", 1, *parts[0], ":", "-np", 1, *parts[1],
                                   env={"FLOWGAUGE_CLOCKS": "ranks"})
                self.assertEqual(run.rows("SELECT rank FROM process WHERE rank IS NOT NULL"), [(1 - unrecorded,)])
                self.assertEqual(self.exchanges(run), [])


if __name__ == "__main__":
    unittest.main()
