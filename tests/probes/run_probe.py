# SPDX-License-Identifier: MIT
"""Runs a program bare and with the library in front, for the tests of this folder. Standard library only.

FLOWGAUGE_TEST_LIBRARY: the injected library; FLOWGAUGE_TEST_PROBES: the folder of the built probes.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import spool_reader

LIBRARY = pathlib.Path(os.environ["FLOWGAUGE_TEST_LIBRARY"]).resolve()
PROBES = pathlib.Path(os.environ["FLOWGAUGE_TEST_PROBES"]).resolve()


class ProbeTest(unittest.TestCase):
    """A test with a scratch folder that holds data.bin (100,000 bytes), a run's directory and a spool folder."""

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-probe-"))
        self.addCleanup(shutil.rmtree, self.scratch, True)
        self.data = self.scratch / "data"
        self.data.mkdir()
        (self.data / "data.bin").write_bytes(bytes(range(250)) * 400)
        self.run_folder, self.spool_folder = self.scratch / "run", self.scratch / "spool"

    def environment(self, **more):
        """Of an injected process; a value of None takes the variable away."""
        ours = {"LD_PRELOAD": str(LIBRARY), "FLOWGAUGE_RUN": str(self.run_folder), "FLOWGAUGE_SPOOL": str(self.spool_folder),
                "FLOWGAUGE_SAMPLE": "0"}
        clean = {key: value for key, value in os.environ.items() if not key.startswith("FLOWGAUGE") and key != "LD_PRELOAD"}
        return {key: str(value) for key, value in {**clean, **ours, **more}.items() if value is not None}

    def start(self, command, environment, **options):
        options = {"stdin": subprocess.DEVNULL, "timeout": 120, **options}
        return subprocess.run([str(word) for word in command], env=environment, capture_output=True, check=False, cwd=self.data, **options)

    def injected(self, command, environment=None, **options):
        return self.start(command, self.environment(**(environment or {})), **options)

    def bare(self, command, **options):
        return self.start(command, self.environment(LD_PRELOAD=None, FLOWGAUGE_RUN=None), **options)

    def same_both_ways(self, command, environment=None, **options):
        """Demands the same output, error output and exit status; answers the injected run."""
        expected, found = self.bare(command, **options), self.injected(command, environment, **options)
        self.assertEqual((found.returncode, found.stdout, found.stderr), (expected.returncode, expected.stdout, expected.stderr))
        return found

    def processes(self):
        return spool_reader.processes(self.spool_folder)
