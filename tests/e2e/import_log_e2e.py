# SPDX-License-Identifier: MIT
"""A log of a job that nobody recorded becomes a run: its report, its rows, and what is said of what cannot be known."""
import json
import os
import pathlib
import unittest

from harness import FLOWGAUGE, RunTestCase


def mllog(ms, key, value="null", **metadata):
    return ":::MLLOG " + json.dumps({"namespace": "", "time_ms": 1593141000000 + ms, "event_type": "POINT_IN_TIME", "key": key,
                                     "value": None, "metadata": metadata}).replace('"value": null', f'"value": {value}')


def a_log():
    """Four epochs of 100 s, the first of 140 s at a flat rate, an evaluation of 10 s after every second."""
    lines = [mllog(0, "submission_benchmark", '"resnet"'), mllog(1, "global_batch_size", 1664), mllog(2, "train_samples", 1281167),
             mllog(1000, "run_start")]
    t = 1000
    for epoch in range(1, 5):
        length = 140000 if epoch == 1 else 100000
        lines.append(mllog(t, "epoch_start", epoch_num=epoch))
        for window in range(12):
            rate = 9092 + window % 3 if epoch == 1 else 12810 + window % 3
            at = f"2020-06-26 03:{t // 60000 % 60:02}:{t // 1000 % 60:02},000"
            lines.append(f"{at} Node[0] Epoch[{epoch - 1}] Batch [{window}-{window + 20}]\tSpeed: {rate}.00 samples/sec")
        t += length
        lines.append(mllog(t, "epoch_stop", epoch_num=epoch))
        if epoch % 2 == 0:
            lines.append(mllog(t, "eval_start", epoch_num=epoch))
            t += 10000
            lines += [mllog(t, "eval_accuracy", 0.38 * epoch / 2, epoch_num=epoch), mllog(t, "eval_stop", epoch_num=epoch)]
    lines.append(mllog(t, "run_stop", status="success"))
    return "\n".join(lines) + "\n"


class ImportLog(RunTestCase):
    def imported(self, text, name="run"):
        log = self.folder / "train.log"
        log.write_text(text)
        done = self.call([FLOWGAUGE, "import-log", log, "-o", self.folder / name])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.open(self.folder / name, done)

    def test_becomes_a_run_with_epochs_rates_and_evaluations(self):
        run = self.imported(a_log())
        facts = dict(run.rows("SELECT name, coalesce(value, text) FROM log_value"))
        self.assertEqual((facts["time_to_train_s"], facts["epochs"], facts["global_batch"], facts["status"]), (460, 4, 1664, "success"))
        self.assertEqual(facts["epochs_to_target"], 4)
        self.assertAlmostEqual(facts["samples_per_second"], 12811.67)
        evaluations = run.rows("SELECT epoch, accuracy, end_ns - begin_ns FROM evaluation")
        self.assertEqual(evaluations, [(2, 0.38, 10_000_000_000), (4, 0.76, 10_000_000_000)])
        self.assertEqual(run.rows("SELECT whose, count(*) FROM log_rate GROUP BY whose"), [("job", 48)])
        self.assertEqual(run.rows("SELECT number, end_ns - begin_ns, found_by FROM epoch")[0], (1, 140_000_000_000, "log"))

    def test_report_finds_the_storage_ceiling_and_says_what_is_not_measured(self):
        self.imported(a_log())
        answer = self.call([FLOWGAUGE, "report", "--format", "json", self.folder / "run"])
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        report = json.loads(answer.stdout)
        self.assertEqual(report["findings"][0]["diagnosis"], "storage_ceiling")
        self.assertAlmostEqual(report["findings"][0]["amount_ns"], 40e9)
        self.assertIn("1.02 GB/s", report["verdict"])
        text = self.call([FLOWGAUGE, "report", self.folder / "run"]).stdout
        self.assertNotIn("nan", text.lower().replace("finance", ""))
        self.assertIn("no process was recorded", " ".join(text.split()))

    def test_a_second_import_replaces_the_first(self):
        run = self.imported(a_log())
        lines = run.value("SELECT count(*) FROM output_line")
        self.assertEqual(self.imported(a_log()).value("SELECT count(*) FROM output_line"), lines)

    def test_a_log_that_tells_steps_alone_has_rates_once_the_batch_is_told(self):
        log = self.folder / "train.log"
        log.write_text("".join(f"Epoch: [0][{step:2}/40]\tTime  0.500 ( 0.500)\tData  0.100 ( 0.100)\tLoss 3.3 (3.3)\tAcc@1   2.3 (  1.6)\n"
                               for step in range(0, 40, 10)))
        done = self.call([FLOWGAUGE, "import-log", log, "-o", self.folder / "run"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--batch SAMPLES tells it", done.stdout)
        done = self.call([FLOWGAUGE, "import-log", log, "-o", self.folder / "run", "--batch", 256])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("--batch", done.stdout)
        run = self.open(self.folder / "run", done)
        self.assertEqual(run.rows("SELECT DISTINCT whose, samples_per_second FROM log_rate"), [("job", 512.0)])
        self.assertIn("It prints 512 samples a second", " ".join(self.call([FLOWGAUGE, "report", run.path]).stdout.split()))

    def test_what_is_no_log_is_refused_in_one_line(self):
        for content, word in (("hello\nworld\n", "no line of it is understood"), ("", "no line of it is understood")):
            log = self.folder / "other.txt"
            log.write_text(content)
            done = self.call([FLOWGAUGE, "import-log", log, "-o", self.folder / "none"])
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse((self.folder / "none").exists())
        self.assertEqual(self.call([FLOWGAUGE, "import-log", self.folder / "missing", "-o", self.folder / "none"]).returncode, 2)

    def test_a_real_log_names_the_cold_epoch_of_the_8_gpu_server(self):
        log = pathlib.Path(os.environ.get("FLOWGAUGE_FIXTURES", "/nonexistent")) / "mllog" / "v07_dell_dss8440_coldfirst.txt"
        if not log.exists():
            self.skipTest("FLOWGAUGE_FIXTURES is not set")
        done = self.call([FLOWGAUGE, "import-log", log, "-o", self.folder / "dss"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = " ".join(self.call([FLOWGAUGE, "report", self.folder / "dss"]).stdout.split())
        self.assertIn("Storage ceiling", text)
        self.assertIn("limited by storage at about 1.02 GB/s", text)


if __name__ == "__main__":
    unittest.main()
