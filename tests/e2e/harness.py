# SPDX-License-Identifier: MIT
"""What every end-to-end test stands on: it runs a program under `flowgauge run` and asks the database. Standard library only.

    class ReadsAreAllThere(RunTestCase):
        def test_calls_and_bytes_equal_the_workloads_own_count(self):
            run = self.profile("read_shards", "--files=4", ranks=2)
            self.assertEqual(run.row("SELECT count(*), sum(bytes) FROM file_read"), (run.ledger["reads"], run.ledger["bytes"]))
            self.assertEqual(run.drops(), 0)

The build is found through FLOWGAUGE_BUILD (set by ctest), else build/dev of the source tree. A program that is given without
a slash is looked up in the build's bin folder first. Test programs write their ledger as JSON to the file that FLOWGAUGE_LEDGER
names; a job of several ranks is given "--ledger", "{job}/ledger-%r.json", where {job} stands for the folder of this one job, and
run.ledgers holds them all, by rank.
"""
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FLOWGAUGE_BUILD", SOURCE / "build" / "dev")).resolve()
FLOWGAUGE = BUILD / "bin" / "flowgauge"
EXTENSION = BUILD / "lib" / "flowgauge_sqlite"
TIMEOUT_S = 240


def find_program(name):
    """The build's own program of that name, else what PATH has, else the word itself (flowgauge will complain)."""
    built = BUILD / "bin" / name
    if "/" not in str(name) and built.exists():
        return str(built)
    return str(name)


LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"], "mpich": ["mpiexec.mpich"], "any": ["mpirun"]}


def find_mpirun(mpi=None):
    """The launcher of that MPI (openmpi, mpich), or of the first that is here, with the flags that let it run as root; else None."""
    for name in [mpi] if mpi else LAUNCHERS:
        if shutil.which(LAUNCHERS[name][0]):
            return LAUNCHERS[name]
    return None


