# SPDX-License-Identifier: MIT
"""What each epoch read, rank by rank, is what the trainer's own books say of it; evaluations stand apart, and nothing is hidden."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from harness import FLOWGAUGE, RunTestCase, find_program

RANKS, EPOCHS = 2, 3


class EpochsEqualTheBooks(RunTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_epochs_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.data = cls.shared / "set"
        command = [find_program("make_dataset"), cls.data, "--samples", 64, "--validation", 16, "--shards", 4, "--mean-bytes", 4000, "--pixels", 32]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)

    def train(self, *args):
        books = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        run = self.profile("train_sim", self.data, "--ledger", books / "ledger-%r.json", "--batch", 8, "--compute-ms", 1, "--scale", 0.001,
                           "--epochs", EPOCHS, *args, ranks=RANKS)
        return run, [json.loads((books / f"ledger-{rank}.json").read_text()) for rank in range(RANKS)]

    def check(self, run, ledgers):
        for rank, ledger in enumerate(ledgers):
            rows = run.rows(f"SELECT number, read_calls, read_bytes, evaluation_calls, evaluation_bytes FROM epoch_rank WHERE rank = {rank} ORDER BY number")
            self.assertEqual(rows, [(epoch["number"], epoch["reads"], epoch["read_bytes"], epoch["evaluation_reads"], epoch["evaluation_read_bytes"])
                                    for epoch in ledger["epochs"]])
            elsewhere = {place: (calls, size) for place, calls, size in
                         run.rows(f"SELECT place, read_calls, read_bytes FROM reads_elsewhere WHERE rank = {rank}")}
            in_epochs = [sum(epoch[key] for epoch in ledger["epochs"]) for key in ("reads", "read_bytes", "evaluation_reads", "evaluation_read_bytes")]
            expected = {"evaluation": tuple(in_epochs[2:]),
                        "start-up": (ledger["reads"] - in_epochs[0] - in_epochs[2], ledger["read_bytes"] - in_epochs[1] - in_epochs[3])}
            self.assertEqual(elsewhere, {place: sums for place, sums in expected.items() if sums[0]})

    def test_every_shard_rule_and_read_mode(self):
        for mode in ("read", "pread", "fread", "mmap"):
            for rule in ("sticky", "reshuffle", "rotate"):
                with self.subTest(mode=mode, rule=rule):
                    run, ledgers = self.train("--read-mode", mode, "--shard-rule", rule)
                    self.check(run, ledgers)
                    self.assertEqual(ledgers[0]["epochs"][0]["reads"] > 0, mode != "mmap")
                    self.assertEqual(run.value("SELECT sum(read_bytes) FROM epoch_bytes") or 0,
                                     sum(epoch["read_bytes"] for ledger in ledgers for epoch in ledger["epochs"]))

    def test_checkpoints_and_several_readers(self):
        run, ledgers = self.train("--readers", 3, "--checkpoint", self.folder / "checkpoints", "--tiny-reads", 512, "--evaluate-every", 2)
        self.check(run, ledgers)

    def test_mapped_files_are_named_and_bounded_by_page_faults(self):
        run, ledgers = self.train("--read-mode", "mmap")
        answer = self.call([FLOWGAUGE, "report", "--format", "json", run.path])
        report = json.loads(answer.stdout)
        mapped = {}
        for ledger in ledgers:
            mapped.update(ledger["mapped_files"])
        self.assertEqual((report["mapped"]["files"], report["mapped"]["bytes"]), (sorted(mapped), sum(mapped.values())))
        for epoch in report["epochs"]:
            self.assertIn("files are mapped", epoch["asked_bytes"]["not_measured"])
            self.assertLessEqual(16 * epoch["touched_bytes"]["least"], epoch["touched_bytes"]["most"])
        text = self.call([FLOWGAUGE, "report", run.path]).stdout
        self.assertIn("asked not measured (files are mapped", text)

    def test_a_reported_run_is_one_file(self):
        run, _ = self.train()
        for _ in range(2):
            self.assertEqual([file.name for file in run.path.glob("run.db*")], ["run.db"])
            self.assertEqual(self.call([FLOWGAUGE, "report", run.path]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
