# SPDX-License-Identifier: MIT
"""MPI jobs that keep books of every call: what the database's views and its summary rows hold is the same, to the byte.

How each call is hooked is tested beside its room (tests/unit/instrument/mpi); here the way through spool, ingest and store."""
import json
import subprocess
import unittest

from harness import BUILD, SOURCE, RunTestCase

PROGRAMS = BUILD / "tests" / "unit" / "instrument" / "mpi" / "programs"
NOT_BOOKED = ("mpi_init", "mpi_finalize", "communicator")
PYTHON = "/usr/bin/python3"  # Debian's: only it sees python3-mpi4py


class MpiJobs(RunTestCase):
    def job(self, mpi, ranks, *words):
        run = self.profile(*words, ranks=ranks, mpi=mpi, env={"MPI_LEDGER": str(self.folder / "book")})
        books = [json.loads((self.folder / f"book.{rank}").read_text()) for rank in range(ranks)]
        self.assertEqual(run.drops(), 0)
        for rank, book in enumerate(books):
            with self.subTest(rank=rank):
                expected = {kind: tuple(sums) for kind, sums in book["kinds"].items()}
                self.assertGreater(len(expected), 2)
                self.assertEqual(self.summed(run, rank), expected)
                self.assertEqual({kind: self.of_view(run, kind, rank) for kind in expected}, expected)
        return run

    def summed(self, run, rank):
        rows = run.rows(f"SELECT kind, calls, bytes FROM rank_communication WHERE rank = {rank} AND kind NOT IN {NOT_BOOKED}")
        return {kind: (calls, size) for kind, calls, size in rows}

    def of_view(self, run, kind, rank):
        has_bytes = run.value(f"SELECT count(*) FROM pragma_table_info('{kind}') WHERE name = 'bytes'")
        return run.row(f"SELECT count(*), {'sum(bytes)' if has_bytes else 0} FROM {kind} WHERE rank = {rank}")

    def on_both(self, name, ranks, check=None):
        for mpi in ("openmpi", "mpich"):
            program = PROGRAMS / mpi / name
            with self.subTest(mpi=mpi, program=name, ranks=ranks):
                if not program.exists():
                    self.skipTest(f"{program} was not built: no compiler of that MPI here")
                run = self.job(mpi, ranks, program)
                if check:
                    check(run, ranks)

    def assert_collectives_meet(self, run, ranks):
        """The n-th collective of a communicator is of one kind and has one row of each of its ranks; rows of ranks agree on the size."""
        torn = run.rows("SELECT comm, sequence, count(DISTINCT kind), count(*) FROM"
                        " (SELECT 'allreduce' AS kind, comm, sequence, rank FROM allreduce UNION ALL SELECT 'broadcast', comm, sequence, rank FROM broadcast"
                        " UNION ALL SELECT 'barrier', comm, sequence, rank FROM barrier UNION ALL SELECT 'alltoall', comm, sequence, rank FROM alltoall)"
                        " GROUP BY comm, sequence HAVING count(DISTINCT kind) > 1")
        self.assertEqual(torn, [])
        self.assertEqual(run.rows("SELECT rank, world_size FROM process WHERE rank IS NOT NULL ORDER BY rank"), [(rank, ranks) for rank in range(ranks)])
        self.assertEqual(run.rows("SELECT rank, size, count(*) FROM mpi_init GROUP BY rank"), [(rank, ranks, 1) for rank in range(ranks)])

    def test_every_collective(self):
        self.on_both("mpi_collectives", 2, self.assert_collectives_meet)
        self.on_both("mpi_collectives", 4, self.assert_collectives_meet)

    def test_every_message(self):
        self.on_both("mpi_messages", 2)

    def test_every_communicator(self):
        self.on_both("mpi_communicators", 4, self.assert_members)

    def assert_members(self, run, _):
        """A communicator has the same size on all its ranks, and as many ranks as that."""
        rows = run.rows("SELECT comm, count(*), min(size), max(size) FROM communicator GROUP BY comm")
        self.assertGreater(len(rows), 3)
        self.assertEqual([row for row in rows if not row[1] == row[2] == row[3]], [])

    def test_threads(self):
        self.on_both("mpi_threads", 2)

    def test_mpi4py(self):
        if subprocess.run([PYTHON, "-c", "import mpi4py.MPI"], capture_output=True, check=False).returncode:
            self.skipTest(f"{PYTHON} has no mpi4py")
        run = self.job("openmpi", 2, PYTHON, SOURCE / "tests" / "e2e" / "programs" / "mpi_python.py")
        self.assertEqual(run.rows("SELECT rank, program FROM process WHERE rank IS NOT NULL ORDER BY rank"), [(0, "python3"), (1, "python3")])


if __name__ == "__main__":
    unittest.main()
