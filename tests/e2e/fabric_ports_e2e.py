# SPDX-License-Identifier: MIT
"""Ports of an InfiniBand fabric, asked by management datagrams: a simulated fabric (ibsim, below the real libibumad) answers `flowgauge run --fabric
mad://...` and perfquery, and both tell the same numbers."""
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

from harness import RunTestCase

SIMULATED_UMAD = next(pathlib.Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"), None)
# A switch by itself, whose counters stand still, since a question to it passes through no port; and two hosts on one cable. No subnet manager is needed
# for either (nor wanted: Debian's would start on the real fabric of who runs this test).
FABRIC = """
Switch\t4 "Switch1"

Hca\t1 "Hca1"
[1]\t"Hca2"[1]

Hca\t1 "Hca2"
[1]\t"Hca1"[1]
"""
LIDS = ('Baselid "Switch1"[0] 1', 'Baselid "Hca1"[1] 2', 'Baselid "Hca2"[1] 3')
EXTENDED = {"PortXmitData": "fabric_tx_words", "PortRcvData": "fabric_rx_words", "PortXmitPkts": "fabric_tx_packets", "PortRcvPkts": "fabric_rx_packets"}
BASIC = {"SymbolErrorCounter": "fabric_symbol_errors", "LinkErrorRecoveryCounter": "fabric_link_recoveries", "LinkDownedCounter": "fabric_link_downed",
         "PortRcvErrors": "fabric_rx_errors", "PortXmitDiscards": "fabric_tx_discards", "PortXmitWait": "fabric_tx_wait"}
TOOLS = ["ibsim", "perfquery"]


class Simulator:
    """One ibsim with its fabric, seen from one of its nodes; for the time of one test."""

    def __init__(self, test, node):
        self._test = test
        self._folder = test.folder / "ibsim"
        self._folder.mkdir()
        (self._folder / "net").write_text(FABRIC)
        self._outside = {**os.environ, "IBSIM_SOCKNAME": f"flowgauge-{os.getpid()}"}
        self._inside = {**self._outside, "SIM_HOST": node, "LD_PRELOAD": str(SIMULATED_UMAD)}
        self._process = subprocess.Popen(["ibsim", "-s", "net"], cwd=self._folder, env=self._outside, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        test.addCleanup(self.close)
        while "simulator ready" not in self._process.stdout.readline():
            test.assertIsNone(self._process.poll(), "ibsim ended")
        self.say(*LIDS)

    def environment(self):
        """What makes a program see the fabric."""
        return {key: self._inside[key] for key in ("IBSIM_SOCKNAME", "SIM_HOST", "LD_PRELOAD")}

    def call(self, *command):
        return subprocess.run(command, cwd=self._folder, env=self._inside, capture_output=True, text=True, timeout=120, check=True).stdout

    def say(self, *commands):
        """Commands for its console, of which the last has been obeyed when this returns."""
        for command in commands:
            self._process.stdin.write(command + "\n")
        self._process.stdin.write('Guid "nobody"\n')  # it complains of this one
        self._process.stdin.flush()
        while "nobody" not in self._process.stdout.readline():
            self._test.assertIsNone(self._process.poll(), "ibsim ended")

    def set(self, node, port, attribute, **counters):
        self.say(*(f'PerformanceSet "{node}"[{port}] {attribute}.{field}={value}' for field, value in counters.items()))

    def perfquery(self, *arguments):
        """Its numbers by their names."""
        return {name: int(value, 0) for name, value in re.findall(r"^(\w+):\.+(\w+)$", self.call("perfquery", *arguments), re.MULTILINE)}

    def close(self):
        self._process.stdin.close()
        self._process.terminate()
        self._process.stdout.close()
        self._process.wait()


@unittest.skipUnless(SIMULATED_UMAD and all(map(shutil.which, TOOLS)), "the fabric simulator is not installed (ibsim-utils, infiniband-diags)")
class FabricPorts(RunTestCase):
    def asked(self, simulator, targets, *job):
        return self.profile(*(job or ("/bin/sleep", "3")), env=simulator.environment(), options=("--sample=0", f"--fabric=mad://{targets}"))

    def last(self, run, place):
        """The last number of each counter of a port, raw: words where perfquery tells words."""
        return dict(run.rows("SELECT c.counter, c.value / k.scale FROM fabric_counter c JOIN counter_kind k USING (counter) WHERE source = ? ORDER BY at_ns",
                             f"mad/{place}"))

    def told(self, run):
        return [tuple(row) for row in run.rows("SELECT state, reason FROM ledger WHERE what LIKE 'fabric mad://%'")]

    def test_every_number_equals_perfquerys_of_the_same_port(self):
        simulator = Simulator(self, "Switch1")
        simulator.set("Switch1", 3, "PortCountersExtended", PortXmitData=1_099_511_627_776, PortRcvData=2**60 + 5, PortXmitPkts=1_073_741_824, PortRcvPkts=77)
        simulator.set("Switch1", 3, "PortCounters", SymbolErrorCounter=65534, LinkErrorRecoveryCounter=254, LinkDownedCounter=3, PortRcvErrors=9,
                           PortXmitDiscards=513, PortXmitWait=4_294_967_294)
        simulator.set("Switch1", 4, "PortCountersExtended", PortXmitData=1)
        run = self.asked(simulator, "1:3,1:4")
        for port in (3, 4):
            wide, narrow = simulator.perfquery("-x", "1", str(port)), simulator.perfquery("1", str(port))
            expected = {ours: wide[theirs] for theirs, ours in EXTENDED.items()} | {ours: narrow[theirs] for theirs, ours in BASIC.items()}
            self.assertEqual(self.last(run, f"lid 1 port {port}"), expected)
        self.assertEqual(run.drops(), 0)

    def test_data_are_words_of_four_bytes(self):
        simulator = Simulator(self, "Hca1")
        before = simulator.perfquery("-x", "3", "1")
        # Each question to the host's port and each answer is a datagram of 288 bytes: head, 256 bytes, check sum.
        run = self.asked(simulator, "3:1")
        rows = run.rows("SELECT counter, max(value) - min(value), unit FROM fabric_counter WHERE source = 'mad/lid 3 port 1'"
                        " AND counter IN ('fabric_tx_words', 'fabric_tx_packets') GROUP BY 1 ORDER BY 1")
        (_, packets, _), (_, size, unit) = rows
        self.assertGreater(packets, 0)
        self.assertEqual((size, unit), (packets * 288, "bytes"))
        self.assertGreater(simulator.perfquery("-x", "3", "1")["PortXmitPkts"], before["PortXmitPkts"])

    def test_a_counter_at_its_largest_value_is_not_measured_and_named(self):
        simulator = Simulator(self, "Switch1")
        simulator.set("Switch1", 3, "PortCounters", PortXmitWait=4_294_967_295)
        run = self.asked(simulator, "1:3")
        self.assertNotIn("fabric_tx_wait", self.last(run, "lid 1 port 3"))
        self.assertIn("fabric_symbol_errors", self.last(run, "lid 1 port 3"))
        self.assertEqual(sum("PortXmitWait stands at its largest value" in reason for state, reason in self.told(run) if state == "degraded"), 1)

    def test_ports_that_do_not_answer_cost_nothing_but_themselves(self):
        simulator = Simulator(self, "Hca1")
        simulator.say('Error "Hca2"[1] 100')  # it drops every packet
        run = self.asked(simulator, "3:1,99:1,2:9,2:1", "/bin/sleep", "6")
        told = self.told(run)
        for silent in ("lid 3 port 1: no answer", "lid 99 port 1: no answer", "lid 2 port 9: it has no such port"):
            self.assertTrue(any(reason.startswith(silent) for _, reason in told), told)
        self.assertIn("fabric_tx_words", self.last(run, "lid 2 port 1"))
        self.assertEqual(run.stderr.count("ibwarn: [") - run.stderr.count("sim_connect"), 0, run.stderr)


class WithoutFabric(RunTestCase):
    def test_a_host_without_a_device_says_so_and_the_job_runs(self):
        if pathlib.Path("/dev/infiniband/umad0").exists():
            self.skipTest("this host has an InfiniBand device")
        run = self.profile("/bin/echo", "job", options=("--sample=0", "--fabric=mad://nothing_0/7:3"))
        self.assertEqual(run.stdout, "job\n")
        states = run.rows("SELECT state, reason FROM ledger WHERE what = 'fabric mad://nothing_0'")
        self.assertEqual([state for state, _ in states], ["absent"])
        self.assertTrue("nothing_0" in states[0][1] or "cannot be loaded" in states[0][1], states)

    def test_an_address_that_is_none_is_refused_before_the_job(self):
        for place in ("mad://7", "mad://mlx5_0/0:1", "mad://99999:1"):
            with self.subTest(place=place):
                command, path = self.command("/bin/true", options=(f"--fabric={place}",))
                refused = self.call(command)
                self.assertEqual(refused.returncode, 2)
                self.assertIn("expected mad://[DEVICE[:PORT]/]LID:PORT", refused.stderr)
                self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
