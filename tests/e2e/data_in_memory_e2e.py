# SPDX-License-Identifier: MIT
"""How much of a data set lay in memory when a job began to read it, and when it had read it: cold, and warm from the run before."""
import json
import os
import pathlib
import unittest

from harness import FLOWGAUGE, RunTestCase

FILES, SIZE = 40, 100_000
# Reads each file as a whole, twice, in an order that differs by epoch.
READER = """
import pathlib, random, sys, time
files = sorted(pathlib.Path(sys.argv[1]).iterdir())
for epoch in range(2):
    random.Random(epoch).shuffle(files)
    for file in files:
        file.read_bytes()
        time.sleep(0.04)
time.sleep(3)  # one more look, also where looking costs a busy machine more
"""


class DataInMemory(RunTestCase):
    def setUp(self):
        super().setUp()
        self.data = pathlib.Path(self.folder) / "set"
        self.data.mkdir()
        for number in range(FILES):
            (self.data / f"{number}.jpeg").write_bytes(os.urandom(SIZE))
            self.drop(self.data / f"{number}.jpeg")

    @staticmethod
    def drop(path):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def read(self):
        """What the report says of the pages, and the run."""
        run = self.profile("python3", "-c", READER, self.data)
        report = json.loads(self.call([FLOWGAUGE, "report", "--format", "json", run.path]).stdout)["storage"]
        print(report["data_in_memory"], *report["told"], sep="\n", flush=True)
        return run, report

    def test_the_first_run_is_cold_and_the_second_warm(self):
        where = self.call(["stat", "-f", "-c", "%T", self.data]).stdout.strip()
        if where in ("tmpfs", "overlayfs"):
            self.skipTest(f"pages of {where} cannot be dropped")
        run, report = self.read()
        start = report["data_in_memory"]["at"][0]
        self.assertTrue(report["data_in_memory"]["start_known"])
        self.assertLess(start["share"], 0.4, "the job reads on while it is looked at; files of 40 ms each")
        self.assertRegex("\n".join(report["told"]), r"began (partly warm|cold): ")
        looked = {counter: value for counter, value in run.rows(
            "SELECT counter, value FROM memory_counter WHERE source = 'data set' ORDER BY at_ns")}
        self.assertEqual((looked["data_set_files"], looked["data_set_looked_files"]), (FILES, FILES))
        self.assertEqual(looked["data_set_looked_bytes"], FILES * SIZE)
        # A kernel may take pages back at any time; that the count is right to the page is file_look's unit test.
        self.assertLessEqual(looked["data_set_resident_bytes"], FILES * SIZE)
        self.assertGreater(looked["data_set_resident_bytes"], 0.98 * FILES * SIZE)
        self.assertEqual(run.drops(), 0)
        _, report = self.read()
        start = report["data_in_memory"]["at"][0]
        self.assertEqual((start["epoch_ended"], start["half_width"]), (0, 0.0))
        self.assertGreater(start["share"], 0.98)
        self.assertRegex("\n".join(report["told"]), r"(?m)began warm: (?:100|9[89](?:\.\d)?) % of the data set was in memory when the job began to read \("
                                                    r"\d+ files that it had not opened yet; (cachestat|mincore)\(2\)\)\.$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
