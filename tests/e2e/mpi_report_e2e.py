# SPDX-License-Identifier: MIT
"""flowgauge-mpi report: however many processes share the work, the report is that of flowgauge report."""
import json
import re
import unittest

from harness import BUILD, FLOWGAUGE
from simulation import simulate
from training import TrainingTestCase

FLOWGAUGE_MPI = BUILD / "bin" / "flowgauge-mpi"
CLUSTER = {
    "cluster": {"nodes": 4, "gpus_per_node": 4},
    "data": {"samples": 16 * 16 * 40, "bytes": 1e9, "files": 16},
    "model": {"compute_ms": 80, "batch_per_gpu": 16},
    "link": {"gbps": 20},
    "training": {"epochs": 3, "evaluate_every": 2, "evaluation_s": 0.4},
    "recording": {"counters_per_second": 5},
    "clocks": [{"node": 1, "offset_ms": 4, "drift_ppm": 10}, {"node": 3, "offset_ms": -2}],
    "faults": [{"kind": "straggler", "amount": 0.4, "rank": 5}],
}


@unittest.skipUnless(FLOWGAUGE_MPI.exists(), "flowgauge-mpi is not built: no MPI here")
class MpiReport(TrainingTestCase):
    def alone(self, run, *words):
        done = self.call([FLOWGAUGE, "report", run, "--format", "json", *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def by_processes(self, run, processes, *words):
        done = self.call([*self.launcher(processes, "openmpi"), FLOWGAUGE_MPI, "report", run, *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        took = re.findall(r"process (\d+) of (\d+): (\d+) ranks in [\d.]+ s, at most [\d.]+ [kMG]?B of memory", done.stderr)
        self.assertEqual([(int(number), int(of)) for number, of, _ in took], [(i, processes) for i in range(processes)], done.stderr)
        return done.stdout, [int(ranks) for _, _, ranks in took]

    def test_a_cluster_of_16_ranks_is_judged_alike_by_1_2_and_3_processes(self):
        run = simulate(self, CLUSTER, "cluster")
        whole = self.alone(run)
        self.assertTrue(whole["findings"] and whole["collectives"])
        for processes, shares in ((1, [16]), (2, [8, 8]), (3, [5, 5, 6])):
            text, ranks = self.by_processes(run, processes, "--format", "json")
            self.assertEqual(json.loads(text), whole)
            self.assertEqual(ranks, shares)

    def test_epochs_of_a_log_or_of_a_window_are_the_same_too(self):
        run = simulate(self, dict(CLUSTER, recording={"epoch_marks": False}), "logged")
        self.assertEqual(self.alone(run)["epochs"][0]["found_by"], "log")
        self.assertEqual(json.loads(self.by_processes(run, 2, "--format", "json")[0]), self.alone(run))
        window = ("--window", "4..9")
        self.assertEqual(json.loads(self.by_processes(run, 2, "--format", "json", *window)[0]), self.alone(run, *window))

    def test_a_recorded_job_is_judged_alike_by_more_processes_than_ranks(self):
        run = self.train("--epochs", 2).path
        text, ranks = self.by_processes(run, 3, "--format", "json")
        self.assertEqual(json.loads(text), self.alone(run))
        self.assertEqual(sum(ranks), 2)
        self.assertEqual(self.by_processes(run, 2)[0], self.call([FLOWGAUGE, "report", run]).stdout)

    def test_what_is_no_run_is_refused_once_and_nobody_is_left_waiting(self):
        done = self.call([*self.launcher(2, "openmpi"), FLOWGAUGE_MPI, "report", self.folder / "nowhere"])
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("there is no such run"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
