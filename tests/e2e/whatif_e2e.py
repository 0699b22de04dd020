# SPDX-License-Identifier: MIT
"""What `flowgauge whatif` predicts from one run is measured in another: overlap, and a link four times as fast.

The link is a sleep for each reduction's bytes (programs/slow_link.c), so that two processors are enough for computing and communication
at once. On a busy machine both runs compute longer, not equally so: by how much computing differs between them is not the prediction's
fault, and is taken off.
"""
import json
import pathlib
import shutil
import tempfile
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase, find_program
from training import make_dataset

COMPUTE_MS = 90
SCALE = 0.01  # of ResNet-50's 102.2 MB
LINK = 10e6   # bytes a second: about 100 ms of reductions a step


class WhatIf(RunTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = BUILD / "lib" / "slow_link.so"
        if not cls.shim.exists():
            raise unittest.SkipTest("slow_link.so is not built: mpicc.openmpi is missing")
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_whatif_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.data = make_dataset(cls.shared / "set", validation=0)

    def train(self, *options, link=LINK):
        return self.profile("train_sim", self.data, "--no-decode", "--evaluate-every", 0, "--log-every", 1000, "--batch", 4, "--epochs", 2,
                            "--compute-ms", COMPUTE_MS, "--scale", SCALE, "--bucket-mib", 25, *options, ranks=2, mpi="openmpi",
                            env={"LD_PRELOAD": str(self.shim), "SLOW_LINK_BYTES_PER_SECOND": str(link)})

    def predicted(self, run, *options):
        answer = self.call([FLOWGAUGE, "whatif", run.path, "--format", "json", *options])
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        return json.loads(answer.stdout)

    def step(self, run):
        return run.value("SELECT avg(end_ns - begin_ns) FROM step_mark")

    def own(self, run):
        """What a step computes, on average."""
        computing = run.value("SELECT sum(end_ns - begin_ns) FROM phase_mark WHERE name IN ('forward', 'backward', 'optimizer')")
        return computing / run.value("SELECT count(*) FROM step_mark")

    def compare(self, before, after, prediction):
        measured, predicted = self.step(after), prediction["predicted_step_ns"]
        busier = abs(self.own(after) - self.own(before))
        error = prediction["predicted_step_error_ns"]
        print(f"before {self.step(before) / 1e6:.1f} ms, predicted {predicted / 1e6:.1f} ms (± {error / 1e6:.1f}), measured "
              f"{measured / 1e6:.1f} ms: {predicted / measured - 1:+.1%}; computing differs by {busier / 1e6:.1f} ms", flush=True)
        self.assertAlmostEqual(prediction["step_ns"] / self.step(before), 1, delta=0.01)
        self.assertLess(abs(prediction["replay_off"]), 0.02)
        self.assertLess(abs(predicted - measured), 0.10 * measured + 2 * busier)

    def test_overlap_is_predicted_and_then_measured(self):
        serial = self.train("--no-overlap")
        prediction = self.predicted(serial, "--overlap")
        self.assertLess(prediction["predicted_step_ns"], prediction["step_ns"])
        self.compare(serial, self.train(), prediction)

    def test_a_faster_link_is_predicted_and_then_measured(self):
        slow = self.train("--no-overlap")
        prediction = self.predicted(slow, "--link", "4x")
        self.assertLess(prediction["predicted_step_ns"], prediction["step_ns"])
        self.compare(slow, self.train("--no-overlap", link=4 * LINK), prediction)

    def test_says_what_is_missing_and_what_cannot_be_read(self):
        run = self.profile(find_program("read_shards"), f"--dir={self.folder}", env={})
        for options, word in (((), "nothing is to change"), (("--overlap",), "cannot be replayed"),
                              (("--link", "fast"), "expected a speed"), (("--link", "x"), "expected a factor")):
            answer = self.call([FLOWGAUGE, "whatif", run.path, *options])
            self.assertEqual(answer.returncode, 2, answer.stderr)
            self.assertIn(word, answer.stderr)
            self.assertEqual(answer.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
