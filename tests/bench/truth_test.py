# SPDX-License-Identifier: MIT
"""A small part of truth.py at every test run: the same jobs each time."""
import os
import pathlib
import unittest

import truth


class Truth(unittest.TestCase):
    def test_reports_of_runs_with_one_simulated_fault_are_right(self):
        score = truth.measure(pathlib.Path(os.environ["FLOWGAUGE_BUILD"]), runs=12, healthy=6, seed=7, most=1, show_bad=True)
        print("\n".join(score.lines()))
        self.assertEqual(score.false_alarms, 0)
        self.assertEqual((score.right, score.alarms), (score.faulty, score.faulty))
        self.assertLess(score.share, 0.02)
        self.assertLess(score.border, 1)


if __name__ == "__main__":
    unittest.main()
