# SPDX-License-Identifier: MIT
"""flowgauge study and compare: on simulated runs of the first study, on real logs of 1, 2 and 4 nodes, and as a gate."""
import json
import os
import pathlib
import sqlite3
import unittest

from harness import FLOWGAUGE, RunTestCase
from simulation import STUDIES, simulate, small_job, truth_of

FIXTURES = pathlib.Path(os.environ.get("FLOWGAUGE_FIXTURES", "/nowhere")) / "mllog"
SMALL = small_job(nodes=1, gpus_per_node=2, samples=6400)


class Study(RunTestCase):
    def study(self, *runs, form="json"):
        done = self.call([FLOWGAUGE, "study", *map(str, runs), "--format", form])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout) if form == "json" else done.stdout

    def test_the_first_study_scales_as_it_was_published(self):
        runs = [simulate(self, STUDIES / f"first_{name}.json", name) for name in ("8_nodes", "1_node", "4_nodes", "2_nodes")]
        study = self.study(*runs)
        column = lambda key: [run[key] for run in study["runs"]]
        self.assertEqual(column("nodes"), [1, 2, 4, 8])
        for value, expected in zip(column("speed_up"), (1, 1.8, 3.3, 4.9)):
            self.assertAlmostEqual(value, expected, delta=0.05)
        for value, expected in zip(column("throughput_scaling"), (1, 1.83, 3.52, 6.51)):
            self.assertAlmostEqual(value, expected, delta=0.01)
        self.assertEqual(column("epochs_to_target"), [61, 62, 65, 81])
        self.assertEqual(column("storage_quiet_from_epoch"), [2, 6, 12, 24])
        for run in study["runs"]:
            self.assertAlmostEqual(run["speed_up"], run["throughput_scaling"] * run["statistical_efficiency"], delta=0.05)
        for value, expected in zip(column("sent_per_node_bytes_per_second"), (0, 306e6, 442e6, 477e6)):
            self.assertAlmostEqual(value, expected, delta=0.03 * expected)
        for value, expected in zip(column("demand_bytes_per_second"), (613e6, 1120e6, 2160e6, 3990e6)):
            self.assertAlmostEqual(value, expected, delta=0.01 * expected)
        growth = study["growth_per_doubling"]
        self.assertAlmostEqual(growth["disk"]["share"], 0.66, delta=0.05)
        self.assertTrue(50e6 < growth["network"]["amount"] < 300e6, growth["network"])
        self.check_losses(study)
        text = self.study(*runs, "--beside", STUDIES / "first_published.json", form="text")
        self.assertIn("SIMULATION", text)
        for words in ("8 nodes (32 ranks)", "epoch 24", "0 B/s", "BESIDE WHAT WAS PUBLISHED", "published trend"):
            self.assertIn(words, text)
        lines = [" ".join(line.split()) for line in text.splitlines()]
        self.assertIn("8_nodes 8 4.89x 4.90x 6.51x 6.51x 81 81", lines)
        self.assertIn("peak of the storage's disks +66 % +66 %", lines)
        published = self.study(*runs, "--beside", STUDIES / "first_published.json")["published"]
        self.assertEqual([run["epochs_to_target"] for run in published["runs"]], column("epochs_to_target"))
        self.assertEqual((published["disk_share_per_doubling"], published["network_bytes_per_second_per_doubling"]), (0.66, 1e8))

    def check_losses(self, study):
        """The causes add up to what a run spends beyond the smallest."""
        spent = [sum(run["gpu_seconds"].values()) for run in study["runs"]]
        for run, seconds in zip(study["runs"], spent):
            self.assertAlmostEqual(sum(run["gpu_seconds_lost"].values()), seconds - spent[0], delta=1e-6 * seconds)
        last = study["runs"][-1]["gpu_seconds_lost"]
        self.assertGreater(last["more epochs"], 0)
        self.assertGreater(last["exposed communication"], 0)

    @unittest.skipUnless(FIXTURES.exists(), "FLOWGAUGE_FIXTURES holds no MLPerf logs")
    def test_real_logs_of_1_2_and_4_nodes_scale_as_their_dates_say(self):
        runs = []
        for nodes in (1, 2, 4):
            runs.append(self.folder / f"dell-{nodes}")
            self.assertEqual(self.call([FLOWGAUGE, "import-log", FIXTURES / f"v07_dell_c4140_{nodes}node.txt", "-o", runs[-1]]).returncode, 0)
        study = self.study(*runs)["runs"]
        self.assertEqual([run["nodes"] for run in study], [1, 2, 4])
        for run, scaling, speedup in zip(study, (1, 2.01, 3.96), (1, 2.01, 3.86)):
            self.assertAlmostEqual(run["throughput_scaling"], scaling, delta=0.01)
            self.assertAlmostEqual(run["speed_up"], speedup, delta=0.01)
            self.assertFalse(run["cold_first_epoch"])

    @unittest.skipUnless(FIXTURES.exists(), "FLOWGAUGE_FIXTURES holds no MLPerf logs")
    def test_the_cold_first_epoch_of_an_8_gpu_server_is_named_as_limited_by_storage(self):
        run = self.folder / "dss8440"
        self.assertEqual(self.call([FLOWGAUGE, "import-log", FIXTURES / "v07_dell_dss8440_coldfirst.txt", "-o", run]).returncode, 0)
        server = self.study(run)["runs"][0]
        self.assertTrue(server["cold_first_epoch"])
        self.assertAlmostEqual(server["first_epoch_demand_bytes_per_second"], 1.03e9, delta=0.01e9)
        self.assertIn("Storage limits it with a cold cache", self.study(run, form="markdown"))

    def test_published_figures_that_are_none_are_refused_in_one_line(self):
        run = simulate(self, SMALL, "one")
        for content, word in (("{", "no published figures"), ('{"source": "x", "runs": [{"nodes": 1}]}', "speed_up"),
                              ('{"source": "x", "growth_per_doubling": {"network": "fast"}}', "expected a speed")):
            (self.folder / "published.json").write_text(content)
            done = self.call([FLOWGAUGE, "study", run, "--beside", self.folder / "published.json"])
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(word, done.stderr)

    def test_one_run_is_no_study_and_says_so(self):
        self.assertIn("One run alone does not scale", self.study(simulate(self, SMALL, "one"), form="text"))


