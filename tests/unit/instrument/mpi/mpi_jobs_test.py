# SPDX-License-Identifier: MIT
"""Real MPI jobs with the library in front: what was recorded equals the books that the programs keep, to the byte.

FLOWGAUGE_TEST_LIBRARY: the injected library; FLOWGAUGE_TEST_PROGRAMS: folder with a folder of programs for each MPI.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests/probes"))
import spool_reader  # noqa: E402

LIBRARY = pathlib.Path(os.environ["FLOWGAUGE_TEST_LIBRARY"]).resolve()
PROGRAMS = pathlib.Path(os.environ["FLOWGAUGE_TEST_PROGRAMS"]).resolve()
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"], "mpich": ["mpiexec.mpich", "-n"]}
NOT_BOOKED = {"mpi_init", "mpi_finalize", "communicator"}
COMM_KINDS = {row[1] for row in spool_reader.rows("collector/record/kinds.def", "FLOWGAUGE_KIND") if row[2] == "Comm"} - NOT_BOOKED


class MpiJob:
    """One finished job: its processes by rank, and their ledgers."""

    def __init__(self, scratch, completed):
        self.completed = completed
        self.ranks = {}
        for process in spool_reader.processes(scratch / "spool"):
            for event in process.of("mpi_init"):
                self.ranks[event.rank] = process
        self.ledgers = {rank: json.loads(path.read_text()) for rank in self.ranks
                        if (path := pathlib.Path(f"{scratch}/ledger.{rank}")).exists()}

    def recorded(self, rank):
        """{kind: [count, bytes]} of what is communication."""
        sums = collections.defaultdict(lambda: [0, 0])
        for event in self.ranks[rank].events:
            if event.kind in COMM_KINDS:
                sums[event.kind][0] += 1
                sums[event.kind][1] += event.get("bytes", 0)
        return dict(sums)


class MpiJobTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-mpi-"))
        self.addCleanup(shutil.rmtree, self.scratch, True)

    def job(self, mpi, ranks, *command, inject=True, expect=0):
        shutil.rmtree(self.scratch / "spool", True)
        clean = {key: value for key, value in os.environ.items() if not key.startswith("FLOWGAUGE")}
        ours = [f"LD_PRELOAD={LIBRARY}", f"FLOWGAUGE_RUN={self.scratch}/run", f"FLOWGAUGE_SPOOL={self.scratch}/spool", "FLOWGAUGE_SAMPLE=0"]
        words = [*LAUNCHERS[mpi], str(ranks), "env", *(ours if inject else []), *map(str, command)]
        completed = subprocess.run(words, env={**clean, "MPI_LEDGER": f"{self.scratch}/ledger"}, capture_output=True, text=True, check=False,
                                   timeout=240, stdin=subprocess.DEVNULL)
        self.assertEqual(completed.returncode, expect, completed.stderr)
        return MpiJob(self.scratch, completed)

    def assert_equals_the_ledger(self, job, ranks):
        self.assertEqual(sorted(job.ranks), list(range(ranks)))
        for rank in range(ranks):
            self.assertEqual(job.recorded(rank), {kind: sums for kind, sums in job.ledgers[rank]["kinds"].items()}, f"rank {rank}")
            self.assertEqual(sum(job.ranks[rank].lost.values()), 0)

    def program(self, mpi, name):
        path = PROGRAMS / mpi / name
        if not path.exists():
            self.skipTest(f"{path} was not built: no compiler for it here")
        return path

    def on_both(self, ranks, name, check=None):
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                job = self.job(mpi, ranks, self.program(mpi, name))
                self.assert_equals_the_ledger(job, ranks)
                if check:
                    check(job)


class EveryCallIsCountedExactly(MpiJobTest):
    def test_collectives_on_2_and_4_ranks(self):
        for ranks in (2, 4):
            self.on_both(ranks, "mpi_collectives", self.assert_sequences_agree)

    def test_messages_on_2_and_4_ranks(self):
        for ranks in (2, 4):
            self.on_both(ranks, "mpi_messages")

    def test_mpi4py(self):
        job = self.job("openmpi", 2, "/usr/bin/python3", ROOT / "tests/e2e/programs/mpi_python.py")
        self.assert_equals_the_ledger(job, 2)

    def test_a_library_that_only_a_plugin_can_see(self):
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                job = self.job(mpi, 2, self.program(mpi, "mpi_local"), self.program(mpi, "libmpi_plugin.so"))
                self.assert_equals_the_ledger(job, 2)

    def test_fortran_is_counted_once(self):
        expected = {"allreduce": [5, 72], "broadcast": [1, 12], "allgather": [1, 4], "reduce": [1, 4], "mpi_wait": [1, 0]}
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                job = self.job(mpi, 2, self.program(mpi, "mpi_fortran"))
                self.assertEqual(job.recorded(0), {**expected, "send": [1, 8]})
                self.assertEqual(job.recorded(1), {**expected, "recv": [1, 8]})

    def assert_sequences_agree(self, job):
        """On each communicator, the n-th collective is of the same kind on all its ranks, and none is missing."""
        by_rank = []
        for process in job.ranks.values():
            found = {(event.comm, event.sequence): event.kind for event in process.events if event.kind in COMM_KINDS and "sequence" in event}
            self.assertEqual(len(found), sum(1 for event in process.events if event.kind in COMM_KINDS and "sequence" in event))
            for comm in {comm for comm, _ in found}:
                numbers = sorted(number for other, number in found if other == comm)
                self.assertEqual(numbers, list(range(len(numbers))))
            by_rank.append(found)
        for other in by_rank[1:]:
            self.assertEqual(other, by_rank[0])


class ThreadsAndHandles(MpiJobTest):
    def test_eight_threads_on_communicators_that_come_and_go(self):
        self.on_both(2, "mpi_threads", self.assert_one_id_a_communicator)

    def assert_one_id_a_communicator(self, job):
        """8 threads x 20 duplicates: each has an id of its own, equal on both ranks, and its 20 collectives bear 0..19."""
        ids = []
        for process in job.ranks.values():
            used = collections.defaultdict(list)
            for event in process.of("allreduce", "broadcast"):
                used[event.comm].append(event.sequence)
            self.assertEqual(len(used), 160)
            for numbers in used.values():
                self.assertEqual(sorted(numbers), list(range(20)))
            ids.append(set(used))
        self.assertEqual(ids[0], ids[1])

    def test_names_and_cancelled_receives(self):
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                process = self.job(mpi, 2, self.program(mpi, "mpi_messages")).ranks[0]
                self.assertEqual({event.name for event in process.of("communicator")} - {None, ""}, {"MPI_COMM_WORLD", "pair"})
                self.assertEqual([event.bytes for event in process.of("recv") if event.flags & 0x20], [0])


class TheProgramDoesNotNotice(MpiJobTest):
    def test_output_and_status_are_the_same(self):
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                bare = self.job(mpi, 2, self.program(mpi, "mpi_collectives"), inject=False).completed
                with_us = self.job(mpi, 2, self.program(mpi, "mpi_collectives")).completed
                self.assertEqual((bare.stdout, bare.stderr), (with_us.stdout, with_us.stderr))

    def test_without_an_mpi_library_a_call_fails_and_nothing_else_happens(self):
        environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(self.scratch / "run"),
                       "FLOWGAUGE_SPOOL": str(self.scratch / "spool")}
        completed = subprocess.run([PROGRAMS / "openmpi" / "mpi_absent"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((completed.returncode, completed.stdout), (0, "16 16\n"))
        self.assertEqual(spool_reader.processes(self.scratch / "spool") if (self.scratch / "spool").exists() else [], [])


def c_names():
    """The C names of mpi_calls.def, as instrument/mpi/c_calls.cpp expands them, without the MPIX_ and _c twins."""
    names = set()
    for family, call, lower in re.findall(r"^FLOWGAUGE_MPI_(\w+)\( *(\w+), *(\w+),", (ROOT / "instrument/mpi/mpi_calls.def").read_text(), re.M):
        names.add(f"MPI_{call}")
        if family in ("COLLECTIVE", "MEETING", "SEND", "RECEIVE", "MATCHED"):
            names.add(f"MPI_I{lower}")
        if family in ("COLLECTIVE", "MEETING", "SEND", "RECEIVE"):
            names.add(f"MPI_{call}_init")
        if family == "ONE_SIDED":
            names.add(f"MPI_R{lower}")
    return names


class EveryRowIsCalled(MpiJobTest):
    def test_no_row_of_mpi_calls_def_is_untested(self):
        called = set()
        for mpi in LAUNCHERS:
            for name in ("mpi_collectives", "mpi_messages", "mpi_communicators"):
                job = self.job(mpi, 2, self.program(mpi, name))
                called |= {call.replace("MPIX_", "MPI_") for ledger in job.ledgers.values() for call in ledger["called"]}
        self.assertEqual(c_names() - called, set())

    def test_communicators_of_every_making_have_ids_that_agree(self):
        for mpi in LAUNCHERS:
            with self.subTest(mpi=mpi):
                job = self.job(mpi, 4, self.program(mpi, "mpi_communicators"))
                self.assert_equals_the_ledger(job, 4)
                rows = [[(event.comm, event.size) for event in process.of("barrier", "neighbor", "communicator") if "size" in event]
                        for process in job.ranks.values()]
                members = collections.Counter(comm for row in rows for comm, _ in set(row))
                sizes = {comm: size for row in rows for comm, size in row}
                self.assertEqual({comm: count for comm, count in members.items() if count != sizes[comm]}, {})


if __name__ == "__main__":
    unittest.main(verbosity=2)
