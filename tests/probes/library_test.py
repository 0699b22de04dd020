#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the injected library needs and shows, and what a process pays that records nothing."""
import os
import pathlib
import re
import subprocess
import unittest

import spool_reader
from run_probe import LIBRARY, PROBES, ProbeTest

NEWEST_GLIBC = (2, 28)
LIBC_ITSELF = {"libc.so.6", "libdl.so.2", "libpthread.so.0"}


def output_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, check=True, text=True).stdout


class Library(unittest.TestCase):
    def test_no_symbol_of_a_c_library_newer_than_2_28_is_needed(self):
        versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", output_of("objdump", "-T", LIBRARY))}
        self.assertTrue(versions)
        self.assertLessEqual(max(versions), NEWEST_GLIBC)

    def test_nothing_but_the_c_library_is_needed(self):
        self.assertEqual(set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", LIBRARY))), LIBC_ITSELF)
        undefined = output_of("nm", "-D", "--undefined-only", LIBRARY)
        self.assertEqual([name for name in re.findall(r" U (\S+)", undefined) if "@GLIBC_" not in name], [])

    def test_what_it_shows_equals_the_lists_of_calls(self):
        shown = set(re.findall(r" [TWVBDi] (\S+)$", output_of("nm", "-D", "--defined-only", LIBRARY), re.M))
        listed = set(re.findall(r"^ +(\w+);$", pathlib.Path(os.environ["FLOWGAUGE_TEST_EXPORTS"]).read_text(), re.M))
        self.assertEqual(shown, listed)
        self.assertLessEqual({row[0] for row in spool_reader.rows("instrument/io/io_calls.def", "FLOWGAUGE_IO")}, listed)


class Silence(ProbeTest):
    def assert_no_trace(self):
        self.assertEqual((self.run_folder.exists(), self.spool_folder.exists()), (False, False))

    def test_a_process_that_records_nothing_makes_no_file_and_no_thread(self):
        script = "import os; print(len(os.listdir('/proc/self/task')))"
        self.assertEqual(self.injected(["python3", "-c", script]).stdout, b"1\n")
        self.assert_no_trace()

    def test_without_a_run_nothing_is_recorded(self):
        self.injected([PROBES / "reads"], {"FLOWGAUGE_RUN": None})
        self.assert_no_trace()

    def test_shells_and_launchers_do_not_record_but_what_they_start_does(self):
        self.injected(["sh", "-c", "echo text > written.txt; read line < data.bin"])
        self.assert_no_trace()
        self.injected(["sh", "-c", f"echo text > written.txt; {PROBES / 'reads'}; true"])
        self.assertEqual([process.program for process in self.processes()], ["reads"])

    def test_programs_that_the_user_names_are_skipped(self):
        self.injected([PROBES / "reads"], {"FLOWGAUGE_SKIP": "other,reads"})
        self.assert_no_trace()

    def test_only_the_kinds_that_were_asked_for_are_recorded(self):
        self.injected([PROBES / "reads"], {"FLOWGAUGE_KINDS": "comm"})
        self.assert_no_trace()
        self.injected([PROBES / "reads"], {"FLOWGAUGE_KINDS": "file_open"})
        process, = self.processes()
        kinds = {event.kind for event in process.events if event.kind.startswith("file_")}
        self.assertEqual(kinds, {"file_open"})

    def test_output_into_a_file_by_standard_output_is_no_data(self):
        with open(self.data / "out.txt", "wb") as output:
            subprocess.run(["python3", "-c", "print('text')"], env=self.environment(), stdout=output, check=True)
        self.assert_no_trace()

    def test_modules_are_summed_and_data_is_recorded(self):
        (self.data / "module.py").write_text("value = 1\n")
        script = "import module, json; print(len(open('data.bin', 'rb').read()))"
        self.injected(["python3", "-c", script], {"PYTHONPATH": self.data})
        process, = self.processes()
        self.assertEqual({os.path.basename(event.file) for event in process.of("file_open", "file_read")}, {"data.bin"})
        self.assertGreaterEqual(process.code["opens"], 2)
        self.assertGreater(process.code["bytes"], len("value = 1\n"))

    def test_paths_can_be_moved_between_code_and_data(self):
        (self.data / "table.py").write_text("data\n")
        script = "open('data.bin', 'rb').read(); open('table.py').read()"
        self.injected(["python3", "-c", script], {"FLOWGAUGE_CODE": "*.bin", "FLOWGAUGE_DATA": f"{self.data}/table.py"})
        process, = self.processes()
        self.assertEqual({os.path.basename(event.file) for event in process.of("file_open")}, {"table.py"})


if __name__ == "__main__":
    unittest.main()
