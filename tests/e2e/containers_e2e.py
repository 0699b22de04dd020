# SPDX-License-Identifier: MIT
"""What a container hides is missing by name: each class of counters in the ledger, with why and the question that stays open. All else is
recorded. The containers are namespaces made here; needs root."""
import json
import pathlib
import shlex
import socket
import subprocess
import unittest

import two_hosts
from harness import FLOWGAUGE, RunTestCase

QUESTIONS = {"nic": "What did network interfaces carry?",
             "infiniband": "What did InfiniBand and RoCE ports carry?",
             "disk": "What was read from local disks?",
             "memory": "How much of the data did the page cache hold?",
             "cpu": "How busy were the processors?",
             "queue pairs": "Whose packets did RDMA ports lose or send again: which process of the job had them?"}
NOBODY = "65534"
NETLINK_RDMA = 20


def kernel_knows_rdma():
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_RDMA).close()
    except OSError:
        return False
    return True


class Containers(RunTestCase):
    def setUp(self):
        super().setUp()
        why = two_hosts.why_not()
        if why is not None:
            self.skipTest(why)

    def inside(self, script, *words, net=False):
        """A finished run of a short sleep behind a shell script that makes the container; `words` stand before flowgauge."""
        command, path = self.command("/bin/sleep", "0.3")
        unshare = ["unshare", "--mount", *(["--net"] if net else []), "--fork"]
        job = self.call([*unshare, "/bin/sh", "-ec", f"{script}\nexec {shlex.join([*words, *command])}"])
        self.assertEqual(job.returncode, 0, job.stderr)
        return self.open(path, job)

    def states(self, run):
        return {what: (state, reason) for what, state, reason in
                run.rows("SELECT what, state, reason FROM ledger WHERE state IN ('measured', 'absent')") if what in QUESTIONS}

    def assert_missing(self, run, reasons):
        """Those classes alone are absent, for those reasons; ledger and report tell the open questions."""
        absent = {what: reason for what, (state, reason) in self.states(run).items() if state == "absent"}
        self.assertEqual({what: absent.get(what) for what in reasons}, reasons)
        questions = dict(run.rows("SELECT what, reason FROM ledger WHERE state = 'unanswered'"))
        told = json.loads(self.call([FLOWGAUGE, "report", "--format=json", run.path]).stdout)["not_measured"]
        for what, reason in reasons.items():
            self.assertEqual(questions[what], QUESTIONS[what])
            self.assertIn({"what": what, "why": reason, "question": QUESTIONS[what]}, told)
        for what in set(questions) & {what for what, (state, _) in self.states(run).items() if state == "measured"}:
            self.fail(f"{what} is measured, and its question said to be open")

    def test_without_sys(self):
        run = self.inside("mount -t tmpfs none /sys")
        self.assert_missing(run, {"infiniband": "/sys cannot be seen: whether RDMA carried bytes, and gradients among them, cannot be told"})
        if not kernel_knows_rdma():
            self.assertEqual(self.states(run)["queue pairs"], (
                "absent", "the kernel has no RDMA netlink here (no RDMA subsystem, or one before 5.3 seen from a container)"))
        state, reason = self.states(run)["nic"]
        self.assertIn((state, reason), [("measured", "/sys cannot be seen: interfaces are told by their names, a byte may count twice"),
                                        ("absent", "no interface but the loopback in /proc/net/dev")])
        self.assertGreater(run.value("SELECT count(*) FROM cpu_counter"), 0)

    def test_a_sys_that_cannot_be_written_costs_nothing(self):
        bare, bound = self.inside("true"), self.inside("mount --bind /sys /sys; mount -o remount,bind,ro /sys")
        self.assertEqual(self.states(bound), self.states(bare))

    def test_another_network_is_what_the_job_sees_whatever_sys_shows(self):
        host = {path.name for path in pathlib.Path("/sys/class/net").iterdir()}
        run = self.inside("ip link add inside0 type veth peer name inside1; ip link set inside0 up; ip link set inside1 up", net=True)
        sources = {source for source, in run.rows("SELECT DISTINCT source FROM nic_counter")}
        self.assertEqual(sources, {"inside0", "inside1"})
        self.assertFalse(sources & host)

    def test_a_network_without_interfaces(self):
        self.assert_missing(self.inside("true", net=True), {"nic": "no interface but the loopback in /proc/net/dev"})

    def test_without_permission(self):
        as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        if subprocess.run([*as_nobody, FLOWGAUGE, "--help"], capture_output=True, check=False).returncode != 0:
            self.skipTest(f"another user cannot reach {FLOWGAUGE}")
        closed = self.folder / "closed"
        closed.touch(0)
        hide = "; ".join(f"mount --bind {closed} /proc/{name}" for name in ("diskstats", "meminfo", "vmstat", "stat"))
        run = self.inside(f"chmod -R 777 {self.folder}; chmod 0 {closed}; {hide}", *as_nobody)
        self.assert_missing(run, {"disk": "/proc/diskstats cannot be opened", "cpu": "/proc/stat cannot be opened",
                                  "memory": "neither /proc/meminfo nor /proc/vmstat can be opened"})


if __name__ == "__main__":
    unittest.main()
