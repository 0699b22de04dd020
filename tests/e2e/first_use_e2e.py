# SPDX-License-Identifier: MIT
"""Keys and clicks on the real window: which epoch was slow, why, and a picture of it, in six actions; a job that is still running."""
import json
import subprocess
import time
import unittest

import screen
from harness import FLOWGAUGE, RunTestCase, find_mpirun, find_program
from screen import Picture, Screen, awaited
from simulation import simulate
from training import make_dataset
from window import GUI, surroundings

INPUT_STALL = (0xE6, 0x9F, 0x00)

COLD_FIRST_EPOCH = {
    "title": "A cold first epoch",
    "seed": 1,
    "cluster": {"nodes": 1, "gpus_per_node": 2, "memory_gb": 64, "processors": 16, "gpu": "GPU"},
    "link": {"gbps": 100},
    "storage": {"mount": "/data", "bandwidth_mb_s": 100, "node_mb_s": 100, "cache_gb": 0},
    "data": {"samples": 12800, "bytes": 1.4e9, "files": 16},
    "model": {"name": "resnet50", "batch_per_gpu": 128, "compute_ms": 100},
    "training": {"epochs": 4},
}


class Hands(RunTestCase):
    """Keys on the real window of a run that is called run1."""

    def written(self, display, keys, dialog, pattern, whole):
        """The file that an export writes under the name that is proposed. Nothing where a key came before the window had the keyboard:
        then it is to be pressed again, as anybody would."""
        display.focus("run1 ")
        display.press(keys)
        until = time.monotonic() + 5
        while not display.window(dialog) and time.monotonic() < until:
            time.sleep(0.05)
        if not display.window(dialog):
            return None
        display.focus(dialog)
        until += 30
        while time.monotonic() < until:
            if display.window(dialog):
                display.press("Enter")
            time.sleep(0.3)
            if done := next((file for file in self.folder.glob(pattern) if whole(file.read_bytes())), None):
                return done
        return None


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
@unittest.skipIf(screen.missing(), screen.missing())
class FirstUse(Hands):
    def slowest_epoch(self, run):
        text = subprocess.run([FLOWGAUGE, "report", run, "--format", "json"], capture_output=True, text=True, check=True).stdout
        return max(json.loads(text)["epochs"], key=lambda epoch: epoch["time_ns"])

    def orange_bar(self, run, environment):
        """Where the eye finds the slow epoch on the page of epochs: the longest stretch of the colour of waiting for data."""
        shots = self.folder / "shots"
        subprocess.run([GUI, run, "--screenshot", shots, "--view", "epochs", "--size", "1280x800", "--theme", "light"], env=environment,
                       check=True, timeout=240, stderr=subprocess.DEVNULL)
        places = Picture(shots / f"{run.name}-epochs.png").places(INPUT_STALL)
        columns = {}
        for x, y in places:
            columns.setdefault(x, []).append(y)
        x, rows = max(columns.items(), key=lambda column: len(column[1]))
        self.assertGreater(len(rows), 20, "no bar of input stall to be seen")
        return x, rows[len(rows) // 2]

    def test_open_find_the_slow_epoch_its_cause_and_export_the_picture(self):
        run = simulate(self, COLD_FIRST_EPOCH, "run1")
        slow = self.slowest_epoch(run)
        with Screen() as display:
            environment = surroundings(DISPLAY=display.name, QT_QPA_PLATFORM="xcb")
            bar = self.orange_bar(run, environment)
            # 1: open
            with subprocess.Popen([GUI, run, "--size", "1280x800", "--theme", "light"], env=environment, cwd=self.folder,
                                  stderr=subprocess.DEVNULL) as window:
                try:
                    display.focus("run1 ")
                    awaited(lambda: self.shown(display, "Alt+3", "epochs"), "the page of epochs")  # 2: how the epochs differ
                    display.click(*bar)  # 3: the bar with the orange part
                    # 4: the timeline, which now shows that epoch; 5 and 6: Ctrl+E, Enter
                    picture = awaited(lambda: self.shown(display, "Alt+2", "timeline"), "the exported picture")
                finally:
                    window.terminate()
        begin, end = (float(word) for word in picture.texts["Description"].split("--window ")[1].split()[0].split(".."))
        self.assertAlmostEqual((end - begin) * 1e9, slow["time_ns"], delta=1e6)
        self.assertGreater(len(picture.places(INPUT_STALL)), 1000, "the cause is not to be seen in the picture")

    def shown(self, display, key, view):
        """Goes to a view by its key and exports its picture."""
        display.focus("run1 ")
        display.press(key)
        done = self.written(display, "Ctrl+E", "Export the picture", "run1-*.png", lambda png: png.endswith(b"IEND\xaeB`\x82"))
        if done is None:
            return None
        picture = Picture(done)
        done.unlink()
        return picture if done.name == f"run1-{view}.png" else None


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
@unittest.skipIf(screen.missing(), screen.missing())
@unittest.skipUnless(find_mpirun("openmpi"), "no Open MPI")
class ARunningJob(Hands):
    def test_is_followed_without_a_key(self):
        data, run = make_dataset(self.folder / "set"), self.folder / "run1"
        trainer = [*find_mpirun("openmpi"), "-np", "1", find_program("train_sim"), data, "--epochs", "1000", "--batch", "8", "--compute-ms", "50"]
        with Screen() as display, subprocess.Popen([FLOWGAUGE, "run", "-o", run, "--", *map(str, trainer)], stdout=subprocess.DEVNULL,
                                                   stderr=subprocess.DEVNULL) as job:
            try:
                awaited(lambda: self.epochs_reported(run), "the first epochs")
                environment = surroundings(DISPLAY=display.name, QT_QPA_PLATFORM="xcb")
                with subprocess.Popen([GUI, run, "--view", "epochs"], env=environment, cwd=self.folder, stderr=subprocess.DEVNULL) as window:
                    try:
                        display.focus("run1 ")
                        before = awaited(lambda: self.epochs_shown(display), "a table of epochs")
                        awaited(lambda: self.epochs_shown(display) > before, "more epochs than before")
                    finally:
                        window.terminate()
            finally:
                job.terminate()

    def epochs_reported(self, run):
        done = subprocess.run([FLOWGAUGE, "report", run, "--format", "json"], capture_output=True, text=True, check=False)
        return done.returncode == 0 and len(json.loads(done.stdout)["epochs"]) > 1

    def epochs_shown(self, display):
        """Lines of the table of epochs, as it is exported; 0 where there is none yet."""
        file = self.written(display, "Ctrl+Shift+E", "Export the table", "run1-epochs.csv", lambda csv: csv.endswith(b"\n"))
        lines = file.read_text().count("\n") - 1 if file else 0
        if file:
            file.unlink()
        return lines


if __name__ == "__main__":
    unittest.main()
