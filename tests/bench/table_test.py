# SPDX-License-Identifier: MIT
"""The table of run.py on its smallest row: that it is made, not what its numbers are."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parent / "run.py"


class TheTable(unittest.TestCase):
    def test_a_quick_row_has_a_value_its_limits_and_a_verdict(self):
        done = subprocess.run([sys.executable, "-B", RUN, "--quick", "--only", "reads", "--json"], capture_output=True, text=True, timeout=280)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # slow is no failure here
        (row,) = json.loads(done.stdout)["rows"]
        self.assertGreater(row["value"], 0)
        self.assertEqual((row["unit"], row["goal"], row["least"]), ("x", 1.03, 1.1))
        self.assertIn(row["verdict"], ("goal", "ok", "MISSED"))
        self.assertEqual(done.returncode == 1, row["verdict"] == "MISSED")

    def test_every_group_says_in_one_line_what_it_measures(self):
        done = subprocess.run([sys.executable, "-B", RUN, "--list"], capture_output=True, text=True, timeout=60)
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0)
        self.assertEqual([line.split()[0] for line in lines], "hot reads idle training sampling storing importing asking large window report ranks kill".split())
        self.assertTrue(all(len(line.split()) > 3 for line in lines))


if __name__ == "__main__":
    unittest.main()
