# SPDX-License-Identifier: MIT
"""A data set on an NFS server that does not fit into the job's memory: what the report forecasts of the client's cache for later epochs is
what the client then fetches less, by what mountstats counts on the wire. Runs in the guest that boot.py makes."""
import os
import sys
import unittest

from growth import growth
from over_nfs import PLACE, OverNfs
import harness
from memory_group import MemoryGroup
from training import make_dataset

# A client's pages of a mount are charged to the cgroup that reads them first; the server's own pages are not. Of it the programs' own
# memory takes some 47 MB.
JOB_MEMORY = 135 << 20
EPOCHS = 4
JOB = ("--compute-ms", 1, "--scale", 0.0001, "--evaluate-every", 0, "--no-decode")


class LargerThanMemory(OverNfs):
    """134 MB in records as large as ImageNet's, read in a new order each epoch."""
    dataset_options = {"samples": 1216, "validation": 16, "mean_bytes": 110_000, "pixels": 32, "shards": 4}

    def setUp(self):
        super().setUp()
        self.read_the_programs()
        self.group = MemoryGroup(f"flowgauge_{os.getpid()}", JOB_MEMORY)
        self.addCleanup(self.group.close)

    def read_the_programs(self):
        """Their pages are then charged to nobody's limit. A node's memory is large against them; of these 135 MiB they would take 30."""
        command, _ = self.command("train_sim", make_dataset(self.folder / "small"), "--batch", 8, *JOB, ranks=2, mpi="openmpi")
        job = self.call(command)
        self.assertEqual(job.returncode, 0, job.stderr)

    def test_as_much_is_in_the_clients_memory_as_was_forecast(self):
        command, path = self.command("train_sim", self.data, "--batch", 32, *JOB, "--epochs", EPOCHS, ranks=2, mpi="openmpi")
        job = self.call([*self.group.words(), *command])
        self.assertEqual(job.returncode, 0, job.stderr)
        run = self.open(path, job)
        report = self.report(run)
        cache, epochs = report["storage"]["cache"], report["epochs"]
        print(cache, *((epoch["asked_bytes"], epoch["fetched_bytes"]) for epoch in epochs), flush=True)
        self.assertGreater(cache["data_bytes"], 1.2 * cache["cache_bytes"])
        self.assertAlmostEqual(cache["forecast"], cache["observed"], delta=0.05)
        self.assertAlmostEqual(cache["forecast_fetched_per_asked"], cache["observed_fetched_per_asked"], delta=0.05)
        self.assertGreater(cache["observed"], 0.2)
        self.assert_the_wire_says_the_same(run, cache, epochs)
        self.assert_the_pages_are_seen(report["storage"]["data_in_memory"], cache)
        self.assert_told(report, r"The data set \(.*\) does not fit into the file cache of the job's cgroup \(.*\): read in a new order each "
                                 rf"epoch, forecast [\d.]+ % from memory, observed [\d.]+ % in epochs 3–{EPOCHS}\.")

    def assert_the_wire_says_the_same(self, run, cache, epochs):
        """What is observed is what mountstats counts, and it is known what the mount reads ahead and takes at once."""
        again = epochs[2:]
        fetched, asked = (sum(epoch[which] for epoch in again) for which in ("fetched_bytes", "asked_bytes"))
        self.assertAlmostEqual(cache["observed"], 1 - fetched / asked, delta=0.001)
        wire = growth(run, "nfs_fetched_bytes", PLACE, "nfs")
        self.assertAlmostEqual(sum(epoch["fetched_bytes"] for epoch in epochs) / wire, 1, delta=0.02)
        for counter, kib in ("read_ahead_kib", 128), ("largest_request_kib", 256):
            self.assertEqual(run.value("SELECT max(value) FROM memory_counter WHERE counter = ? AND source = ?", counter, str(PLACE)), kib << 10)

    def assert_the_pages_are_seen(self, memory, cache):
        """By the kernel's own count of the files' pages there are no more than the cache has room for. A look costs an emulated processor
        much, so that few, or none, fall on an epoch's end; of a server's files none is looked at before the job reads them."""
        print(memory, flush=True)
        self.assertEqual(memory["method"], "mincore(2)" if os.uname().release < "6.5" else "cachestat(2)")
        self.assertFalse(memory["start_known"])
        room = cache["cache_bytes"] / cache["data_bytes"]
        for look in memory["at"]:
            self.assertLess(look["share"], room + 0.02)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    print(f"kernel {os.uname().release}, {harness.BUILD}")
    unittest.main(verbosity=2)
