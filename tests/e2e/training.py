# SPDX-License-Identifier: MIT
"""Training jobs for end-to-end tests: a small data set made once, and the comparison of a run with the trainers' own books."""
import pathlib
import shutil
import subprocess
import tempfile

from harness import RunTestCase, find_program

PROGRAMS = {"openmpi": "train_sim", "mpich": "train_sim_mpich"}
NOT_BOOKED = ("mpi_init", "mpi_finalize", "communicator", "mpi_wait", "clock_exchange")


def make_dataset(folder, **options):
    """A record-shard set of 64 + 16 small pictures in 4 + 1 files, unless the options (make_dataset's, with _ for -) say otherwise."""
    sizes = {"samples": 64, "validation": 16, "shards": 4, "mean_bytes": 4000, "pixels": 32, **options}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in sizes.items()]
    subprocess.run([find_program("make_dataset"), str(folder), *words], check=True, stdout=subprocess.DEVNULL)
    return folder


class TrainingTestCase(RunTestCase):
    """RunTestCase with a data set, self.data, that all tests of a class share."""
    dataset_options = {}
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_data_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.data = make_dataset(cls.shared / "set", **cls.dataset_options)

    def train(self, *args, mpi="openmpi", ranks=2, options=(), compute_ms=1):
        """A finished run of the trainer, with little to compute."""
        return self.profile(PROGRAMS[mpi], self.data, "--ledger", "{job}/ledger-%r.json", "--batch", "8", "--compute-ms", compute_ms, *args,
                            ranks=ranks, mpi=mpi, options=options)

    def assert_equals_the_ledgers(self, run, ranks=2):
        """All that both sides count, rank by rank, for the whole run."""
        self.assertEqual([ledger["rank"] for ledger in run.ledgers], list(range(ranks)))
        self.assertEqual(run.rows("SELECT rank FROM process WHERE rank IS NOT NULL ORDER BY rank"), [(rank,) for rank in range(ranks)])
        self.assertEqual(run.drops(), 0)
        for ledger in run.ledgers:
            with self.subTest(rank=ledger["rank"]):
                self.assertEqual(recorded(run, ledger["rank"]), booked(ledger))


def booked(ledger):
    """The trainer's own books of one rank, in the words of `recorded`."""
    return {
        "reads": (ledger["reads"], ledger["read_bytes"]),
        "writes": (ledger["writes"], ledger["write_bytes"]),
        "opens": ledger["opens"],
        "read files": {file: size for file, size in ledger["files"].items() if size},
        "written files": {file: size for file, size in ledger["written_files"].items() if size},
        "mapped files": ledger["mapped_files"],
        "collectives": {kind: (sums["count"], sums["bytes"]) for kind, sums in ledger["collectives"].items() if sums["count"]},
        "epochs": [(epoch["number"], epoch["samples"]) for epoch in ledger["epochs"]],
        "steps": ledger["steps"],
    }


def recorded(run, rank):
    """The same from the database: sums from the summary rows, single things from the events. The ledger does not book itself."""
    ours = f"rank = {rank} AND file NOT GLOB '*/ledger-*.json'"
    files = {kind: dict(run.rows(f"SELECT file, bytes FROM file_traffic WHERE {ours} AND kind = '{kind}' AND bytes > 0"))
             for kind in ("file_read", "file_write")}
    mapped = run.rows(f"SELECT file, sum(bytes) FROM file_map WHERE {ours} AND bytes > 0 GROUP BY file")
    collectives = run.rows(f"SELECT kind, calls, bytes FROM rank_communication WHERE rank = {rank} AND kind NOT IN {NOT_BOOKED}")
    calls = {kind: run.row(f"SELECT count(*), coalesce(sum(bytes), 0) FROM {kind} WHERE {ours}") for kind in ("file_read", "file_write")}
    return {
        "reads": calls["file_read"],
        "writes": calls["file_write"],
        "opens": run.value(f"SELECT count(*) FROM file_open WHERE {ours} AND fd >= 0"),
        "read files": files["file_read"],
        "written files": files["file_write"],
        "mapped files": dict(mapped),
        "collectives": {kind: (count, size) for kind, count, size in collectives},
        "epochs": run.rows(f"SELECT number, samples FROM epoch_mark WHERE rank = {rank} ORDER BY number"),
        "steps": run.value(f"SELECT count(*) FROM step_mark WHERE rank = {rank}"),
    }
