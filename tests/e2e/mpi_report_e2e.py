# SPDX-License-Identifier: MIT
"""flowgauge-mpi report: however many processes share the work, the report is that of flowgauge report."""
import json
import re
import shutil
import sqlite3
import unittest

from harness import BUILD, FLOWGAUGE, find_program
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


def part_of(run, host, folder):
    """What a host of the run would have kept for itself; the storage's host and the job's output lie with the first."""
    folder.mkdir()
    shutil.copy(run / "run.db", folder / "run.db")
    database = sqlite3.connect(folder / "run.db")
    first = host == "sim-node-1"
    others = f"(SELECT id FROM host WHERE name <> '{host}' AND NOT ({int(first)} AND name = 'sim-storage'))"
    tracks = f"(SELECT id FROM track WHERE host_id IN {others})"
    database.executescript(f"""
        DELETE FROM chunk_payload WHERE id IN (SELECT id FROM chunk WHERE track_id IN {tracks});
        DELETE FROM chunk WHERE track_id IN {tracks};
        DELETE FROM tile WHERE track_id IN {tracks};
        DELETE FROM name_stat WHERE track_id IN {tracks};
        DELETE FROM track WHERE host_id IN {others};
        DELETE FROM communicator WHERE process_id IN (SELECT id FROM process WHERE host_id IN {others});
        DELETE FROM process WHERE host_id IN {others};
        DELETE FROM output_line WHERE NOT {int(first)};
        DELETE FROM host WHERE id IN {others};
        VACUUM;""")
    database.close()
    return folder


def figures(page):
    """The drawings of a page by their id."""
    return dict(re.findall(r'<figure id="(\w+)">.*?(<svg.*?</svg>)', page, re.DOTALL))


@unittest.skipUnless(FLOWGAUGE_MPI.exists(), "flowgauge-mpi is not built: no MPI here")
class MpiReport(TrainingTestCase):
    def alone(self, run, *words):
        done = self.call([FLOWGAUGE, "report", run, "--format", "json", *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def by_processes(self, runs, processes, *words):
        runs = runs if isinstance(runs, list) else [runs]
        done = self.call([*self.launcher(processes, "openmpi"), FLOWGAUGE_MPI, "report", *runs, *words])
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

    def test_parts_that_each_host_kept_are_judged_as_the_whole_run(self):
        for name, parameters in (("marked", CLUSTER), ("logged", dict(CLUSTER, recording={"epoch_marks": False}))):
            run = simulate(self, parameters, name)
            whole = self.alone(run)
            parts = [part_of(run, f"sim-node-{number}", self.folder / f"{name}-{number}") for number in (1, 2, 3, 4)]
            for processes, shares in ((1, [16]), (2, [8, 8]), (5, [4, 4, 4, 4, 0])):
                text, ranks = self.by_processes(parts[::-1], processes, "--format", "json")
                joined = json.loads(text)
                self.assertEqual(joined["run"].pop("name"), f"{name}-4 and 3 more")
                self.assertEqual(joined, dict(whole, run={key: value for key, value in whole["run"].items() if key != "name"}))
                self.assertEqual(ranks, shares)

    def test_the_charts_of_parts_are_those_of_the_whole_run(self):
        run = simulate(self, CLUSTER, "charted")
        parts = [part_of(run, f"sim-node-{number}", self.folder / f"charted-{number}") for number in (1, 2, 3, 4)]
        whole = figures(self.call([FLOWGAUGE, "report", run, "--format", "html"]).stdout)
        self.assertEqual(list(whole), ["layers", "network", "steps"])
        for processes in (1, 3):
            self.assertEqual(figures(self.by_processes(parts, processes, "--format", "html")[0]), whole)

    def test_parts_that_were_begun_apart_are_told_by_one_clock(self):
        command = []
        for rank, part in enumerate("ab"):
            command += [":"] * rank + ["-np", "1", FLOWGAUGE, "run", "-o", self.folder / part, "--", find_program("train_sim"), self.data,
                                       "--ledger", self.folder / "ledger-%r.json", "--batch", "8", "--epochs", "2"]
        job = self.call([*self.launcher(2, "openmpi")[:-2], *command])
        self.assertEqual(job.returncode, 0, job.stderr)
        text, ranks = self.by_processes([self.folder / "a", self.folder / "b"], 2, "--format", "json")
        joined = json.loads(text)
        self.assertEqual((joined["run"]["ranks"], ranks), (2, [1, 1]))
        epochs = {1: [], 2: []}
        for part in "ab":
            run = self.open(self.folder / part, job)
            zero = run.value("SELECT value FROM meta WHERE key = 't_zero'")
            for number, begin, end in run.rows("SELECT number, begin_ns, end_ns FROM epoch_mark"):
                epochs[number] += [zero + begin, zero + end]
        asked = {}
        for processes in (1, 2):
            drawn = figures(self.by_processes([self.folder / "a", self.folder / "b"], processes, "--format", "html")[0])["layers"]
            asked[processes] = re.findall(r"asked by the program ([^\n<]+)", drawn)
        self.assertGreater(len(set(asked[1])), 1, "files of this disk: no mount counts what is asked, only the parts' own events tell")
        self.assertEqual(asked[1], asked[2])
        self.assertEqual({epoch["number"]: epoch["time_ns"] for epoch in joined["epochs"]},
                         {number: max(times) - min(times) for number, times in epochs.items()})

    def test_runs_that_are_no_parts_of_one_are_refused_in_one_line(self):
        run = simulate(self, CLUSTER, "one")
        smaller = simulate(self, dict(CLUSTER, cluster={"nodes": 1, "gpus_per_node": 4}, clocks=[], faults=[]), "smaller")
        for others, why in (([run, smaller], "belongs to a job of 4 ranks"), ([run, simulate(self, dict(CLUSTER, seed=2), "again")], "holds rank 0 as")):
            done = self.call([*self.launcher(2, "openmpi"), FLOWGAUGE_MPI, "report", *others])
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr.count(why), 1, done.stderr)

    def test_what_is_no_run_is_refused_once_and_nobody_is_left_waiting(self):
        done = self.call([*self.launcher(2, "openmpi"), FLOWGAUGE_MPI, "report", self.folder / "nowhere"])
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("there is no such run"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
