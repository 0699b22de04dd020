# SPDX-License-Identifier: MIT
"""NVTX ranges of a program that uses the real header (nvtx3/nvToolsExt.h of a CUDA toolkit), recorded by the injected library.

FLOWGAUGE_TEST_LIBRARY: the injected library. FLOWGAUGE_TEST_NVTX: the folder that holds nvtx3/, "" where there is none.
"""
import collections
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
HEADERS = os.environ.get("FLOWGAUGE_TEST_NVTX", "")
SOURCE = pathlib.Path(__file__).parent / "nvtx_ranges.c"


@unittest.skipUnless(HEADERS and pathlib.Path(HEADERS, "nvtx3/nvToolsExt.h").exists(),
                     "no nvtx3/nvToolsExt.h: no CUDA toolkit on this machine")
class RealNvtx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-nvtx-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        flags = ["-O1", "-std=gnu11", "-isystem", HEADERS, str(SOURCE), "-ldl", "-pthread"]
        subprocess.run(["gcc", *flags, "-o", cls.folder / "nvtx_ranges"], check=True)
        for number in range(3):
            subprocess.run(["gcc", "-DNVTX_LIBRARY", "-shared", "-fPIC", *flags, "-o", cls.folder / f"lib{number}.so"], check=True)

    def record(self, inject=True, **more):
        shutil.rmtree(self.folder / "spool", True)
        ours = {"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": f"{self.folder}/run", "FLOWGAUGE_SPOOL": f"{self.folder}/spool",
                "FLOWGAUGE_SAMPLE": "0"}
        whole = {key: value for key, value in os.environ.items() if not key.startswith(("FLOWGAUGE", "NVTX"))}
        done = subprocess.run([self.folder / "nvtx_ranges", *(self.folder / f"lib{number}.so" for number in range(3))],
                              env={**whole, **(ours if inject else {}), **more}, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return spool_reader.processes(self.folder / "spool") if (self.folder / "spool").exists() else []

    def test_epochs_steps_and_phases_are_recognised_by_their_names(self):
        parent, _ = self.record()
        self.assertEqual([event.number for event in parent.of("epoch_mark")], [0, 1])
        self.assertEqual([event.number for event in parent.of("epoch_start")], [0, 1])
        self.assertEqual([event.number for event in parent.of("step_mark")], list(range(6)))
        self.assertEqual(collections.Counter(event.name for event in parent.of("phase_mark")),
                         {"forward": 6, "backward": 6, "optimizer": 6})
        for step in parent.of("step_mark"):
            inside = [phase for phase in parent.of("phase_mark") if step.begin <= phase.begin and phase.end <= step.end]
            self.assertEqual([phase.name for phase in inside], ["forward", "backward", "optimizer"])

    def test_patterns_of_the_user_come_first(self):
        parent, _ = self.record(FLOWGAUGE_NVTX="step=my lap;input=backward;none=profilerstep %")
        self.assertEqual([event.number for event in parent.of("step_mark")], [0, 1, 2, 3])
        self.assertEqual(collections.Counter(event.name for event in parent.of("phase_mark")),
                         {"forward": 6, "input": 6, "optimizer": 6})

    def test_ranges_instants_payloads_and_domains(self):
        parent, _ = self.record()
        named = collections.defaultdict(list)
        for event in parent.of("range"):
            named[event.name].append(event)
        self.assertEqual(len(named["aten::add"]), 100, "the tail that makes every name its own is cut")
        self.assertEqual([(event.payload, event.category) for event in named["with a number"]], [(-42, 5), (2, 5)])
        self.assertEqual([event.end - event.begin for event in named["an instant"]], [0])
        self.assertEqual([event.end - event.begin for event in named["forward"]], [0], "an instant is no phase")
        self.assertEqual(len(named["wide \u00e9"]), 1)
        one, two = named["overlapping 1"][0], named["overlapping 2"][0]
        self.assertTrue(one.begin <= two.begin <= one.end <= two.end)
        self.assertEqual([(event.domain, event.payload) for event in named["ncclAllReduce"]], [("NCCL", 4096), ("NCCL", 1024)])
        self.assertEqual(len(named["registered name"]), 3 * 50 * 10, "three libraries with an NVTX each, at once")
        self.assertEqual({event.domain for event in named["registered name"]}, {"library"})

    def test_what_is_unbalanced_is_counted(self):
        parent, _ = self.record()
        self.assertEqual({reason: count for reason, count in parent.lost.items() if count}, {"unbalanced": 2})
        self.assertNotIn("never ended", {event.name for event in parent.of("range")})

    def test_a_forked_child_has_ranges_of_its_own(self):
        parent, child = self.record()
        self.assertEqual([event.name for event in child.of("range")], ["in the child"])
        self.assertIn("around a fork", [event.name for event in parent.of("range")])

    def test_a_door_that_another_tool_has_named_is_left_to_it(self):
        processes = self.record(NVTX_INJECTION64_PATH="/no/such/tool.so")
        self.assertEqual([event for process in processes for event in process.of("range", "step_mark")], [])

    def test_nothing_is_said_when_it_is_not_wanted(self):
        self.assertEqual(self.record(FLOWGAUGE_KINDS="io"), [])
        self.assertEqual(self.record(inject=False), [])


OLD_TABLES = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
Module = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint32))
functions = (ctypes.c_void_p * 16)()
slots = (ctypes.c_void_p * 16)(*(ctypes.addressof(functions) + 8 * i for i in range(16)))
def module(number, table, count):
    table[0] = ctypes.addressof(slots) if number == 1 else None
    count[0] = 5 if number == 1 else 0
    return 1
class Callbacks(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_size_t), ("module", Module)]
callbacks = Callbacks(16, Module(module))
@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
def export(number): return ctypes.addressof(callbacks) if number == 1 else None
print(library.InitializeInjectionNvtx2(export), library.InitializeInjectionNvtx2(export), library.InitializeInjectionNvtx2(None))
print([bool(function) for function in functions])
"""


class OlderNvtx(unittest.TestCase):
    def test_tables_that_are_shorter_or_missing_are_filled_as_far_as_they_go(self):
        """NVTX 2 has no version table, and answers for modules that it lacks with success and no slots."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": f"{folder}/run",
                           "FLOWGAUGE_SPOOL": f"{folder}/spool", "FLOWGAUGE_SAMPLE": "0"}
            done = subprocess.run([sys.executable, "-c", OLD_TABLES, LIBRARY], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"1 1 1\n{[False] + [True] * 4 + [False] * 11}\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
