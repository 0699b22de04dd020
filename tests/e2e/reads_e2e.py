# SPDX-License-Identifier: MIT
"""What a small reader counted itself is what the database holds: calls and bytes, for every way of reading."""
import unittest

from harness import RunTestCase


class ReadsAreAllThere(RunTestCase):
    def check(self, *args, calls=True):
        run = self.profile("read_shards", f"--dir={self.folder}", *args)
        seen = run.row("SELECT count(*), sum(bytes) FROM file_read")
        expected = (run.ledger["reads"], run.ledger["bytes"])
        self.assertEqual(seen if calls else seen[1:], expected if calls else expected[1:])
        self.assertEqual(run.drops(), 0)
        return run

    def test_read(self):
        self.check("--mode=read")

    def test_pread(self):
        self.check("--mode=pread", "--block=4096")

    def test_readv(self):
        self.check("--mode=readv")

    def test_preadv(self):
        self.check("--mode=preadv")

    def test_fread(self):
        self.check("--mode=fread")

    def test_eight_threads_on_two_processors(self):
        self.check("--mode=pread", "--threads=8", "--files=16", "--block=4096", "--rounds=4")

    def test_each_file_has_its_own_sum(self):
        run = self.check("--files=3", "--bytes=300000", "--rounds=2")
        files = run.rows("SELECT file, sum(bytes) FROM file_traffic WHERE kind = 'file_read' GROUP BY file ORDER BY file")
        self.assertEqual(files, [(f"{self.folder}/shard-00{i}.bin", 600000) for i in range(3)])

    def test_the_process_is_a_row_with_its_command(self):
        run = self.check("--files=1")
        program, command, ended = run.row("SELECT program, command, ended FROM process WHERE program = 'read_shards'")
        self.assertIn(" --files=1", command)
        self.assertEqual((program, ended), ("read_shards", "normally"))

    def test_the_jobs_output_passes_and_is_kept(self):
        run = self.check("--files=1")
        self.assertEqual(run.stdout, f"read {run.ledger['bytes']} bytes in {run.ledger['reads']} calls\n")
        self.assertEqual(run.row("SELECT stream, text FROM output_line"), ("stdout", run.stdout.rstrip("\n")))


if __name__ == "__main__":
    unittest.main()
