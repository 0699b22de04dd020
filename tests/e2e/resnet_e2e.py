# SPDX-License-Identifier: MIT
"""The real thing once: ResNet-50, two ranks, two epochs. Slow (a minute or two); only where the trainer was built."""
import re
import unittest

from harness import BUILD, FLOWGAUGE
from training import TrainingTestCase

PARAMETERS, TENSORS, BUCKETS, STEPS, EPOCHS = 25_557_032, 161, 5, 4, 2


@unittest.skipUnless((BUILD / "bin" / "resnet50").exists(), "resnet50 was not built (FLOWGAUGE_TRAINER)")
class ResNet50(TrainingTestCase):
    def test_a_real_training_run_equals_its_books(self):
        run = self.profile("resnet50", self.data, "--ledger", "{job}/ledger-%r.json", "--epochs", EPOCHS, "--batch", 4, "--steps", STEPS,
                           "--image", 32, "--log-every", 2, ranks=2, mpi="openmpi")
        self.assert_equals_the_ledgers(run)
        for ledger in run.ledgers:
            self.assertEqual((ledger["parameters"], ledger["tensors"], len(ledger["buckets"])), (PARAMETERS, TENSORS, BUCKETS))
            self.assertEqual((sum(ledger["buckets"]), ledger["steps"]), (4 * PARAMETERS, STEPS * EPOCHS))
            sizes = run.rows(f"SELECT bytes FROM allreduce WHERE rank = {ledger['rank']} AND bytes > 1000 ORDER BY begin_ns")
            self.assertEqual([size for size, in sizes], ledger["buckets"] * STEPS * EPOCHS)
        self.assert_learning_is_told(run)
        self.assert_the_page_is_small(run)

    def assert_learning_is_told(self, run):
        """The job's lines, as rank 0 printed them and as the run keeps them: an accuracy an epoch, and losses."""
        kept = "\n".join(text for text, in run.rows("SELECT text FROM output_line WHERE stream = 'stdout' ORDER BY id"))
        self.assertEqual(kept, run.stdout.rstrip("\n"))
        accuracies = [float(value) for value in re.findall(r'"key": "eval_accuracy", "value": ([\d.]+)', kept)]
        self.assertEqual(accuracies, [round(epoch["accuracy"], 6) for epoch in run.ledgers[0]["epochs"]])
        self.assertEqual(len(accuracies), EPOCHS)
        self.assertEqual(len(re.findall(r"\tloss=", kept)), EPOCHS * STEPS // 2)
        print(f"accuracy {accuracies}, loss {[epoch['loss'] for epoch in run.ledgers[0]['epochs']]}")

    def assert_the_page_is_small(self, run):
        """The page of such a run, which is samples/quickstart.sh's on a smaller scale, fits into a mail."""
        page = self.call([FLOWGAUGE, "report", run.path, "--format", "html"]).stdout.encode()
        print(f"{len(page)} bytes of HTML")
        self.assertIn(b"</html>", page)
        self.assertLess(len(page), 2_000_000)


if __name__ == "__main__":
    unittest.main()
