# SPDX-License-Identifier: MIT
"""Three questions to run.db: by any SQLite from the summary rows, and by ours from the events. All answers equal the books.

README's promise is that a recording needs no tool of ours; what needs the extension is only the single events."""
import json
import shutil
import sqlite3
import subprocess
import unittest

from harness import EXTENSION, FLOWGAUGE
from training import TrainingTestCase

PLAIN = {
    "bytes read in each epoch": "SELECT number, read_bytes FROM epoch_bytes ORDER BY number",
    "time in allreduce of each rank": "SELECT rank, calls, bytes, total_ns FROM rank_communication WHERE kind = 'allreduce' ORDER BY rank",
    "the files most was read from": "SELECT file, sum(bytes) AS read FROM file_traffic WHERE kind = 'file_read' GROUP BY file ORDER BY read DESC, file LIMIT 3",
}
FROM_EVENTS = {
    "bytes read in each epoch": "SELECT e.number, sum(r.bytes) FROM epoch_rank e JOIN file_read r ON r.rank = e.rank"
                                " AND r.begin_ns >= e.begin_ns AND r.begin_ns < e.end_ns GROUP BY e.number ORDER BY e.number",
    "time in allreduce of each rank": "SELECT rank, count(*), sum(bytes), sum(duration_ns) FROM allreduce GROUP BY rank ORDER BY rank",
    "the files most was read from": "SELECT file, sum(bytes) AS read FROM file_read WHERE bytes > 0 GROUP BY file ORDER BY read DESC, file LIMIT 3",
}
# The same of `event` itself: arg1 of an allreduce is bytes, arg2 of a read is its result (see describe).
FROM_THE_TABLE = {
    "time in allreduce of each rank": "SELECT rank, count(*), sum(arg1), sum(duration_ns) FROM event WHERE kind = 'allreduce' GROUP BY rank ORDER BY rank",
    "the files most was read from": "SELECT name, sum(arg2) AS read FROM event WHERE kind = 'file_read' AND arg2 > 0 GROUP BY name"
                                    " ORDER BY read DESC, name LIMIT 3",
}


def plain_rows(file, sql):
    """Python's own sqlite3, nothing loaded."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


class Questions(TrainingTestCase):
    """One run for all tests of the class; the first test that needs it makes it."""
    run_of_all = None

    def finished(self):
        cls = type(self)
        if cls.run_of_all is None:
            run = self.train("--epochs", "3", "--read-mode", "pread")
            self.assertEqual(run.drops(), 0)
            kept = cls.shared / "kept"
            shutil.copytree(run.path, kept)
            cls.run_of_all, cls.ledgers = kept, run.ledgers
        return cls.run_of_all

    def expected(self):
        """The answers as the ledgers have them; what only a clock can tell is None."""
        files = {}
        for ledger in self.ledgers:
            for file, size in ledger["files"].items():
                files[file] = files.get(file, 0) + size
        reads = [[epoch["read_bytes"] for epoch in ledger["epochs"]] for ledger in self.ledgers]
        return {
            "bytes read in each epoch": [(number + 1, sum(of)) for number, of in enumerate(zip(*reads))],
            "time in allreduce of each rank": [(ledger["rank"], *ledger["collectives"]["allreduce"].values(), None) for ledger in self.ledgers],
            "the files most was read from": sorted(files.items(), key=lambda row: (-row[1], row[0]))[:3],
        }

    def assert_answers(self, queries, ask):
        file = self.finished() / "run.db"
        expected = self.expected()
        for question, sql in queries.items():
            with self.subTest(question=question):
                rows = [tuple(row) for row in ask(file, sql)]
                by_any_sqlite = plain_rows(file, PLAIN[question])
                self.assertEqual(rows, by_any_sqlite)
                if question == "time in allreduce of each rank":
                    self.assertTrue(all(row[3] > 0 for row in rows), rows)
                    rows = [(*row[:3], None) for row in rows]
                self.assertEqual(rows, expected[question])

    def extended(self, file, sql):
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.addCleanup(connection.close)
        if not hasattr(connection, "enable_load_extension"):
            self.skipTest("this Python's sqlite3 cannot load extensions")
        connection.enable_load_extension(True)
        connection.load_extension(str(EXTENSION))
        return connection.execute(sql).fetchall()

    def shell(self, file, sql):
        if shutil.which("sqlite3") is None:
            self.skipTest("no sqlite3 shell on this machine")
        done = subprocess.run(["sqlite3", "-readonly", "-json", str(file), f".load {EXTENSION}", sql], capture_output=True, text=True, check=True)
        return [row.values() for row in json.loads(done.stdout)]

    def query(self, file, sql):
        done = subprocess.run([FLOWGAUGE, "query", "--json", file, sql], capture_output=True, text=True, check=True)
        return [row.values() for row in json.loads(done.stdout)]

    def test_any_sqlite_answers_with_one_select_each(self):
        self.assert_answers(PLAIN, plain_rows)

    def test_pythons_sqlite3_with_the_extension_answers_the_same_from_events(self):
        self.assert_answers(FROM_EVENTS, self.extended)
        self.assert_answers(FROM_THE_TABLE, self.extended)

    def test_the_sqlite3_shell_with_the_extension_answers_the_same_from_events(self):
        self.assert_answers(FROM_EVENTS, self.shell)
        self.assert_answers(FROM_THE_TABLE, self.shell)

    def test_flowgauge_query_answers_the_same_from_events(self):
        self.assert_answers(PLAIN, self.query)
        self.assert_answers(FROM_EVENTS, self.query)
        self.assert_answers(FROM_THE_TABLE, self.query)

    def test_describe_names_every_table_and_view_and_each_of_their_columns(self):
        file = self.finished() / "run.db"
        objects = {name for name, in plain_rows(file, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")}
        described = set(plain_rows(file, "SELECT object, column FROM describe WHERE sentence <> ''"))
        self.assertEqual(objects - {name for name, column in described if not column}, set())
        for name in sorted(objects):
            columns = [row[1] for row in self.extended(file, f"SELECT * FROM pragma_table_info('{name}')")]
            with self.subTest(object=name):
                self.assertEqual([column for column in columns if (name, column) not in described], [])


if __name__ == "__main__":
    unittest.main()
