# SPDX-License-Identifier: MIT
"""What is not as expected is refused in one clear line (where, what was expected and found, what to do), with exit status 2, and
nothing that was there is touched."""
import hashlib
import os
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase, find_program

LIBRARY = BUILD / "lib" / "libflowgauge.so"
NOBODY = 65534


def fingerprint(folder):
    """Every file's name, size, mode and content below a folder."""
    parts = []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        parts.append((str(path.relative_to(folder)), oct(path.lstat().st_mode), content))
    return parts


class Refusal(RunTestCase):
    def refuse(self, *command, words, status=2, folder=None, env=None, before=()):
        """Runs flowgauge; one line on stderr that holds the words, that status, and `folder` byte for byte as it was."""
        environment = env or self.environment()  # makes the folder for spools
        print_of = fingerprint(folder) if folder is not None else None
        done = self.call([*before, FLOWGAUGE, *command], env=environment)
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("flowgauge: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])
        if folder is not None:
            self.assertEqual(fingerprint(folder), print_of)
        return done

    def record(self, run, rank=0, ranks=1, spool="spools"):
        """A run by preload alone: its spools stay beside it. Returns the reads that were made."""
        ledger = self.folder / f"ledger-{run.name}-{rank}.json"
        env = self.environment({"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(run), "FLOWGAUGE_SAMPLE": "0", "RANK": str(rank),
                                "WORLD_SIZE": str(ranks), "FLOWGAUGE_LEDGER": str(ledger), "FLOWGAUGE_SPOOL": str(self.folder / spool)})
        (self.folder / spool).mkdir(exist_ok=True)
        done = self.call([find_program("read_shards"), f"--dir={self.folder}", "--block=4096"], env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return 2 * 257  # two files of 256 blocks and the empty read at the end

    def spools(self, spool="spools"):
        return sorted((self.folder / spool).glob("*/*/*/*.spool"))

    def stored(self):
        """A finished run, made by the launcher."""
        run = self.profile("read_shards", f"--dir={self.folder}")
        run.close()
        return run.path


class BadSpools(Refusal):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        self.reads = self.record(self.run_folder)
        self.spool, = self.spools()

    def test_a_spool_cut_inside_its_header(self):
        with open(self.spool, "r+b") as file:
            file.truncate(1000)
        self.refuse("report", self.run_folder, words=[str(self.spool), "expected a spool header of 4096 bytes", "1000 bytes"],
                    folder=self.folder)

    def test_a_spool_cut_inside_its_events_gives_what_it_has_and_says_what_is_missing(self):
        """The rings still hold what fits into them, so the file is made longer than they are first."""
        env = self.environment({"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(self.folder / "long"), "FLOWGAUGE_SAMPLE": "0",
                                "FLOWGAUGE_SPOOL": str(self.folder / "long-spools"), "FLOWGAUGE_RING": "64K"})
        self.call([find_program("read_shards"), f"--dir={self.folder}", "--block=512", "--hold-ms=0", "--rounds=5"], env=env)
        spool, = self.spools("long-spools")
        with open(spool, "r+b") as file:
            file.truncate(spool.stat().st_size // 8 + 1)
        before = fingerprint(self.folder / "long-spools")
        report = self.call([FLOWGAUGE, "report", self.folder / "long"])
        self.assertEqual(fingerprint(self.folder / "long-spools"), before)
        run = self.open(self.folder / "long", report)
        missing = run.value("SELECT coalesce(sum(amount), 0) FROM ledger WHERE state = 'dropped' AND reason LIKE 'missing from the spool%'")
        self.assertGreater(missing, 0)
        self.assertGreater(run.value("SELECT count(*) FROM event"), 0)

    def test_a_foreign_file_as_the_only_spool(self):
        self.spool.write_bytes(b"not ours " * 1000)
        self.refuse("report", self.run_folder, words=[str(self.spool), "not a spool file: expected it to begin with FGSPOOL1"],
                    folder=self.folder)

    def test_a_foreign_file_beside_a_good_spool_is_told_and_the_report_is_of_the_other(self):
        foreign = self.spool.with_name("1-1.spool")
        foreign.write_bytes(b"not ours " * 1000)
        for _ in range(2):
            report = self.call([FLOWGAUGE, "report", self.run_folder])
            self.assertEqual(report.returncode, 2)
            self.assertEqual(report.stderr, f"flowgauge: {foreign}: not a spool file: expected it to begin with FGSPOOL1\n")
        self.assertEqual(foreign.read_bytes(), b"not ours " * 1000)
        run = self.open(self.run_folder, report)
        self.assertEqual(run.value("SELECT count(*) FROM file_read"), self.reads)
        self.assertEqual(run.value("SELECT count(*) FROM ledger WHERE what = 'spool' AND state = 'absent'"), 1)

    def test_a_spool_of_a_newer_version(self):
        with open(self.spool, "r+b") as file:
            file.seek(8)
            file.write(struct.pack("<I", 99))
        self.refuse("report", self.run_folder, words=["has spool version 99, this build reads version 1", "use the flowgauge that recorded it"],
                    folder=self.folder)

    def test_a_rank_that_is_missing(self):
        self.record(self.run_folder, rank=1, ranks=2, spool="other")
        run = self.folder / "pair"
        for rank in (0, 1):
            self.record(run, rank=rank, ranks=2, spool="pair-spools")
        gone = self.spools("pair-spools")[1]
        gone.unlink()
        gone.with_suffix(".rings").unlink()
        before = fingerprint(self.folder / "pair-spools")
        report = self.call([FLOWGAUGE, "report", run])
        self.assertEqual(report.returncode, 2, report.stderr)
        self.assertEqual(len(report.stderr.splitlines()), 1, report.stderr)
        self.assertIn("rank", report.stderr)
        self.assertEqual(fingerprint(self.folder / "pair-spools"), before)


class BadDatabases(Refusal):
    def test_a_newer_schema(self):
        run = self.stored()
        with sqlite3.connect(run / "run.db") as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        for command in (("report", run), ("query", run, "SELECT 1")):
            self.refuse(*command, words=["has schema version 99, this build reads version", "use a newer flowgauge"], folder=run)

    def test_an_older_version(self):
        run = self.stored()
        with sqlite3.connect(run / "run.db") as database:
            database.execute("PRAGMA user_version = 0")
        database.close()
        self.refuse("report", run, words=["has schema version 0, this build reads version", "record again"], folder=run)

    def test_a_text_file_called_run_db(self):
        run = self.folder / "run"
        run.mkdir()
        (run / "run.db").write_text("dear diary\n" * 1000)
        for path in (run, run / "run.db"):
            self.refuse("report", path, words=["run.db", "is not a run: expected an SQLite file made by flowgauge"], folder=run)

    def test_the_sqlite_file_of_another_program(self):
        file = self.folder / "other.db"
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE t (x)")
        database.close()
        self.refuse("report", file, words=["is not a run: expected application id"], folder=self.folder)

    def test_an_empty_directory(self):
        run = self.folder / "run"
        run.mkdir()
        self.refuse("report", run, words=[str(run), "no recording in it: neither a run.db nor spools were found"], folder=run)

    def test_no_such_run(self):
        self.refuse("report", self.folder / "none", words=["there is no such run", "flowgauge run -o"], folder=self.folder)

    def test_an_sql_error(self):
        run = self.stored()
        self.refuse("query", run, "SELECT * FROM missing", words=["no such table: missing"], folder=run)
        self.refuse("query", run, "SELEC 1", words=["syntax error"], folder=run)

    def test_a_statement_that_would_write(self):
        run = self.stored()
        for sql in ("DELETE FROM process", "CREATE TABLE t (x)", "DROP TABLE chunk", "UPDATE meta SET value = 1", "PRAGMA user_version = 5"):
            with self.subTest(sql=sql):
                self.refuse("query", run, sql, words=["run.db", "only reads"], folder=run)

    @unittest.skipIf(os.geteuid() != 0, "needs root to mount")
    def test_a_run_on_a_read_only_file_system_is_shown_and_not_touched(self):
        run = self.stored()
        target = self.folder / "read-only"
        target.mkdir()
        if subprocess.run(["mount", "--bind", run, target], capture_output=True, check=False).returncode != 0:
            self.skipTest("this system lets nobody mount")
        self.addCleanup(subprocess.run, ["umount", target], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", target], check=True)
        before = fingerprint(run)
        report = self.call([FLOWGAUGE, "report", target])
        self.assertEqual((report.returncode, report.stderr), (0, ""))
        self.assertIn("read", report.stdout)
        query = self.call([FLOWGAUGE, "query", "--csv", target, "SELECT count(*) AS n FROM file_read"])
        self.assertEqual((query.returncode, query.stderr), (0, ""))
        self.assertEqual(fingerprint(run), before)

    @unittest.skipIf(os.geteuid() != 0, "needs root to mount")
    def test_spools_of_a_run_that_cannot_be_written(self):
        run = self.folder / "run"
        self.record(run)
        target = self.folder / "read-only"
        target.mkdir()
        if subprocess.run(["mount", "--bind", run, target], capture_output=True, check=False).returncode != 0:
            self.skipTest("this system lets nobody mount")
        self.addCleanup(subprocess.run, ["umount", target], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", target], check=True)
        self.refuse("report", target, words=["cannot be written", "Read-only file system"], folder=self.folder / "spools")


class BadCommands(Refusal):
    def run_words(self, output, *program):
        return ["run", "-o", output, "--", *program]

    def test_a_program_that_does_not_exist(self):
        self.refuse(*self.run_words(self.folder / "run", "no-such-program"), words=["no-such-program: not found"], status=127)
        self.refuse(*self.run_words(self.folder / "run", self.folder / "none"), words=["not found"], status=127)
        self.assertFalse((self.folder / "run").exists())

    def test_a_program_that_is_not_executable(self):
        (self.folder / "notes.txt").write_text("text\n")
        self.refuse(*self.run_words(self.folder / "run", self.folder / "notes.txt"), words=["notes.txt: is not executable"], status=126)
        self.refuse(*self.run_words(self.folder / "run", self.folder), words=["is a directory"], status=126)
        self.assertFalse((self.folder / "run").exists())

    def test_an_output_directory_without_permission(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        before = []
        if os.geteuid() == 0:
            if shutil.which("setpriv") is None:
                self.skipTest("needs setpriv to run as another user")
            self.folder.chmod(0o755)
            before = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            if subprocess.run([*before, FLOWGAUGE, "version"], capture_output=True, check=False).returncode != 0:
                self.skipTest("another user may not run this build")
        env = self.environment({"FLOWGAUGE_SPOOL": "/tmp"})
        self.refuse(*self.run_words(locked / "run", "true"), words=[str(locked / "run"), "Permission denied", "-o"], folder=locked, env=env,
                    before=before)
        self.refuse(*self.run_words(locked, "true"), words=[str(locked), "cannot be written", "-o"], folder=locked, env=env, before=before)

    def test_an_output_directory_that_is_in_use(self):
        used = self.folder / "used"
        used.mkdir()
        (used / "thesis.txt").write_text("years of work\n")
        self.refuse(*self.run_words(used, "true"), words=[str(used), "exists and is not empty", "-o"], folder=used)
        self.refuse(*self.run_words(used / "thesis.txt", "true"), words=["thesis.txt", "is a file, expected a directory", "-o"], folder=used)

    def test_words_that_are_no_commands_options_or_kinds(self):
        run = self.folder / "run"
        self.refuse("reprot", run, words=["'reprot' is no command", "did you mean 'report'?"])
        self.refuse("report", run, "--fromat=json", words=["--fromat"])
        self.refuse("report", run, "--format=xml", words=["xml"])
        self.refuse("run", "--outptu", run, "true", words=["--outptu"])
        self.refuse("run", "-o", run, "--kinds=file_raed", "--", "true", words=["'file_raed' is neither a kind nor a lane", "flowgauge kinds"])
        self.refuse("run", "-o", run, "--max-size=lots", "--", "true", words=["--max-size lots", "64M"])
        self.refuse("run", "-o", run, words=["no program given"])
        self.assertFalse(run.exists())


if __name__ == "__main__":
    unittest.main()
