# SPDX-License-Identifier: MIT
"""The window through its real binary: a recorded run becomes pictures and tables, and their figures are those of the report."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import FLOWGAUGE, RunTestCase
from simulation import simulate
from training import TrainingTestCase
from window import GUI, size_of, window


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
class TheWindow(TrainingTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pictures = cls.shared / "pictures"

    def shown(self):
        """A recorded run of two ranks and two epochs, and the folder with its pictures; made once."""
        if not hasattr(TheWindow, "recorded"):
            recorded = self.train("--epochs", "2", "--no-overlap")
            kept = self.shared / "run"
            shutil.copytree(recorded.path, kept)
            result = window(kept, "--screenshot", self.pictures, "--size", "1280x800")
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            TheWindow.recorded = kept
        return TheWindow.recorded, self.pictures

    def test_every_view_is_drawn(self):
        run, pictures = self.shown()
        views = {picture.stem.removeprefix(run.name + "-") for picture in pictures.glob("*.png")}
        self.assertLessEqual({"summary", "timeline"}, views)
        for picture in pictures.glob("*.png"):
            self.assertEqual(size_of(picture), (1280, 800), picture)
            self.assertGreater(picture.stat().st_size, 5000, picture)

    def test_epochs_read_as_in_the_report(self):
        run, pictures = self.shown()
        report = json.loads(subprocess.run([FLOWGAUGE, "report", run, "--format", "json"], capture_output=True, text=True, check=True).stdout)
        with open(pictures / f"{run.name}-summary.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(float(row["epoch"])) for row in rows], [epoch["number"] for epoch in report["epochs"]])
        for row, epoch in zip(rows, report["epochs"]):
            self.assertEqual(float(row["time"]), epoch["time_ns"])
            self.assertEqual(float(row["asked"]), epoch["asked_bytes"])
            self.assertEqual(float(row["evaluation"]), epoch["evaluation_bytes"])

    def test_one_view_of_one_piece_of_time(self):
        run, _ = self.shown()
        folder = self.shared / "one"
        result = window(run, "--screenshot", folder, "--view", "timeline", "--window", "0.1..0.4", "--theme", "dark")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([picture.name for picture in folder.glob("*.png")], [f"{run.name}-timeline.png"])

    def test_without_a_screen_pictures_are_made_and_a_window_is_refused(self):
        run, _ = self.shown()
        without = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        folder = self.shared / "none"
        made = subprocess.run([GUI, run, "--screenshot", folder, "--view", "summary"], capture_output=True, text=True, env=without, timeout=240, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        refused = subprocess.run([GUI, run], capture_output=True, text=True, env=without, timeout=60, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("there is no screen", refused.stderr)

    def test_what_is_no_run_is_told_in_one_line(self):
        foreign = self.shared / "foreign.db"
        foreign.write_bytes(b"SQLite format 3\0" + bytes(4080))
        empty = self.shared / "nothing"
        empty.mkdir(exist_ok=True)
        for path in (foreign, empty, pathlib.Path("/no/such/run")):
            with self.subTest(path=path.name):
                result = window(path, "--screenshot", self.shared / "never")
                self.assertEqual(result.returncode, 1)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn(str(path), result.stderr)

    def test_arguments_that_make_no_sense_are_refused(self):
        for words in (["--window", "5..1"], ["--ranks", "x"], ["--view", "nowhere"], ["--size", "1x1"], ["--nonsense"], ["--screenshot", "somewhere"]):
            with self.subTest(words=words):
                result = window(*words)
                self.assertEqual(result.returncode, 2, result.stderr)


TWO_HOSTS = {
    "title": "Two hosts with a cold first epoch",
    "seed": 3,
    "cluster": {"nodes": 2, "gpus_per_node": 2, "memory_gb": 64, "processors": 16, "gpu": "GPU"},
    "link": {"gbps": 100},
    "storage": {"mount": "/data", "bandwidth_mb_s": 400, "node_mb_s": 400, "cache_gb": 0},
    "data": {"samples": 6400, "bytes": 7e8, "files": 16},
    "model": {"name": "resnet50", "batch_per_gpu": 64, "compute_ms": 100},
    "training": {"epochs": 3},
}

# Title of a column, and the report's name for it.
EPOCH_FIGURES = {"epoch": "number", "time": "time_ns", "samples/s": "samples_per_second", "asked": "asked_bytes", "fetched": "fetched_bytes",
                 "from cache": "from_cache", "shuffle gap": "shuffle_gap_ns", "found by": "found_by"}
COLLECTIVE_FIGURES = {"collective": "collective", "bytes": "bytes_of_rank", "ranks": "ranks", "calls": "calls", "wait": "median_wait_ns",
                      "transfer": "median_transfer_ns", "algbw": "algbw_bytes_per_second", "busbw": "busbw_bytes_per_second",
                      "waited in all": "waited_ns", "transferred in all": "moved_ns"}


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
class FiguresAreTheReports(RunTestCase):
    """Every figure that both the report and a table of the window show."""

    def table(self, view):
        with open(self.folder / "pictures" / f"run1-{view}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def assert_equal_rows(self, shown, told, figures):
        """told: of the report's JSON. What was not measured is no number in either."""
        self.assertEqual(len(shown), len(told))
        for row, facts in zip(shown, told):
            for title, name in figures.items():
                with self.subTest(column=title, row=row):
                    if isinstance(facts[name], str):
                        self.assertEqual(row[title], facts[name])
                    elif isinstance(facts[name], dict):
                        self.assertEqual(row[title], "–")
                    else:
                        self.assertEqual(float(row[title]), facts[name])

    def test_in_every_table(self):
        run = simulate(self, TWO_HOSTS, "run1")
        report = json.loads(subprocess.run([FLOWGAUGE, "report", run, "--format", "json"], capture_output=True, text=True, check=True).stdout)
        result = window(run, "--screenshot", self.folder / "pictures", "--size", "1280x800")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_equal_rows(self.table("summary"), report["epochs"], {**EPOCH_FIGURES, "evaluation": "evaluation_bytes"})
        self.assert_equal_rows(self.table("epochs"), report["epochs"], EPOCH_FIGURES)

        def key(row):
            return row["collective"], float(row.get("bytes", row.get("bytes_of_rank"))), int(float(row["ranks"]))

        self.assertGreater(len(report["collectives"]), 0)
        self.assert_equal_rows(sorted(self.table("network"), key=key), sorted(report["collectives"], key=key), COLLECTIVE_FIGURES)
        self.assertGreater(len(report["network"]["ports"]), 1)
        for i, row in enumerate(self.table("epochs")):
            received = sum(port["epochs"][i]["received"]["moved_bytes"] for port in report["network"]["ports"])
            self.assertAlmostEqual(float(row["received"]) / received, 1, places=6)


if __name__ == "__main__":
    unittest.main()
