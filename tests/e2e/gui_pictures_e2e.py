# SPDX-License-Identifier: MIT
"""Pictures of every view of four unlike runs, light and dark. FLOWGAUGE_PICTURES=DIR keeps them, to be looked at."""
import contextlib
import os
import pathlib
import re
import sqlite3
import unittest

from simulation import simulate
from training import TrainingTestCase
from window import GUI, size_of, window

VIEWS = {"summary", "timeline", "epochs", "storage", "network", "scaling", "sql"}

EIGHT_NODES = {
    "title": "ResNet-50 on eight nodes",
    "seed": 5,
    "cluster": {"nodes": 8, "gpus_per_node": 4, "memory_gb": 64, "processors": 16, "gpu": "GPU"},
    "link": {"gbps": 25, "scheme": "hierarchical"},
    "storage": {"mount": "/data", "bandwidth_mb_s": 1500, "node_mb_s": 1000, "cache_gb": 200},
    "data": {"samples": 163840, "bytes": 1.8e10, "files": 64},
    "model": {"name": "resnet50", "batch_per_gpu": 64, "compute_ms": 150, "overlap": True},
    "training": {"epochs": 60},
    "recording": {"counters_per_second": 1, "reads_per_step": 1},
}


def without_all_but_network(database):
    """What is left of a run when nothing but the ports' counters had been recorded."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        counters = "SELECT counter FROM counter_kind WHERE family IN ('nic', 'ib')"
        gone = f"SELECT id FROM track WHERE counter IS NULL OR counter NOT IN ({counters})"
        connection.execute(f"DELETE FROM chunk_payload WHERE id IN (SELECT id FROM chunk WHERE track_id IN ({gone}))")
        for table in ("chunk", "tile"):
            connection.execute(f"DELETE FROM {table} WHERE track_id IN ({gone})")
        connection.execute(f"DELETE FROM track WHERE id IN ({gone})")


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
class Pictures(TrainingTestCase):
    def pictures_of(self, run, what, size="1440x900", **environment):
        """Pictures and tables of all views, checked for what a program can see of them. The folder of those in the dark."""
        kept = os.environ.get("FLOWGAUGE_PICTURES")
        for theme in ("light", "dark"):
            folder = pathlib.Path(kept or self.folder) / "-".join([what, theme, size, *environment.values()])
            result = window(run, "--screenshot", folder, "--size", size, "--theme", theme, **environment)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            pictures = {picture.stem.removeprefix(run.name + "-"): picture for picture in folder.glob("*.png")}
            self.assertEqual(set(pictures), VIEWS)
            ratio = float(environment.get("QT_SCALE_FACTOR", 1))
            for picture in pictures.values():
                self.assertEqual(size_of(picture), tuple(int(int(side) * ratio) for side in size.split("x")), picture)
                self.assertGreater(picture.stat().st_size, 5000, picture)
            for table in folder.glob("*.csv"):
                self.assertIsNone(re.search(r"(?i)(^|[,\s])-?(nan|inf)\b", table.read_text(encoding="utf-8"), re.M), table)
        return folder

    def test_of_a_recorded_run(self):
        run = self.train("--epochs", "3", "--no-overlap").path
        self.pictures_of(run, "recorded")
        self.pictures_of(run, "recorded", size="1366x768")
        self.pictures_of(run, "recorded", QT_SCALE_FACTOR="2")

    def test_of_eight_nodes_and_sixty_epochs(self):
        self.pictures_of(simulate(self, EIGHT_NODES, "eight"), "eight")

    def test_of_a_run_in_which_nothing_happened(self):
        self.pictures_of(self.profile("true", env={}).path, "empty")

    def test_of_a_run_with_nothing_but_network_counters(self):
        run = simulate(self, {**EIGHT_NODES, "training": {"epochs": 3}}, "ports")
        without_all_but_network(run / "run.db")
        answer = self.pictures_of(run, "network").joinpath(run.name + "-sql.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(answer[0], "host,port,counter,begin_ns,end_ns,bytes", "the first question fits what the run holds")
        self.assertGreater(len(answer), 8)


if __name__ == "__main__":
    unittest.main()
