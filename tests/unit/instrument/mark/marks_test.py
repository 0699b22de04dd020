# SPDX-License-Identifier: MIT
"""Marks by flowgauge.h, however the program is compiled and linked, and by the Python module.

FLOWGAUGE_TEST_LIBRARY: the injected library.
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
SOURCE = ROOT / "tests/e2e/programs/marks.c"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", ROOT]
INCOMPLETE = 0x20


class MarkTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-mark-"))
        self.addCleanup(shutil.rmtree, self.scratch, True)

    def build(self, *command):
        program = self.scratch / "program"
        subprocess.run([*map(str, command), "-o", program], check=True, capture_output=True)
        return program

    def run_it(self, *command, inject=True, **more):
        """The processes that recorded marks, by start."""
        shutil.rmtree(self.scratch / "spool", True)
        ours = {"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": f"{self.scratch}/run", "FLOWGAUGE_SPOOL": f"{self.scratch}/spool", "FLOWGAUGE_SAMPLE": "0"}
        environment = {**os.environ, **(ours if inject else {}), "PYTHONPATH": str(ROOT / "instrument/mark/python"), **more}
        self.completed = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((self.completed.returncode, self.completed.stderr), (0, ""))
        folder = self.scratch / "spool"
        return [process for process in (spool_reader.processes(folder) if folder.exists() else [])
                if process.of("epoch_start", "step_mark", "phase_start")]


class TheHeader(MarkTest):
    def assert_all_there(self, process):
        epochs = {event.number: event.samples for event in process.of("epoch_mark")}
        self.assertEqual(epochs, {3: 5 + 20 + 98 * 32 + 1, 4: 777, 5: 0})
        self.assertEqual([event.number for event in process.of("epoch_start")], [3, 4, 5])
        steps = [event for event in process.of("step_mark") if event.number < 100 and not event.flags]
        self.assertEqual([event.samples for event in steps], [5, 20] + [32] * 98)
        phases = collections.Counter((event.name, event.flags) for event in process.of("phase_mark"))
        self.assertEqual(phases, {("forward", 0): 100, ("backward", 0): 100, ("mine", INCOMPLETE): 1})
        self.assertEqual([event.number for event in process.of("step_mark") if event.flags == INCOMPLETE], [7])
        self.assertEqual(sum(1 for event in process.of("step_mark") if event.number >= 1000), 16)
        self.assertEqual({reason: count for reason, count in process.lost.items() if count}, {"unbalanced": 3, "table_full": 3})
        self.assertEqual(sorted(process.names[key] for key, kind in process.name_classes.items() if kind == "phase"),
                         ["backward", "forward", "mine"])

    def test_every_compiler_linker_and_way_of_linking(self):
        linkers = [name for name in ("bfd", "gold", "lld") if shutil.which("ld." + name)]
        self.assertIn("bfd", linkers)
        ways = [[compiler, *way, f"-fuse-ld={linker}"]
                for linker in linkers
                for compiler in (["gcc", "-std=c99"], ["g++", "-xc++", "-std=c++11"])
                for way in (["-fPIE", "-pie"], ["-fno-pie", "-no-pie"], ["-fPIE", "-pie", "-Wl,-z,now"], ["-fno-pie", "-no-pie", "-Wl,-z,now"],
                            ["-O2", "-flto"] if linker == "bfd" else ["-O2"])]
        if shutil.which("clang"):
            ways += [[["clang", "-std=c99"], "-O2"], [["clang++", "-xc++", "-std=c++11"], "-O2"]]
        for compiler, *way in ways:
            with self.subTest(compiler=compiler[0], way=way):
                flags = ["-D_POSIX_C_SOURCE=199309L"] if "-std=c99" in compiler else []
                program = self.build(*compiler, *flags, *WARNINGS, *way, SOURCE)
                process, = self.run_it(program)
                self.assert_all_there(process)

    def test_from_a_shared_object(self):
        self.build("gcc", "-Dmain=marks_main", *WARNINGS, "-shared", "-fPIC", SOURCE).rename(self.scratch / "libmarks.so")
        (self.scratch / "main.c").write_text("int marks_main(int, char**); int main(int n, char** v) { return marks_main(n, v); }")
        program = self.build("gcc", self.scratch / "main.c", self.scratch / "libmarks.so", f"-Wl,-rpath,{self.scratch}")
        process, = self.run_it(program)
        self.assert_all_there(process)

    def test_a_static_program_is_left_alone(self):
        program = self.build("gcc", *WARNINGS, "-static", SOURCE)
        self.assertEqual(self.run_it(program), [])

    def test_nothing_happens_when_not_profiled(self):
        program = self.build("gcc", "-O2", *WARNINGS, SOURCE)
        self.assertEqual(self.run_it(program, inject=False), [])
        self.run_it(program, "cost", inject=False)
        self.assertLess(float(self.completed.stdout), 10, "ns per call")

    def test_confstr_still_answers_as_it_did(self):
        question = "import os; print(os.confstr('CS_PATH'), os.confstr('CS_GNU_LIBC_VERSION'))"
        self.run_it(sys.executable, "-c", question, inject=False)
        bare = self.completed.stdout
        self.run_it(sys.executable, "-c", question)
        self.assertEqual(self.completed.stdout, bare)


class ThePythonModule(MarkTest):
    SCRIPT = """
import os, sys, threading, flowgauge
@flowgauge.phase("evaluation")
def evaluate(): return 5
with flowgauge.epoch(2):
    for i in range(3):
        with flowgauge.step(i, samples=8), flowgauge.phase(flowgauge.FORWARD):
            flowgauge.samples(1)
    assert evaluate() == 5 and evaluate.__name__ == "evaluate"
try:
    with flowgauge.phase("broken"): raise ValueError
except ValueError: pass
def other():
    with flowgauge.step(50): pass
thread = threading.Thread(target=other); thread.start(); thread.join()
sys.stdout.flush()
with flowgauge.phase("input"):
    child = os.fork()
    if child == 0:
        with flowgauge.phase("forward"), flowgauge.step(100, 4): pass
        os._exit(0)
    os.waitpid(child, 0)
"""

    def test_context_managers_decorators_threads_and_forked_workers(self):
        parent, child = self.run_it(sys.executable, "-c", self.SCRIPT)
        self.assertEqual([(event.number, event.samples) for event in parent.of("epoch_mark")], [(2, 24)])
        self.assertEqual([(event.number, event.samples) for event in parent.of("step_mark")], [(0, 8), (1, 8), (2, 8), (50, 0)])
        self.assertEqual(collections.Counter(event.name for event in parent.of("phase_mark")),
                         {"forward": 3, "evaluation": 1, "broken": 1, "input": 1})
        self.assertEqual([(event.number, event.samples) for event in child.of("step_mark")], [(100, 4)])
        self.assertEqual([event.name for event in child.of("phase_mark")], ["forward"])
        self.assertEqual(sum(parent.lost.values()) + sum(child.lost.values()), 0)

    def test_nothing_happens_when_not_profiled(self):
        self.assertEqual(self.run_it(sys.executable, "-c", self.SCRIPT, inject=False), [])

    def test_under_the_library_without_a_run(self):
        self.assertEqual(self.run_it(sys.executable, "-c", self.SCRIPT, inject=False, LD_PRELOAD=str(LIBRARY)), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
