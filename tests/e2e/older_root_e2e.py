#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The injected library loads and records in an older Linux: Debian 11 (glibc 2.31), made with debootstrap.

Needs root, debootstrap and Debian's packages; elsewhere it says why it does not run. The root is kept in the build folder.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["FLOWGAUGE_BUILD"])
ROOT = BUILD / "older-root"
BLOCK, BLOCKS = 4096, 250


def debian_mirror():
    """The package source that this machine itself uses."""
    for name in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(name):
            for line in open(name, encoding="utf-8"):
                words = line.replace("URIs:", "deb").split()
                if len(words) >= 2 and words[0] == "deb" and words[1].startswith("http"):
                    return words[1]
    return None


def make_root():
    """Makes the older root once; returns why it could not, or None."""
    if os.geteuid() != 0:
        return "an older root needs to be root"
    if shutil.which("debootstrap") is None:
        return "debootstrap is not installed"
    if (ROOT / "complete").exists():
        return None
    shutil.rmtree(ROOT, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase", "bullseye", str(ROOT)] + [word for word in [debian_mirror()] if word]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if made.returncode != 0:
        return "debootstrap could not make Debian 11: " + made.stdout.strip().splitlines()[-1]
    (ROOT / "complete").touch()
    return None


class AnOlderRoot(unittest.TestCase):
    def setUp(self):
        reason = make_root()
        if reason:
            self.skipTest(reason)
        self.shared = pathlib.Path(tempfile.mkdtemp(prefix="flowgauge-older-"))
        self.inside = ROOT / str(self.shared)[1:]
        self.inside.mkdir(parents=True)
        subprocess.run(["mount", "--bind", self.shared, self.inside], check=True)
        shutil.copy(BUILD / "lib/libflowgauge.so", self.shared)
        (self.shared / "data.bin").write_bytes(os.urandom(BLOCK * BLOCKS))

    def tearDown(self):
        if hasattr(self, "inside"):
            subprocess.run(["umount", self.inside], check=True)
            shutil.rmtree(self.shared)

    def test_every_read_of_dd_is_recorded(self):
        run = self.shared / "run"
        run.mkdir()
        environment = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": str(self.shared / "libflowgauge.so"), "FLOWGAUGE_RUN": str(run),
                       "FLOWGAUGE_SPOOL": str(self.shared)}
        done = subprocess.run(["chroot", ROOT, "/usr/bin/env", "-i"] + [f"{key}={value}" for key, value in environment.items()]
                              + ["dd", f"if={self.shared}/data.bin", "of=/dev/null", f"bs={BLOCK}"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("ld.so", done.stderr)
        sql = "SELECT count(*) AS calls, sum(bytes) AS bytes FROM file_read WHERE bytes > 0"
        asked = subprocess.run([BUILD / "bin/flowgauge", "query", run, sql, "--json"], stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(json.loads(asked.stdout), [{"calls": BLOCKS, "bytes": BLOCK * BLOCKS}])


if __name__ == "__main__":
    unittest.main()
