# SPDX-License-Identifier: MIT
"""A training job in the guest whose data lies on an NFS server on another host."""
import json
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "e2e")]
import harness  # noqa: E402  (the path to it is set above)
from nfs_server import NfsServer, another_host, shell  # noqa: E402
from training import TrainingTestCase  # noqa: E402

PLACE = pathlib.Path("/mnt/data")
harness.TIMEOUT_S = 600  # a job that takes half a minute elsewhere


class OverNfs(TrainingTestCase):
    """self.data is read through NFS 4.2; the client's cache is empty when a test begins."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = NfsServer(*another_host(cls.shared))
        cls.addClassCleanup(cls.server.close)
        cls.server.mount(PLACE, "4.2")
        shell(f"cp -r {cls.data} {PLACE}/set && sync")
        cls.data = PLACE / "set"

    def setUp(self):
        super().setUp()
        shell("sync; echo 3 >/proc/sys/vm/drop_caches")

    def report(self, run):
        """The report as JSON; as text it is printed, for whoever reads the test's output."""
        print(self.call([harness.FLOWGAUGE, "report", run.path]).stdout, flush=True)
        return json.loads(self.call([harness.FLOWGAUGE, "report", "--format", "json", run.path]).stdout)

    def assert_told(self, report, *patterns):
        """Each pattern is the whole of a line of the report's storage section."""
        for pattern in patterns:
            with self.subTest(pattern=pattern):
                self.assertRegex("\n".join(report["storage"]["told"]), rf"(?m)^{pattern}$")
