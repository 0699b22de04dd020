#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every row of io_calls.def is called once, and what is recorded equals what was done: kinds, offsets, bytes, in order."""
import collections
import re
import unittest

import spool_reader
from run_probe import PROBES, ProbeTest

ROWS = spool_reader.rows("instrument/io/io_calls.def", "FLOWGAUGE_IO")
KIND_NAMES = {row[0]: row[1] for row in spool_reader.rows("collector/record/kinds.def", "FLOWGAUGE_KIND")}
WITH_RANGE = ("file_read", "file_write", "file_copy", "file_map", "file_unmap", "file_advise", "file_submit")


def what_was_done(output):
    """{call: [(kind, offset, bytes)]} and the calls that the machine lacks, from the program's own account."""
    done, skipped, call = {}, set(), None
    for line in output.decode().splitlines():
        word, *rest = line.split()
        if word == "call":
            call = rest[0]
            done[call] = []
        elif word == "skip":
            skipped.add(rest[0])
        else:
            done[call].append((word, int(rest[0]), int(rest[1])))
    return done, skipped


def what_is_recorded(processes):
    recorded = collections.defaultdict(list)
    for process in processes:
        for event in process.events:
            if not event.kind.startswith("file_"):
                continue
            call = re.sub(r".*/(\w+)\.bin$", r"\1", event.file)
            recorded[call].append((event.kind, event.offset, event.bytes) if event.kind in WITH_RANGE else (event.kind, 0, 0))
    return recorded


class EveryIoCall(ProbeTest):
    def setUp(self):
        super().setUp()
        output = self.same_both_ways([PROBES / "every_io_call", self.data])
        self.assertEqual(output.returncode, 0, output.stderr)
        self.done, self.skipped = what_was_done(output.stdout)
        self.recorded = what_is_recorded(self.processes())

    def test_every_row_is_called_and_recorded_as_its_kind(self):
        for name, kind, *_ in ROWS:
            with self.subTest(call=name):
                if name in self.skipped:
                    self.skipTest(f"this kernel lacks {name}")
                self.assertIn(name, self.done, "the row has no test in every_io_call.c")
                expected = KIND_NAMES[kind.removeprefix("Kind::")]
                if expected != "none":
                    self.assertIn(expected, [event[0] for event in self.recorded[name]])

    def test_what_is_recorded_equals_what_was_done(self):
        for call, expected in self.done.items():
            with self.subTest(call=call):
                self.assertEqual(self.recorded[call], expected)

    def test_nothing_is_lost_and_no_other_file_is_recorded(self):
        self.assertEqual(set(self.recorded) - set(self.done), set())
        for process in self.processes():
            self.assertEqual(sum(process.lost.values()), 0)


if __name__ == "__main__":
    unittest.main()
