# SPDX-License-Identifier: MIT
"""Runs that lack what most have: every form of the report says something sensible of them, never nan, never a share below 0."""
import json
import re
import signal
import unittest

from harness import FLOWGAUGE, RunTestCase
from simulation import simulate, small_job

ORDINARY = small_job(nodes=2, gpus_per_node=1, samples=3200)


def shares_of(value, path=""):
    """Every share, gain and part in a JSON report, with where it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("share", "gain", "gain_error", "lowest", "highest", "from_cache", "confidence") and isinstance(inner, (int, float)):
                yield f"{path}.{key}", inner
            yield from shares_of(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from shares_of(inner, f"{path}[{position}]")


class OddRuns(RunTestCase):
    def report(self, run, status=0):
        """The JSON report, after all forms have been looked at."""
        for form in ("text", "markdown", "html", "json"):
            done = self.call([FLOWGAUGE, "report", run, "--format", form])
            self.assertEqual((done.returncode, done.stderr.count("\n")), (status, 1 if status else 0), (form, done.stderr))
            self.assertNotRegex(done.stdout, r"(?i)\b-?(nan|inf)\b", form)
            if form in ("text", "markdown"):
                self.assertNotRegex(done.stdout, r"-\d[\d.]* %", form)
        report = json.loads(done.stdout)
        for where, share in shares_of(report):
            self.assertTrue(0 <= share <= 1, f"{where} = {share}")
        parts = report["breakdown"]["parts"]
        if parts:
            self.assertAlmostEqual(sum(part["share"] for part in parts), 1, delta=1e-9)
        self.assertTrue(report["verdict"])
        return report

    def words(self, run):
        return " ".join(self.call([FLOWGAUGE, "report", run]).stdout.split())

    def test_a_job_that_did_nothing(self):
        run = self.profile("true", env={}).path
        report = self.report(run)
        self.assertEqual((report["run"]["processes"], report["epochs"], report["findings"]), (0, [], []))
        self.assertIn("No job was recorded", report["verdict"])

    def test_one_epoch(self):
        report = self.report(simulate(self, dict(ORDINARY, training={"epochs": 1}), "run"))
        self.assertEqual(len(report["epochs"]), 1)
        self.assertNotIn("shuffle_gap", [finding["diagnosis"] for finding in report["findings"]])

    def test_one_rank(self):
        run = simulate(self, dict(ORDINARY, cluster={"nodes": 1, "gpus_per_node": 1}), "run")
        report = self.report(run)
        self.assertEqual((report["run"]["ranks"], report["collectives"], report["clocks"]), (1, [], []))
        self.assertIn("1 rank on 1 host", self.words(run))

    def test_no_communication(self):
        report = self.report(simulate(self, dict(ORDINARY, model=dict(ORDINARY["model"], gradient_mb=0)), "run"))
        self.assertFalse({"exposed_communication", "slow_link", "late_bucket"} & {finding["diagnosis"] for finding in report["findings"]})

    def test_no_storage(self):
        run = simulate(self, dict(ORDINARY, data={"samples": 3200, "bytes": 0}), "run")
        report = self.report(run)
        self.assertEqual([epoch["asked_bytes"] for epoch in report["epochs"]], [0, 0, 0])
        self.assertEqual({json.dumps(epoch["from_cache"]) for epoch in report["epochs"]}, {json.dumps({"not_measured": "nothing was asked for"})})

    def test_a_program_that_was_killed_while_it_read(self):
        data = self.folder / "data.rec"
        data.write_bytes(bytes(1 << 20))
        kill = f"import os, signal; os.read(os.open('{data}', os.O_RDONLY), 1 << 20); os.kill(os.getpid(), signal.SIGKILL)"
        run = self.profile("/usr/bin/python3", "-c", kill, status=-signal.SIGKILL)
        self.assertEqual(run.rows(f"SELECT bytes FROM file_read WHERE file = '{data}'"), [(1 << 20,)])
        self.report(run.path)

    def test_a_rank_that_was_never_seen(self):
        run = simulate(self, dict(ORDINARY, faults=[{"kind": "missing_rank", "rank": 1}]), "run")
        self.report(run, status=2)  # an incomplete run is shown, and is no success
        self.assertIn("rank 1 of 2 is not in this recording", self.words(run))

    def test_a_hundred_thousand_steps(self):
        run = simulate(self, dict(ORDINARY, cluster={"nodes": 1, "gpus_per_node": 1},
                                  data={"samples": 3200000, "bytes": 0}, training={"epochs": 1},
                                  recording={"counters_per_second": 0.1}), "run")
        report = self.report(run)
        self.assertEqual(len(report["epochs"]), 1)
        self.assertTrue(re.search(r"1 h \d+ min", self.words(run)))


if __name__ == "__main__":
    unittest.main()
