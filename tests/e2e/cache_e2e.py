# SPDX-License-Identifier: MIT
"""A data set that does not fit into the job's memory: what the report forecasts for its later epochs is what they then find in the cache.
On a file system of its own; skips, and says why, where there is no loop device or memory cgroup to be had."""
import json
import os
import subprocess
import unittest

from harness import FLOWGAUGE
from memory_group import MemoryGroup
from training import TrainingTestCase

# Of it the programs' own memory takes about 20 MB.
JOB_MEMORY = 125 << 20


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout.strip()


class DataLargerThanMemory(TrainingTestCase):
    """153 MB on a disk of its own, with the read-ahead that a class names."""
    READ_AHEAD_KIB = 0

    def setUp(self):
        super().setUp()
        try:
            self.mount_own_disk()
            self.group = MemoryGroup(f"flowgauge_{os.getpid()}", JOB_MEMORY)
        except (OSError, subprocess.CalledProcessError) as problem:
            self.skipTest(f"{problem} {getattr(problem, 'stderr', '')}")
        self.addCleanup(self.group.close)

    def mount_own_disk(self):
        """A copy of the data set, and nothing of it in memory."""
        image, place = self.folder / "image", self.folder / "disk"
        with open(image, "wb") as file:
            file.truncate(240 << 20)
        run("mkfs.ext4", "-q", "-F", image)
        device = run("losetup", "-f", "--show", "--direct-io=on", image)
        self.addCleanup(run, "losetup", "-d", device)
        place.mkdir()
        run("mount", device, place)
        self.addCleanup(run, "umount", place)
        run("cp", "-r", self.data, place / "set")
        run("umount", place)
        run("mount", device, place)
        with open(f"/sys/class/bdi/{run('mountpoint', '-d', place)}/read_ahead_kb", "w", encoding="ascii") as file:
            file.write(str(self.READ_AHEAD_KIB))
        self.slow_data = place / "set"

    def assert_as_much_is_still_there_as_was_forecast(self):
        """In memory, and fetched a byte asked for, which may be more than one where pages are read ahead in vain."""
        command, path = self.command("train_sim", self.slow_data, "--batch", 8, "--compute-ms", 2, "--epochs", 5, "--evaluate-every", 0,
                                     "--no-decode", ranks=2, mpi="openmpi")
        job = self.call([*self.group.words(), *command])
        self.assertEqual(job.returncode, 0, job.stderr)
        run = self.open(path, job)
        self.assertEqual(run.value("SELECT max(value) FROM memory_counter WHERE counter = 'read_ahead_kib' AND source = ?",
                                   str(self.slow_data.parent)), 1024 * self.READ_AHEAD_KIB)
        report = json.loads(self.call([FLOWGAUGE, "report", "--format", "json", path]).stdout)
        cache = report["storage"]["cache"]
        print(cache, flush=True)
        self.assertGreater(cache["data_bytes"], cache["cache_bytes"])
        self.assertAlmostEqual(cache["forecast"], cache["observed"], delta=0.05)
        self.assertAlmostEqual(cache["forecast_fetched_per_asked"], cache["observed_fetched_per_asked"], delta=0.05)
        told = "\n".join(report["storage"]["told"])
        self.assertRegex(told, r"(?m)^The data set \(.*\) does not fit into the file cache of the job's cgroup \(.*\): read in a new order "
                               r"each epoch, forecast [\d.]+ % from memory, observed [\d.]+ % in epochs 3–5\.$")
        return told


@unittest.skipIf(os.geteuid() != 0, "needs root to make a file system and a cgroup")
class LargeRecords(DataLargerThanMemory):
    dataset_options = {"samples": 512, "validation": 16, "mean_bytes": 300_000, "pixels": 32, "shards": 4}
    READ_AHEAD_KIB = 8

    def test_what_is_missing_is_fetched(self):
        self.assert_as_much_is_still_there_as_was_forecast()


@unittest.skipIf(os.geteuid() != 0, "needs root to make a file system and a cgroup")
class SmallRecords(DataLargerThanMemory):
    """Smaller than what is read ahead: pages of other records come with each, and are gone before those are read."""
    dataset_options = {"samples": 5120, "validation": 16, "mean_bytes": 30_000, "pixels": 32, "shards": 4}
    READ_AHEAD_KIB = 128

    def test_what_is_read_ahead_in_vain_is_in_the_forecast(self):
        told = self.assert_as_much_is_still_there_as_was_forecast()
        self.assertRegex(told, r"(?m)^By that forecast [\d.]+ % of the pages asked for are in memory, but with what is read ahead in vain ")


if __name__ == "__main__":
    unittest.main()