class Run:
    """A finished run: its job's outcome and its database, opened read-only."""

    def __init__(self, folder, job):
        self.path = pathlib.Path(folder)
        self.status, self.stdout, self.stderr = job.returncode, job.stdout, job.stderr
        self.ledgers = [json.loads(file.read_text()) for file in sorted(self.path.parent.glob("ledger*.json"))]
        self._connection = self._open()

    def _open(self):
        """Python's sqlite3 with our extension, or None where this Python cannot load extensions: `flowgauge query` then answers."""
        file = self.path / "run.db"
        if not file.exists():
            return None
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            connection.enable_load_extension(True)
            connection.load_extension(str(EXTENSION))
        except (AttributeError, sqlite3.OperationalError):
            connection.close()
            return None
        return connection

    @property
    def ledger(self):
        """The one ledger of a job with one process."""
        assert len(self.ledgers) == 1, f"expected one ledger, found {len(self.ledgers)}"
        return self.ledgers[0]

    def rows(self, sql, *parameters):
        """All rows of a query, as tuples."""
        if self._connection is not None:
            return [tuple(row) for row in self._connection.execute(sql, parameters)]
        assert not parameters, "parameters need Python's sqlite3 with extensions"
        return self.query(sql)

    def row(self, sql, *parameters):
        """The first row of a query, or None."""
        rows = self.rows(sql, *parameters)
        return rows[0] if rows else None

    def value(self, sql, *parameters):
        """The first column of the first row."""
        return self.row(sql, *parameters)[0]

    def query(self, sql):
        """The same through `flowgauge query --json`: a list of objects, one a row."""
        done = subprocess.run([FLOWGAUGE, "query", "--json", self.path, sql], capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
        return [tuple(row.values()) for row in json.loads(done.stdout)]

    def drops(self):
        """Events that were recorded and are missing, or were not recorded, for whatever counted reason."""
        return self.value("SELECT coalesce(sum(amount), 0) FROM ledger WHERE state = 'dropped'")

    def close(self):
        if self._connection is not None:
            self._connection.close()


class RunTestCase(unittest.TestCase):
    """Gives each test a folder of its own and ways to run jobs in it. A failing test prints what its jobs printed."""

    @classmethod
    def setUpClass(cls):
        if not FLOWGAUGE.exists():
            raise AssertionError(f"{FLOWGAUGE} is missing: build first, or set FLOWGAUGE_BUILD")

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self._runs, self._said = [], []
        self.simulated = set()  # paths of runs that nobody ran
        self._count = 0
        self.addCleanup(self._close)

    def _close(self):
        for run in self._runs:
            run.close()
        for path in {run.path for run in self._runs} | self.simulated:
            if (path / "run.db").exists():
                self.assert_figures_agree(path)

    def report(self, run):
        done = subprocess.run([FLOWGAUGE, "report", run.path, "--format", "json"], capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
        return json.loads(done.stdout)

    def assert_figures_agree(self, run):
        """Of every run of every test: compute, exposed communication, exposed copies, input stall and other idle are each window's time,
        and what was fetched is the same by SQL and in the report."""
        done = subprocess.run([FLOWGAUGE, "report", run, "--format", "json"], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if not done.stdout:
            return  # refused: there is nothing in it
        told = json.loads(done.stdout)
        shares = [part["share"] for part in told["breakdown"]["parts"]]
        self.assertTrue(not shares or abs(sum(shares) - 1) < 1e-9 and min(shares) >= 0, shares)
        with sqlite3.connect(f"file:{run / 'run.db'}?mode=ro", uri=True) as database:
            parts = database.execute("SELECT number, rank, end_ns - begin_ns, compute_ns, exposed_comm_ns, exposed_copy_ns, input_stall_ns, idle_ns"
                                     " FROM epoch_rank").fetchall()
            fetched = dict(database.execute("SELECT number, fetched_bytes FROM epoch_bytes"))
        database.close()
        measured = {epoch["number"]: epoch["fetched_bytes"] for epoch in told["epochs"] if isinstance(epoch["fetched_bytes"], int)}
        self.assertEqual({number: size for number, size in fetched.items() if size is not None}, measured, "SQL and the report differ")
        for number, rank, wall, *ns in parts:
            self.assertTrue(sum(ns) == wall and min(ns) >= 0, f"epoch {number} of rank {rank}: {ns} of {wall}")

    def run(self, result=None):
        """As unittest's, and after a failure the jobs' own words."""
        before = 0 if result is None else len(result.failures) + len(result.errors)
        super().run(result)
        if result is not None and len(result.failures) + len(result.errors) > before:
            print("\n".join(self._said), flush=True)
        return result

    def environment(self, env=None):
        """Ours, with the spools inside the test's folder, and without a run of somebody else."""
        whole = {key: value for key, value in os.environ.items() if not key.startswith("FLOWGAUGE_") or key == "FLOWGAUGE_FIXTURES"}
        whole["FLOWGAUGE_SPOOL"] = str(self.folder / "spools")
        (self.folder / "spools").mkdir(exist_ok=True)
        whole.update(env or {})
        return whole

    def job_folder(self):
        self._count += 1
        folder = self.folder / f"job{self._count}"
        folder.mkdir()
        return folder

    def launcher(self, ranks, mpi=None):
        """What stands before a program that runs on so many ranks; nothing for None."""
        if ranks is None:
            return []
        found = find_mpirun(mpi)
        if found is None:
            self.skipTest(f"no launcher of {mpi or 'any MPI'} on this machine")
        return [*found, "-np", str(ranks)]

    def command(self, program, *args, ranks=None, mpi=None, options=()):
        """The command line of `flowgauge run` for a program, and the run's path."""
        folder = self.job_folder()
        words = [*self.launcher(ranks, mpi), find_program(program), *(str(arg).replace("{job}", str(folder)) for arg in args)]
        return [str(FLOWGAUGE), "run", "-o", str(folder / "run"), *options, "--", *words], folder / "run"

    def profile(self, program, *args, ranks=None, mpi=None, env=None, options=(), status=0, stdin=None):
        """Runs a program under `flowgauge run`; the job must end with `status`. Returns its Run."""
        command, path = self.command(program, *args, ranks=ranks, mpi=mpi, options=options)
        environment = self.environment({"FLOWGAUGE_LEDGER": str(path.parent / "ledger.json"), **(env or {})})
        job = self.call(command, env=environment, stdin=stdin)
        self.assertEqual(job.returncode, status, job.stderr)
        return self.open(path, job)

    def call(self, command, env=None, stdin=None):
        """Runs any command to its end and keeps its words for the case of a failure."""
        source = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        job = subprocess.run([str(word) for word in command], env=env or self.environment(), capture_output=True, text=True,
                             errors="replace", timeout=TIMEOUT_S, check=False, **source)
        self._said.append(f"$ {' '.join(map(str, command))}\n-> {job.returncode}\n{job.stdout}{job.stderr}")
        return job

    def open(self, path, job):
        run = Run(path, job)
        self._runs.append(run)
        return run
