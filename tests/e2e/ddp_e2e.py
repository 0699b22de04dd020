# SPDX-License-Identifier: MIT
"""An ordinary PyTorch job that knows nothing of us: two gloo ranks, DataLoader workers made by fork, spawn and forkserver.

What was recorded equals what the job had to read, to the byte, and the job's own words are the same with us and without."""
import json
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

from harness import SOURCE, RunTestCase, find_program

PYTHON = "/usr/bin/python3"  # Debian's: only it sees python3-torch
SCRIPT = SOURCE / "workloads" / "ddp_train.py"
RANKS, WORKERS, SAMPLES = 2, 2, 64


def missing_modules():
    """Why the job cannot run here, or None."""
    done = subprocess.run([PYTHON, "-c", "import torch, PIL"], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1] if done.returncode else None


class Ddp(RunTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        why = missing_modules()
        if why:
            raise unittest.SkipTest(f"{PYTHON}: {why}")
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge_e2e_ddp_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.shards, cls.files = cls.shared / "shards", cls.shared / "files"
        for folder, more in ((cls.shards, []), (cls.files, ["--files"])):
            subprocess.run([find_program("make_dataset"), folder, "--samples", str(SAMPLES), "--validation", "0", "--shards", "4",
                            "--mean-bytes", "9000", "--pixels", "48", *more], check=True, stdout=subprocess.DEVNULL)

    def words(self, data, method, payload):
        return [SCRIPT, data, "--ranks", RANKS, "--workers", WORKERS, "--start-method", method, "--epochs", epochs_of(method), "--batch", 8,
                "--print-every", 1, "--payload", payload]

    def record(self, data, method):
        return self.finish(self.profile(PYTHON, *self.words(data, method, "{job}/payload.json")))

    def finish(self, run):
        run.payload = json.loads((run.path.parent / "payload.json").read_text())
        run.epochs = len(run.payload["epochs"])
        self.assertEqual(run.drops(), 0)
        return run

    def record_with_ranks(self, data, method):
        """A launcher that tells each rank its number in the environment, as torchrun does; a rank hands it down to its workers."""
        words = " ".join(f"'{word}'" for word in [PYTHON, *self.words(data, method, "{job}/payload.json")])
        line = f"export WORLD_SIZE={RANKS}; for rank in 0 1; do RANK=$rank {words} & done; wait"
        return self.finish(self.profile("sh", "-c", line, env={"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}))

    def read_of(self, run, folder, suffix):
        return run.value(f"SELECT coalesce(sum(bytes), 0) FROM file_traffic WHERE kind = 'file_read' AND file GLOB '{folder}/*{suffix}'")

    def assert_workers(self, run):
        """Each epoch each rank has new workers, each a process of its own, and what they read is told of their rank."""
        readers = run.rows("SELECT rank, pid FROM process WHERE id IN (SELECT process_id FROM file_read WHERE file GLOB '*.rec' OR file GLOB '*.jpg')")
        self.assertEqual(sorted(rank for rank, _ in readers), sorted(list(range(RANKS)) * WORKERS * run.epochs))
        self.assertEqual(len({pid for _, pid in readers}), RANKS * WORKERS * run.epochs)
        for part in run.payload["epochs"][0]["ranks"]:
            of_rank = sum(share["bytes"] for epoch in run.payload["epochs"] for share in epoch["ranks"] if share["rank"] == part["rank"])
            self.assertEqual(run.value(f"SELECT sum(bytes) FROM file_read WHERE rank = {part['rank']} AND file GLOB '*.rec'"), of_rank)

    def test_records_of_shards_are_counted_to_the_byte(self):
        """The data set reads each record with one pread of its exact length: equality, for every way of making workers."""
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method=method):
                self.assert_records(self.record_with_ranks(self.shards, method))

    def assert_records(self, run):
        self.assertEqual(self.read_of(run, self.shards, ".rec"), run.payload["bytes"])
        self.assertEqual(run.value("SELECT count(*) FROM file_read WHERE file GLOB '*.rec'"), SAMPLES * run.epochs)
        self.assert_workers(run)

    def test_gradients_that_gloo_sends_are_counted_as_tcp(self):
        """A ring of two sends each gradient once; rank 0 gives out the model first, and its running means before each step. gloo's own
        messages are what is left: seen, 0.9 % of the gradients of a model of 24,346 numbers."""
        run = self.record_with_ranks(self.shards, "fork")
        model = 4 * parameters_of(classes=10)
        gradients = model * run.epochs * SAMPLES // RANKS // 8
        sent = dict(run.rows("SELECT rank, sum(sent) FROM (SELECT rank, link, max(sent) AS sent FROM socket_bytes WHERE rank >= 0 "
                             "AND process_id IN (SELECT process_id FROM socket_bytes GROUP BY process_id HAVING max(sent) > 0) "
                             "GROUP BY rank, link) GROUP BY rank"))
        self.assertEqual(sorted(sent), [0, 1])
        self.assertLess(abs(sent[1] / gradients - 1.01), 0.01, sent)
        self.assertLess(abs((sent[0] - sent[1]) / model - 1.1), 0.05, sent)
        told = self.report(run)["network"]["connections"]
        self.assertEqual([(row["where"], row["sent_bytes"]) for row in told], [("same host", row["received_bytes"]) for row in told])

    def test_an_epoch_of_one_printed_line_lasts_as_long_as_anything_was_recorded(self):
        """With ten steps between two lines each epoch prints its first step alone, when the workers have read ahead all that it needs:
        where it ends, its connections tell."""
        run = self.finish(self.profile(PYTHON, SCRIPT, self.shards, "--ranks", RANKS, "--workers", WORKERS, "--epochs", 2, "--batch", 8,
                                       "--payload", "{job}/payload.json"))
        first, second = self.report(run)["epochs"]
        self.assertEqual([first["found_by"], second["found_by"]], ["log", "log, no end"])
        self.assertEqual(first["asked_bytes"] + second["asked_bytes"], run.payload["bytes"])
        self.assertGreater(second["time_ns"], 0)

    def test_files_read_by_pil_are_counted(self):
        """PIL reads a file's header to know what it is, then goes back and reads it all. make_dataset fills small files up with
        comments, which are header: nearly the whole file is read twice. Never less than the payload, at most twice it and the 16
        bytes that tell the format. The ranks are processes that the script starts itself: nobody tells us their numbers."""
        run = self.record(self.files / "train", "fork")
        read, payload = self.read_of(run, self.files, ".jpg"), run.payload["bytes"]
        self.assertGreaterEqual(read, payload)
        self.assertLessEqual(read, 2 * payload + 16 * SAMPLES * run.epochs)
        self.assertEqual(run.value("SELECT count(DISTINCT file) FROM file_read WHERE file GLOB '*.jpg'"), SAMPLES)

    def test_the_job_says_the_same_with_us_and_without(self):
        bare = self.call([PYTHON, *self.words(self.shards, "fork", self.folder / "payload.json")])
        run = self.record(self.shards, "fork")
        self.assertEqual((bare.returncode, losses(bare.stdout)), (run.status, losses(run.stdout)))
        self.assertEqual(json.loads((self.folder / "payload.json").read_text()), run.payload)
        self.assertEqual(len(losses(bare.stdout)), run.epochs * SAMPLES // RANKS // 8)


def parameters_of(classes):
    """Of the script's small model: three convolutions of 3 x 3 with the scale and shift of what they give, and a linear layer."""
    channels = [3, 16, 32, 64]
    return sum(9 * into * out + 2 * out for into, out in zip(channels, channels[1:])) + (channels[-1] + 1) * classes


def epochs_of(method):
    """A worker that is not forked imports PyTorch anew, seconds of work: one epoch of those."""
    return 2 if method == "fork" else 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def losses(text):
    """The job's lines without their times."""
    return [re.sub(r"\tTime .*?\tLoss", "\tLoss", line) for line in text.splitlines()]


if __name__ == "__main__":
    unittest.main()
