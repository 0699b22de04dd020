# SPDX-License-Identifier: MIT
"""A job on the stand-in GPU (tests/fakes/cuda), recorded by the injected library: what CUPTI can do to a tool, and what must come of it.

The numbers behind tests are those of the 34 failure cases that the library was designed against. Elsewhere: 5 in part and 8 with the real
walker: records_test.cpp. 13 a flush from a callback: none of our callbacks calls CUPTI. 19, 20 NVTX: ../nvtx. 23 nothing in the library can
throw or allocates; a full disk: tests/unit/collector/buffer. 27 a stepped clock: time_line_test.cpp, two ranks whose clocks differ:
tests/e2e/two_hosts_e2e.py. 29 NVML: collector/sample/gpu_test.cpp. 30 NCCL's lines: the GPUDirect verdict. 31 no API of counters is called
that could answer 35 to us. 32 setuid, static, env -i: tests/probes. 34 ten million kernels: tests/e2e/gpu_e2e.py. Need the real driver, and
tests/gpu/conditions.py asks them there: 25 a graph on several devices, 28 two processes of one GPU (MPS) and MIG's own UUIDs (what NVML
refuses of a MIG device: collector/sample/gpu_test.cpp), 31 a container that hides the driver's files.
FLOWGAUGE_TEST_LIBRARY: the injected library. FLOWGAUGE_TEST_BUILD: the build's folder.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests/probes"))
import spool_reader  # noqa: E402

LIBRARY = pathlib.Path(os.environ["FLOWGAUGE_TEST_LIBRARY"]).resolve()
BUILD = pathlib.Path(os.environ["FLOWGAUGE_TEST_BUILD"]).resolve()
FAKES = BUILD / "fakes/cuda"
DRIVER_OF = {"11.2": 11020, "11.8": 11080, "12.4": 12040, "13.0": 13000, "future": 13000}
INCOMPLETE = 0x20


class StandInTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-gpu-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def environment(self, cupti="13.0", script="", gpu="always", **more):
        whole = {key: value for key, value in os.environ.items() if not key.startswith(("FLOWGAUGE", "CUDA", "NVTX", "STAND_IN"))}
        libraries = [FAKES / "driver"] + ([FAKES / f"cupti-{cupti}"] if cupti else [])
        whole.update(LD_PRELOAD=str(LIBRARY), LD_LIBRARY_PATH=":".join(map(str, libraries)), STAND_IN_SCRIPT=script,
                     STAND_IN_DRIVER=f"version={DRIVER_OF.get(cupti, 11000)},devices=2", FLOWGAUGE_RUN=str(self.folder / "run"),
                     FLOWGAUGE_SPOOL=str(self.folder / "spool"), FLOWGAUGE_SAMPLE="0", FLOWGAUGE_GPU=gpu,
                     FLOWGAUGE_LEDGER=str(self.folder / "ledger.json"), FLOWGAUGE_GPU_BUDGET="1000")
        whole.update(more)
        return {key: value for key, value in whole.items() if value is not None}

    def job(self, *arguments, program="stand_in_gpu_job", status=0, **settings):
        """Runs it; returns the spools of its processes, in order, and keeps its ledger."""
        shutil.rmtree(self.folder / "spool", True)
        (self.folder / "ledger.json").unlink(missing_ok=True)
        done = subprocess.run([BUILD / "bin" / program, *map(str, arguments)], env=self.environment(**settings), capture_output=True,
                              text=True, timeout=200, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        self.output = done.stdout
        self.ledger = json.loads((self.folder / "ledger.json").read_text()) if (self.folder / "ledger.json").exists() else None
        return spool_reader.processes(self.folder / "spool") if (self.folder / "spool").exists() else []

    def one(self, *arguments, **settings):
        process, = self.job(*arguments, **settings)
        return process

    def assert_equals_ledger(self, process, kernels=None):
        """Counts and bytes of everything the stand-ins say they did; times are theirs, each rounded once into our ticks."""
        counts = collections.Counter(event.kind for event in process.events)
        self.assertEqual((counts["kernel"], counts["gpu_copy"], counts["gpu_fill"]),
                         (self.ledger["kernels"] if kernels is None else kernels, self.ledger["copies"], self.ledger["fills"]))
        self.assertEqual(sum(event.bytes for event in process.of("gpu_copy")), self.ledger["copy_bytes"])
        self.assertEqual(sum(event.bytes for event in process.of("gpu_fill")), self.ledger["fill_bytes"])

    @staticmethod
    def ledger_lines(process, what="GPU kernels"):
        lines = [text.split("\t")[1:] for text in process.names.values() if text.startswith("ledger\t")]
        return [(state, reason) for subject, state, reason in lines if subject == what]

    @staticmethod
    def lost(process):
        return {reason: count for reason, count in process.lost.items() if count}


class EveryVersion(StandInTest):
    def test_the_same_fields_are_read_whatever_the_size_of_a_record(self):  # 8
        for cupti, kernel_bytes in (("11.2", 168), ("11.8", 200), ("12.4", 208), ("13.0", 216), ("future", 232)):
            with self.subTest(cupti=cupti):
                process = self.one("--devices", 2, "--steps", 20, cupti=cupti)
                self.assert_equals_ledger(process)
                self.assertEqual(self.lost(process), {})
                names = collections.Counter(event.name for event in process.of("kernel"))
                self.assertEqual(names, {"_Z9vectorAddPKfS0_Pfi": 40, "ncclDevKernel_AllReduce_Sum_f32_RING_LL": 40,
                                         "_ZN2at6native6reduceIfLi4EEEvT_": 40, "gemm_64x64": 40})
                self.assertEqual({(event.device, event.stream) for event in process.of("kernel")}, {(0, 7), (0, 8)})
                self.assertEqual(collections.Counter(event.direction for event in process.of("gpu_copy")), {1: 20, 2: 20, 10: 20})
                self.assertEqual({event.value for event in process.of("gpu_fill")}, {3})
                (state, reason), = self.ledger_lines(process)
                self.assertEqual(state, "measured")
                self.assertIn(f"bytes a kernel {kernel_bytes}", reason)

    def test_devices_are_told_by_name_bus_and_uuid(self):
        process = self.one()
        self.assertEqual(self.ledger_lines(process, "GPU 1"),
                         [("measured", "Stand-in GPU, 0000:02:00.0, GPU-01112131-4151-6171-8191-a1b1c1d1e1f1")])

    def test_a_launch_and_its_kernel_share_a_link(self):  # 26
        process = self.one("--steps", 3, gpu="always,driver,sync")
        calls = {event.link for event in process.of("gpu_api")}
        self.assertTrue({event.link for event in process.of("kernel")} <= calls)
        self.assertEqual(len(process.of("gpu_sync")), self.ledger["sync_records"])
        self.assertEqual({event.name for event in process.of("gpu_api")},
                         {"cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"})
        main = {event.thread for event in process.of("gpu_api")}
        self.assertEqual(len(main), 1)
        self.assertNotIn(main.pop(), {event.thread for event in process.of("kernel")}, "calls stand on the thread that made them")

    def test_whole_graphs_are_kernels_of_their_own(self):
        process = self.one("--steps", 3, "--graphs", gpu="always,graph")
        self.assertEqual(collections.Counter(event.name for event in process.of("kernel"))["CUDA graph 5"], self.ledger["graph_records"])

    def test_kinds_that_are_not_wanted_are_not_enabled(self):
        process = self.one(FLOWGAUGE_KINDS="gpu_copy")
        self.assertEqual((self.ledger["kernel_records"], self.ledger["fill_records"]), (0, 0))
        self.assertEqual(len(process.of("gpu_copy")), self.ledger["copies"])


class WhatCuptiRefuses(StandInTest):
    def assert_absent(self, why, **settings):
        process = self.one(**settings)
        self.assertEqual(self.ledger_lines(process), [("absent", why)])
        self.assertEqual(sum(event.kind in ("kernel", "gpu_copy", "gpu_fill") for event in process.events), 0)

    def test_another_tool_holds_it(self):  # 3
        self.assert_absent("another tool of this process holds CUPTI: another stand-in", script="subscribe=39")
        self.assertEqual((self.ledger["flushes"], self.ledger["kernel_records"]), (0, 0), "no further call of CUPTI at all")

    def test_no_driver_it_can_use_and_other_codes(self):  # 1, 31
        for code in (15, 999):
            self.assert_absent(f"CUPTI found no driver that it can use (code {code})", script=f"subscribe={code}")
        self.assert_absent("cuptiSubscribe failed with code 35", script="subscribe=35")

    def test_no_device_node(self):  # 2
        if any(pathlib.Path("/dev").glob("nvidia[0-9]*")):
            self.skipTest("this machine has a GPU")
        self.assert_absent("no GPU device node", gpu="")
        self.assertEqual(list(pathlib.Path("/dev").glob("nvidia*")), [])

    def test_a_driver_without_a_device_is_left_alone(self):  # 2
        self.assertEqual(self.job(STAND_IN_DRIVER="devices=0"), [])
        self.assertIn("cuInit 100", self.output)

    def test_switched_off(self):  # 33
        process = self.one(gpu="off")
        self.assertEqual((self.ledger_lines(process), self.ledger["subscribed"] if "subscribed" in self.ledger else 0), ([], 0))

    def test_a_door_that_another_tool_has_named_is_left_to_it(self):  # 19
        for named in ("/no/such/tool.so", "relative.so", "with a space.so"):
            process = self.one(CUDA_INJECTION64_PATH=named)
            self.assertEqual(len(process.of("kernel")), 0)
        alias = self.folder / "alias.so"
        alias.symlink_to(LIBRARY)
        self.assert_equals_ledger(self.one(CUDA_INJECTION64_PATH=str(alias)))  # 18: another path to the same file is ours


class WhatRecordsSay(StandInTest):
    def test_times_that_cannot_be_are_counted_and_never_drawn(self):  # 7, 10
        for script in ("zero=10", "ends=10", "future=10"):
            with self.subTest(script=script):
                process = self.one(script=script)
                self.assertEqual(self.ledger["refused"], 8)
                self.assert_equals_ledger(process, self.ledger["kernels"] - 8)
                self.assertEqual(self.lost(process), {"gpu_record": 8})

    def test_a_kernel_that_still_runs_at_the_end_is_incomplete(self):  # 10
        process = self.one(script="running")
        self.assert_equals_ledger(process)
        self.assertEqual([event.flags & INCOMPLETE for event in process.of("kernel")].count(INCOMPLETE), 1)

    def test_behind_an_unknown_kind_a_buffer_is_unreadable_and_that_is_counted(self):  # 9
        for cupti in ("11.8", "13.0"):  # their walkers answer 999 and 21
            process = self.one(script="unknown=10", cupti=cupti)
            self.assertEqual(len(process.of("kernel")), 10)
            self.assertEqual(self.lost(process), {"gpu_record": 1})

    def test_order_of_buffers_and_late_completions_do_not_matter(self):  # 12
        for script in ("backwards,small=4096", "late=20", "slow=50"):  # so few that the pool could hold all of them
            with self.subTest(script=script):
                process = self.one("--steps", 5, "--threads", 4, script=script)
                self.assert_equals_ledger(process)
                self.assertEqual(self.lost(process), {})

    def test_a_clock_of_its_own_is_brought_onto_ours(self):  # 6
        for script in ("cycles", ""):
            process = self.one("--steps", 4, "--pause", 300, script=script)
            self.assert_equals_ledger(process)
            kernels, anchors = process.of("kernel"), process.of("clock_anchor")
            perNs = (anchors[-1].begin - anchors[0].begin) / (anchors[-1].raw - anchors[0].raw) if len(anchors) > 1 else 1
            lasted = sum(event.end - event.begin for event in kernels) / perNs
            self.assertAlmostEqual(lasted / self.ledger["kernel_ns"], 1, delta=0.02)
            first, last = min(event.begin for event in kernels), max(event.end for event in kernels)
            self.assertGreaterEqual((last - first) / perNs, 3 * 290e6)

    def test_names_may_be_missing(self):  # 26
        process = self.one(script="null")
        self.assert_equals_ledger(process)
        self.assertEqual(sum(event.name is None or event.name == "" for event in process.of("kernel")), self.ledger["kernels"] // 5)

    def test_what_cupti_dropped_is_counted(self):  # 14, 16
        self.assertEqual(self.lost(self.one(script="drop=5")), {"gpu_driver": 5})

    def test_an_exhausted_pool_throws_away_and_counts(self):  # 11
        process = self.one("--threads", 8, "--steps", 500, script="small=400", cupti="11.2")  # where a null buffer would end the program
        counts = collections.Counter(event.kind for event in process.events)
        missing = ((self.ledger["kernels"] - counts["kernel"]) * 168 + (self.ledger["copies"] - counts["gpu_copy"]) * 80 +
                   (self.ledger["fills"] - counts["gpu_fill"]) * 80)
        lost = self.lost(process).pop("gpu_buffer", 0)
        self.assertGreater(lost, 0)
        self.assertTrue(0 <= missing - lost * 168 < 168 * (self.ledger["flushes"] + 2), (missing, lost, self.ledger))

    def test_a_storm_of_many_threads_loses_nothing(self):  # 11, 24, 34
        process = self.one("--threads", 8, "--devices", 2, "--steps", 500, "--kernels", 20)
        self.assert_equals_ledger(process)
        self.assertEqual(self.lost(process), {})


class EndsAndForks(StandInTest):
    def test_the_last_records_come_with_every_ordinary_end(self):  # 17
        for end in ("return", "thread"):
            process = self.one("--end", end)
            self.assert_equals_ledger(process)

    def test_ends_that_run_no_handler_lose_at_most_the_last_second_and_say_so(self):  # 16
        process = self.one("--end", "_exit")
        self.assertIn(("degraded", "the process ended without its exit handlers: up to a second of GPU records is missing"),
                      self.ledger_lines(process))
        for end, status in (("quick_exit", 0), ("abort", -6), ("kill", -9)):
            self.one("--end", end, status=status)
        process = self.one("--end", "kill", "--steps", 15, "--pause", 200, status=-9)
        self.assertGreaterEqual(len(process.of("kernel")), 8 * 5, "older than a second: flushed while it ran")

    def test_a_flush_that_never_returns_holds_the_end_for_two_seconds_at_most(self):  # 13
        process = self.one(script="hang")
        self.assertIn(("degraded", "cuptiActivityFlushAll did not return within 2 s: the last records are missing"),
                      self.ledger_lines(process))

    def test_a_forked_worker_never_touches_cupti_and_a_started_job_has_its_own(self):  # 15
        parent, started = self.job("--fork", "--exec")
        self.assertIn("forked worker: 0\nstarted job: 0", self.output)
        self.assert_equals_ledger(parent)
        self.assertEqual(len(started.of("kernel")), 6)

    def test_a_fatal_error_of_cupti_ends_the_recording_and_not_the_job(self):
        process = self.one("--steps", 20, "--pause", 250, script="fatal")
        self.assertIn(("degraded", "CUPTI has met a fatal error and recorded nothing more"), self.ledger_lines(process))

    def test_two_calls_and_two_threads_start_it_once(self):  # 18
        self.assertEqual(len(self.ledger_lines(self.one("--threads", 4))), 1)


class TheApplicationsOwnProfiler(StandInTest):
    def test_it_gets_cupti_and_we_get_it_back(self):  # 4, 5
        process = self.one(program="stand_in_profiled_job")
        self.assertIn("own profiler: status 0, 80 kernels, 0 foreign buffers", self.output)
        self.assertEqual(len(process.of("kernel")), self.ledger["kernels"] - 80)
        self.assertIn(("degraded", "GPU not recorded: cuptiSubscribe"), self.ledger_lines(process))
        gap, = [event for event in process.of("range") if event.name == "GPU not recorded: cuptiSubscribe"]
        inside = [event for event in process.of("kernel") if gap.begin < event.begin < gap.end]
        self.assertEqual(inside, [])

    def test_one_that_looks_the_function_up_finds_cupti_taken_and_takes_nothing_from_us(self):  # 4
        process = self.one("--by-name", program="stand_in_profiled_job")
        self.assertIn("own profiler: status 39, 0 kernels, 0 foreign buffers", self.output)
        self.assert_equals_ledger(process)

    def test_hold_keeps_it(self):
        process = self.one(program="stand_in_profiled_job", gpu="always,hold")
        self.assertIn("own profiler: status 39, 0 kernels", self.output)
        self.assert_equals_ledger(process)


class TheGovernor(StandInTest):
    def test_each_step_down_is_a_line_of_the_ledger(self):  # 25, 34
        process = self.one("--steps", 60, "--pause", 250, "--graphs", script="overhead=500", gpu="always,driver", FLOWGAUGE_GPU_BUDGET="3")
        steps = [reason.split(": ")[1] for state, reason in self.ledger_lines(process) if "% of the time" in reason]
        self.assertEqual(steps[:2], ["calls and waits are not recorded any more", "CUDA graphs are recorded as a whole, not their kernels"])
        self.assertEqual(steps[2], "kernels are recorded for one second in ten")
        names = collections.Counter(event.name for event in process.of("kernel"))
        self.assertEqual(names["CUDA graph 5"], self.ledger["graph_records"], "graphs before the step are kernels, behind it wholes")


class NoVendorLibrary(StandInTest):
    def test_no_libcupti(self):  # 1
        process = self.one(cupti=None)  # the driver says 11.0: too old for a toolkit's copy that this machine may have
        state, reason = self.ledger_lines(process)[0]
        self.assertEqual(state, "absent")
        self.assertIn("libcupti.so was not found", reason)

    def test_a_copy_of_cupti_inside_of_the_program_is_left_to_it(self):  # 21
        source = ROOT / "tests/fakes/cuda/gpu_job.c"
        (self.folder / "static.c").write_text("int cuptiSubscribe(void** s, void* c, void* u) { (void)s, (void)c, (void)u; return 0; }")
        program = self.folder / "static_job"
        subprocess.run(["gcc", "-std=gnu11", "-rdynamic", "-I", ROOT, source, self.folder / "static.c", "-o", program, "-ldl", "-pthread"],
                       check=True)
        process = self.one(program=program)
        self.assertEqual(self.ledger_lines(process), [("absent", "a copy of CUPTI is linked into the program itself")])

    def test_without_cuda_nothing_happens_at_all(self):
        script = "import os; print(len(os.listdir('/proc/self/task')), sorted(p for p in os.listdir('/dev') if p.startswith('nvidia')))"
        bare = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        done = subprocess.run([sys.executable, "-c", script], env=self.environment(gpu=None), capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, bare)
        self.assertFalse((self.folder / "spool").exists())

    def test_the_library_shows_its_names_without_a_version(self):  # 22
        shown = subprocess.run(["readelf", "-V", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("Version definition section", shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
