# SPDX-License-Identifier: MIT
"""A job on the stand-in GPU under `flowgauge run`: run.db holds exactly the kernels, copies and fills that the stand-ins say they did.

What CUPTI may do wrong is in tests/unit/instrument/cuda; what only a real GPU can tell is in tests/gpu/run.sh."""
import json
import resource
import unittest

from harness import BUILD, FLOWGAUGE, RunTestCase

FAKES = BUILD / "fakes" / "cuda"


class StandInGpu(RunTestCase):
    def stand_ins(self, cupti="13.0", driver="version=13000,devices=2", **more):
        return {"LD_LIBRARY_PATH": f"{FAKES / 'driver'}:{FAKES / f'cupti-{cupti}'}", "STAND_IN_DRIVER": driver, "FLOWGAUGE_GPU": "always",
                "CUDA_HOME": "", "CUDA_PATH": "", "CUDA_INJECTION64_PATH": "", **more}  # a toolkit's own CUPTI would be found first

    def gpu_job(self, *args, **machine):
        return self.profile("stand_in_gpu_job", *args, env=self.stand_ins(**machine))

    def assert_equals_ledger(self, run):
        ledger = run.ledger
        self.assertEqual(run.value("SELECT count(*) FROM kernel"), ledger["kernels"])
        self.assertEqual(run.row("SELECT count(*), sum(bytes) FROM gpu_copy"), (ledger["copies"], ledger["copy_bytes"]))
        self.assertEqual(run.row("SELECT count(*), sum(bytes) FROM gpu_fill"), (ledger["fills"], ledger["fill_bytes"]))
        lasted = run.value("SELECT sum(end_ns - begin_ns) FROM kernel")
        self.assertLessEqual(abs(lasted - ledger["kernel_ns"]), 2 * ledger["kernels"], "each time stamp is rounded once")
        self.assertEqual(run.drops(), 0)

    def test_every_version_of_cupti_ends_in_the_same_rows(self):
        for cupti, version in (("11.2", 11020), ("12.4", 12040), ("13.0", 13000)):
            with self.subTest(cupti=cupti):
                run = self.gpu_job("--devices", 2, "--threads", 2, "--steps", 20, cupti=cupti, driver=f"version={version},devices=2")
                self.assert_equals_ledger(run)

    def test_names_are_demangled_and_tracks_are_streams(self):
        run = self.gpu_job("--devices", 2, "--threads", 2, "--steps", 20)
        names = {name for name, in run.rows("SELECT DISTINCT name FROM kernel")}
        self.assertEqual(names, {"vectorAdd(float const*, float const*, float*, int)", "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                                 "void at::native::reduce<float, 4>(float)", "gemm_64x64"})
        places = {tuple(row) for row in run.rows("SELECT DISTINCT device, stream FROM kernel")}
        self.assertEqual(places, {(0, 7), (0, 8), (1, 7), (1, 8)})

    def test_the_ledger_says_how_it_was_measured(self):
        run = self.gpu_job()
        state, reason = run.row("SELECT state, reason FROM ledger WHERE what = 'GPU kernels' AND state = 'measured'")
        self.assertEqual(state, "measured")
        self.assertIn("by CUPTI 130001", reason)
        self.assertEqual(run.value("SELECT count(*) FROM ledger WHERE what IN ('GPU 0', 'GPU 1')"), 2)

    def test_ten_million_kernels_take_flat_memory_and_few_bytes_each(self):
        run = self.gpu_job("--steps", 50_000, "--kernels", 200, FLOWGAUGE_GPU_BUDGET="1000")  # the governor has tests of its own
        recorded = sum(run.value(f"SELECT count(*) FROM {kind}") for kind in ("kernel", "gpu_copy", "gpu_fill"))
        self.assertEqual(recorded + run.drops(), sum(run.ledger[kind] for kind in ("kernels", "copies", "fills")))
        self.assertGreaterEqual(run.ledger["kernels"], 10_000_000)
        self.assertLessEqual((run.path / "run.db").stat().st_size / recorded, 9)
        most_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of the job and of the one that brings its events home
        self.assertLess(most_kib, 400 << 10)

    def test_launches_tie_collectives_of_two_communicators_to_their_own_kernels(self):
        """Two threads, a communicator and a stream each; a kernel lasts 10 us for one, 20 us for the other. Both ways to hear of a call."""
        for way in ("shared", "plugin"):
            with self.subTest(way=way):
                run = self.profile(f"nccl_on_gpu_{way}", ranks=2, mpi="openmpi", env=self.stand_ins(FLOWGAUGE_GPU="always,driver"))
                done = self.call([FLOWGAUGE, "report", "--format", "json", run.path])
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = {row["bytes_of_rank"]: row for row in json.loads(done.stdout)["collectives"]}
                for size, length in ((40_000, 10_000), (80_000, 20_000)):
                    self.assertEqual(rows[size]["calls"], 50)
                    self.assertLessEqual(abs(rows[size]["median_transfer_ns"] - length), 2, "each time stamp is rounded once")
                self.assertEqual(run.drops(), 0)

    def test_without_a_gpu_there_is_one_line_a_host(self):
        run = self.profile("read_shards", f"--dir={self.folder}", "--files=1")
        self.assertEqual(run.rows("SELECT state, reason FROM ledger WHERE what = 'gpu'"), [("absent", "no GPU device node (/dev/nvidia*)"), ("unanswered", "How busy were the GPUs?")])


if __name__ == "__main__":
    unittest.main()
