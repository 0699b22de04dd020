# SPDX-License-Identifier: MIT
"""Somebody who has never seen the window: which epoch was slow, why, and a picture of it, in six actions."""
import json
import os
import subprocess
import time
import unittest

import screen
from harness import BUILD, FLOWGAUGE, RunTestCase
from screen import Picture, Screen, awaited
from simulation import simulate

GUI = BUILD / "bin" / "flowgauge-gui"
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


@unittest.skipUnless(GUI.exists(), "the window is not built (FLOWGAUGE_GUI=OFF)")
@unittest.skipIf(screen.missing(), screen.missing())
class FirstUse(RunTestCase):
    def surroundings(self, **more):
        for name in ("config", "runtime"):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        return {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_RUNTIME_DIR": str(self.folder / "runtime"), **more}

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
            environment = self.surroundings(DISPLAY=display.name, QT_QPA_PLATFORM="xcb")
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
        """Goes to a view by its key and exports it under the name that is proposed. Nothing where a key came before the window had
        the keyboard: then it is to be pressed again, as anybody would."""
        display.focus("run1 ")
        display.press(key)
        display.press("Ctrl+E")
        until = time.monotonic() + 5
        while not display.window("Export the picture") and time.monotonic() < until:
            time.sleep(0.05)
        if not display.window("Export the picture"):
            return None
        display.focus("Export the picture")
        while display.window("Export the picture") and time.monotonic() < until + 20:
            display.press("Enter")
            time.sleep(0.3)
        done = awaited(lambda: next((file for file in self.folder.glob("run1-*.png") if file.read_bytes().endswith(b"IEND\xaeB`\x82")), None),
                       "the picture to be written")
        picture = Picture(done)
        done.unlink()
        return picture if done.name == f"run1-{view}.png" else None


if __name__ == "__main__":
    unittest.main()
