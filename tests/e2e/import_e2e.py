# SPDX-License-Identifier: MIT
"""Recordings of other tools become runs, and runs become what Perfetto opens. The traces here are small ones of real shape; where
FLOWGAUGE_FIXTURES names recordings of real jobs, those are taken too."""
import gzip
import json
import os
import pathlib
import unittest

from harness import FLOWGAUGE, RunTestCase

BASE_US = 1700000000000000


def trace(rank, world=2, kernels=50):
    """A PyTorch trace of two steps: launches, kernels, an allreduce that half overlaps, a copy that nothing hides."""
    events = []

    def slice_(cat, name, pid, tid, begin, length, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": BASE_US + begin, "dur": length, "args": args})

    correlation = 0
    for step in range(2):
        start = step * 1000
        slice_("user_annotation", f"ProfilerStep#{step + 3}", 10, 11, start, 1000)
        slice_("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 7, start, 100, device=0, stream=7, correlation=0, bytes=1000000)
        for kernel in range(kernels):
            correlation += 1
            begin = start + 100 + kernel * 10
            slice_("cuda_runtime", "cudaLaunchKernel", 10, 11, begin - 5, 2, correlation=correlation)
            slice_("kernel", "gemm", 0, 7, begin, 10, device=0, stream=7, correlation=correlation, context=1)
        correlation += 1
        slice_("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 0, 20, start + 500, 200, device=0,
               stream=20, correlation=correlation, context=1,
               **{"Collective name": "allreduce", "In msg nelems": 250000, "Out msg nelems": 250000, "Group size": world, "dtype": "Float",
                  "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Seq": step})
    return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": world}, "traceEvents": events}


class ImportTestCase(RunTestCase):
    def flowgauge(self, *command):
        return self.call([FLOWGAUGE, *command], env=self.environment())

    def write(self, name, content):
        path = self.folder / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    def rows(self, run, sql):
        done = self.flowgauge("query", run, sql, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Import(ImportTestCase):
    def test_two_ranks_become_one_run_with_its_report(self):
        files = [self.write("rank0.json", trace(0)), self.write("rank1.json.gz", trace(1))]
        run = self.folder / "run1"
        done = self.flowgauge("import", *files, "-o", run)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("rank0.json: PyTorch profiler, rank 0, 102 kernels, 2 copies and fills, 2 collectives, 100 calls, 2 steps", done.stdout)
        self.assertIn("of JSON, ", done.stdout)
        report = self.flowgauge("report", run, "--format", "json")
        self.assertEqual(report.returncode, 0, report.stderr)
        text = self.flowgauge("report", run).stdout
        self.assertIn("file reads, NFS traffic and network ports (imported from a recording of PyTorch profiler, which has none of them)", " ".join(text.split()))
        self.assertIn("compute 50 % exposed communication 10 % exposed copy 10 % other idle 30 %", " ".join(text.split()))
        self.assertNotIn("nan", text.lower().replace("finance", ""))

    def test_an_import_makes_a_new_run_and_touches_no_other(self):
        file = self.write("t.json", trace(0, world=1))
        run = self.folder / "run1"
        self.assertEqual(self.flowgauge("import", file, "-o", run).returncode, 0)
        before = (run / "run.db").read_bytes()
        done = self.flowgauge("import", file, "-o", run)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("exists already", done.stderr)
        self.assertEqual((run / "run.db").read_bytes(), before)

    def test_a_bad_file_is_refused_in_one_line_and_leaves_nothing(self):
        for name, content, words in (("bad.json", '{"traceEvents": [{"ph" "X"}]}', "no JSON at byte"), ("hello.txt", "hello", "neither a Chrome trace"),
                                     ("empty.json", "", "is empty")):
            with self.subTest(name):
                done = self.flowgauge("import", self.write(name, content), "-o", self.folder / "bad")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse((self.folder / "bad").exists())


    def test_a_report_of_a_trace_says_how_it_becomes_a_run(self):
        done = self.flowgauge("report", self.write("t.json", trace(0)))
        self.assertEqual(done.returncode, 2)
        self.assertIn("`flowgauge import ", done.stderr)


class Export(ImportTestCase):
    def test_perfetto_gets_every_slice_and_every_row_nests(self):
        run = self.folder / "run1"
        self.flowgauge("import", self.write("t.json", trace(0, world=1)), "-o", run)
        out = self.folder / "out.json.gz"
        done = self.flowgauge("export", "--chrome", run, "-o", out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        events = json.loads(gzip.decompress(out.read_bytes()))["traceEvents"]
        slices = [event for event in events if event["ph"] == "X"]
        counted = self.rows(run, "select count(*) as n from event where lane <> 'counter'")
        self.assertEqual(len(slices), counted[0]["n"])
        by_row = {}
        for event in slices:
            by_row.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        for row in by_row.values():
            open_ = []
            for begin, end in sorted(row, key=lambda piece: (piece[0], -piece[1])):
                while open_ and open_[-1] <= begin + 1e-6:
                    open_.pop()
                self.assertTrue(not open_ or end <= open_[-1] + 1e-6)
                open_.append(end)

    def test_without_a_format_it_says_what_there_is(self):
        run = self.folder / "run1"
        self.flowgauge("import", self.write("t.json", trace(0, world=1)), "-o", run)
        done = self.flowgauge("export", run, "-o", self.folder / "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--chrome", done.stderr)


@unittest.skipUnless(os.environ.get("FLOWGAUGE_FIXTURES"), "FLOWGAUGE_FIXTURES names no recordings of other tools")
class RealRecordings(ImportTestCase):
    def test_each_of_them_becomes_a_run_with_a_report(self):
        root = pathlib.Path(os.environ["FLOWGAUGE_FIXTURES"])
        for file in sorted([*(root / "traces").iterdir(), *(root / "nsys").glob("*.sqlite")]):
            with self.subTest(file.name):
                run = self.folder / ("run-" + file.name)
                done = self.flowgauge("import", file, "-o", run)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = self.flowgauge("report", run)
                self.assertIn(report.returncode, (0, 2), report.stderr)  # 2: ranks of the job are not in the file
                self.assertIn("VERDICT", report.stdout)


if __name__ == "__main__":
    unittest.main()