class Links(RunTestCase):
    def whatif(self, run, *words):
        done = self.call([FLOWGAUGE, "whatif", run, *words])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_100_instead_of_25_gbps_gains_what_the_model_of_no_overlap_says_beside_what_was_published(self):
        for nodes, gain, published in ((2, 0.058, 0.06), (4, 0.086, 0.116)):
            run = simulate(self, STUDIES / f"a100_{nodes}_nodes_25gbe.json", f"{nodes}-25")
            words = ("--link", "100Gb/s", "--beside", STUDIES / "a100_published.json")
            answer = json.loads(self.whatif(run, *words, "--format", "json"))
            self.assertAlmostEqual(answer["throughput_gain"], gain, delta=0.0005)
            self.assertLess(answer["throughput_gain_error"], 0.001)
            self.assertEqual(answer["published_throughput_gain"], published)
            faster = simulate(self, STUDIES / f"a100_{nodes}_nodes_100gbe.json", f"{nodes}-100")
            truth = truth_of(run)["run_ns"] / truth_of(faster)["run_ns"]
            self.assertAlmostEqual(answer["run_ns"] / answer["predicted_run_ns"], truth, delta=0.0005)
            text = self.whatif(run, *words)
            self.assertIn(f"Throughput would change by +{gain * 100:.1f} % (±", text)
            self.assertIn(f"Published: +{published * 100:.3g} %", text)

    def test_a_change_that_nobody_published_is_said_to_be_none(self):
        run = simulate(self, STUDIES / "a100_2_nodes_100gbe.json", "run")
        done = self.call([FLOWGAUGE, "whatif", run, "--link", "200Gb/s", "--beside", STUDIES / "a100_published.json"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds no figure for such a change of links between 2 hosts", done.stderr)


class Simulation(RunTestCase):
    def test_a_straggler_among_16_ranks_is_named_though_the_clocks_of_the_hosts_are_hardly_known(self):
        run = simulate(self, {
            "cluster": {"nodes": 4, "gpus_per_node": 4}, "link": {"gbps": 20}, "data": {"samples": 10240, "bytes": 1e9, "files": 16},
            "model": {"compute_ms": 80, "batch_per_gpu": 16}, "training": {"epochs": 3}, "recording": {"counters_per_second": 5},
            "clocks": [{"node": 1, "offset_ms": 4, "drift_ppm": 10}, {"node": 3, "offset_ms": -2}],
            "faults": [{"kind": "straggler", "amount": 0.4, "rank": 5}]}, "run")
        report = json.loads(self.call([FLOWGAUGE, "report", run, "--format", "json"]).stdout)
        top = report["findings"][0]
        self.assertEqual((top["diagnosis"], top["ranks"]), ("straggler", [5]))
        self.assertAlmostEqual(top["gain"], truth_of(run)["faults"][0]["gain"], delta=0.06)
        self.assertEqual([row["host"] for row in report["clocks"]], [f"sim-node-{node}" for node in range(1, 5)])
        for row, ahead in zip(report["clocks"], (0, 4e6, 0, -2e6)):
            self.assertLessEqual(abs(row["ahead_ns"] - ahead), row["error_ns"] + 200e3, row)
        self.assertIn("CLOCKS", self.call([FLOWGAUGE, "report", run]).stdout)

    def test_where_nothing_tells_epochs_the_rhythm_of_traffic_does(self):
        run = simulate(self, {
            "cluster": {"nodes": 2, "gpus_per_node": 1}, "data": {"samples": 3200, "bytes": 0},
            "model": {"compute_ms": 50, "batch_per_gpu": 32}, "training": {"epochs": 4, "shuffle_pause_s": 1},
            "recording": {"counters_per_second": 10, "epoch_marks": False}}, "run")
        with sqlite3.connect(run / "run.db") as database:
            database.execute("DELETE FROM output_line")
        report = json.loads(self.call([FLOWGAUGE, "report", run, "--format", "json"]).stdout)
        self.assertEqual({epoch["found_by"] for epoch in report["epochs"]}, {"rhythm of traffic"})
        for epoch, true in zip(report["epochs"], truth_of(run)["epochs"], strict=True):
            self.assertAlmostEqual(epoch["time_ns"], true["end_ns"] - true["begin_ns"], delta=report["breakdown"]["length_ns"])
            self.assertAlmostEqual(epoch["confidence"], 0.875, delta=0.001)
        self.assertIn("rhythm of traffic (88 %)", self.call([FLOWGAUGE, "report", run]).stdout)

    def test_a_report_agrees_with_the_truth_table_and_says_what_it_is(self):
        parameters = dict(SMALL, cluster={"nodes": 2, "gpus_per_node": 2}, link={"gbps": 5}, training={"epochs": 3, "shuffle_pause_s": 1})
        run = simulate(self, parameters, "run")
        truth = truth_of(run)
        done = self.call([FLOWGAUGE, "report", run, "--format", "json"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertIn("nothing of it was measured", report["run"]["simulated"])
        self.assertTrue(report["run"]["program"].startswith("simulated "))
        self.assertEqual((report["run"]["ranks"], report["run"]["hosts"]), (4, 2))
        for part in report["breakdown"]["parts"]:
            self.assertAlmostEqual(part["share"], truth["parts"].get(part["part"], 0), delta=1e-4, msg=part["part"])
        for epoch, expected in zip(report["epochs"], truth["epochs"], strict=True):
            self.assertEqual(epoch["time_ns"], expected["end_ns"] - expected["begin_ns"])
            self.assertAlmostEqual(epoch["asked_bytes"], expected["asked_bytes"], delta=0.001 * expected["asked_bytes"])
            self.assertAlmostEqual(epoch["fetched_bytes"], expected["fetched_bytes"], delta=0.05 * truth["epochs"][0]["fetched_bytes"])
        text = self.call([FLOWGAUGE, "report", run]).stdout
        self.assertIn("\nSIMULATION  ", text)

    def test_equal_parameters_give_equal_runs_and_a_real_run_is_never_replaced(self):
        first, second = simulate(self, SMALL, "first"), simulate(self, SMALL, "second")
        self.assertEqual(truth_of(first), truth_of(second))
        dump = lambda run: self.call([FLOWGAUGE, "query", run, "SELECT kind, rank, begin_ns, end_ns FROM event ORDER BY 2, 3, 1"]).stdout
        self.assertEqual(dump(first), dump(second))
        (first / "truth.json").unlink()
        refused = self.call([FLOWGAUGE.parent / "flowgauge-simulate", self.folder / "first.json", "-o", first, "--force"])
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is no simulation that could be replaced", refused.stderr)


class Compare(RunTestCase):
    def compare(self, *words):
        done = self.call([FLOWGAUGE, "compare", *words])
        return done.returncode, done.stdout, done.stderr

    def test_two_recordings_of_one_job_differ_by_noise_only(self):
        runs = [simulate(self, dict(SMALL, seed=seed), f"run{seed}") for seed in (1, 2)]
        status, text, _ = self.compare(*runs, "--fail-slower", 1)
        self.assertEqual(status, 0)
        self.assertIn("No difference beyond noise", text)
        self.assertNotIn("WORSE", text)

    def test_a_slower_run_shuts_the_gate_and_says_why(self):
        before = simulate(self, dict(SMALL, cluster={"nodes": 2, "gpus_per_node": 1}), "before")
        after = simulate(self, dict(SMALL, cluster={"nodes": 2, "gpus_per_node": 1}, faults=[{"kind": "slow_link", "amount": 5}]), "after")
        status, text, complaint = self.compare(before, after, "--fail-slower", 5)
        self.assertEqual(status, 3)
        self.assertIn("slower, more than the 5 % of --fail-slower", complaint)
        self.assertRegex(" ".join(text.split()), r"VERDICT after is \d+ % slower than before .*mostly by exposed communication")
        self.assertLessEqual(len(text.splitlines()), 40, "one screen")
        self.assertEqual(self.compare(before, after)[0], 0, "no gate was asked for")
        self.assertEqual(self.compare(after, before, "--fail-slower", 5)[0], 0, "faster is no failure")
        values = json.loads(self.compare(before, after, "--format", "json")[1])
        truths = [truth_of(run)["parts"] for run in (before, after)]
        self.assertGreater(values["slower"], 0.05)
        self.assertGreater(truths[1]["exposed communication"], truths[0]["exposed communication"])


if __name__ == "__main__":
    unittest.main()
