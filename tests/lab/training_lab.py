# SPDX-License-Identifier: MIT
"""What the report says of a training job over NFS: where each epoch's bytes came from, and what the port carried them for. Runs in the
guest that boot.py makes."""
import unittest

from over_nfs import OverNfs

BYTES = r"[\d.]+ [kM]?B"


class Training(OverNfs):
    dataset_options = {"samples": 96, "validation": 16, "mean_bytes": 300_000, "pixels": 32, "shards": 4}

    def test_a_run_that_fits_is_cold_once_and_then_in_memory(self):
        # A step outlasts a reading of the counters: what comes before an epoch's last step has been read when the next one begins.
        run = self.train("--epochs", 3, "--evaluate-every", 0, "--no-decode", compute_ms=200)
        report = self.report(run)
        self.assert_told(report, rf"Epoch 1 was cold: {BYTES} came from the NFS server at {BYTES}/s\.",
                         rf"Epochs 2–3 were served from client memory: {BYTES} of the {BYTES} asked for came from the NFS server\.",
                         rf"Of the {BYTES} that data on node received, storage was 9\d % and gradients 0 %; of the {BYTES} that it sent, .*",
                         rf"The data set \({BYTES}\) fits into the file cache of the host: forecast 100 % from memory, observed 100 % in epoch 3\.")
        cache = report["storage"]["cache"]
        self.assertEqual((cache["forecast"], cache["data_bytes"]), (1, report["epochs"][0]["asked_bytes"]))
        self.assertGreater(cache["observed"], 0.99)


if __name__ == "__main__":
    unittest.main(verbosity=2)
