# SPDX-License-Identifier: MIT
"""A job whose process samples the host is stopped for five seconds while its interface goes on sending, and the time of day is moved by an
hour under it, there and back and beyond. No reading may have another time than the one at which its number was true. The clock that
moves is a library in front of the C library's: the machine's own stays. Needs root for a network namespace."""
import bisect
import itertools
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time
import unittest

import two_hosts
from harness import BUILD, FLOWGAUGE, RunTestCase

PRELOAD = f"{BUILD / 'lib' / 'clock_shift.so'} {BUILD / 'lib' / 'libflowgauge.so'}"
HOUR_NS = 3600 * 10**9
STOP_S = 5
PATIENCE_S = 60
PAYLOAD, HEADERS, REST_S = 1000, 14 + 20 + 8, 0.002
FRAME = PAYLOAD + HEADERS
NEAR_NS = 25_000_000  # a reading that took longer than 17 ms is taken again

# Sends datagrams, never two within REST_S, until its input ends; its books: begin and end of each send by CLOCK_MONOTONIC_RAW.
SENDER = f"""
import json, select, socket, sys, time
line, book = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), []
while not select.select([sys.stdin], [], [], {REST_S})[0]:
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    line.sendto(bytes({PAYLOAD}), ("10.99.0.2", 9))
    book.append((begin, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)))
json.dump(book, sys.stdout)
"""
# Reads block after block until its input ends; its books: the time of day as it went by, and begin and end of each read.
JOB = """
import json, os, select, sys, time
data, book, days = os.open(sys.argv[1], os.O_RDONLY), [], []
while not select.select([sys.stdin], [], [], 0.01)[0]:
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    os.pread(data, 512, 512 * len(book))
    book.append((begin, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)))
    days.append(time.time_ns())
json.dump([book, days], sys.stdout)
"""


class Disturbed(RunTestCase):
    def setUp(self):
        super().setUp()
        why = two_hosts.why_not()
        if why is not None:
            self.skipTest(why)
        self.host = two_hosts.Host("node-a", self.folder / "tmp", pathlib.Path("/etc/hosts"))
        self.addCleanup(self.host.close)
        self.host.do("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "far0")
        for end in ("eth0", "far0"):  # without questions about addresses: nothing but the sender's frames
            self.host.do("ip", "link", "set", end, "arp", "off", "addrgenmode", "none", "up")
        self.host.do("ip", "address", "add", "10.99.0.1/24", "dev", "eth0")
        self.shift = self.folder / "shift"
        self.step_clock(0)

    def step_clock(self, later_ns):
        with open(self.shift, "r+b" if self.shift.exists() else "wb") as file:
            file.write(struct.pack("q", later_ns))

    def start(self, script, *words, env=()):
        process = subprocess.Popen(self.host.command("env", *env, sys.executable, "-c", script, *words), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, env=self.environment())
        self.addCleanup(process.kill)
        return process

    def end(self, process):
        books, _ = process.communicate("\n", timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0)
        return json.loads(books)

    def beats(self, job):
        """How often the sampler's thread went to sleep."""
        for thread in pathlib.Path(f"/proc/{job.pid}/task").iterdir():
            if (thread / "comm").read_text() == "flowgauge-s\n":
                lines = dict(line.split(":") for line in (thread / "status").read_text().splitlines())
                return int(lines["voluntary_ctxt_switches"])
        return 0

    def await_beats(self, job, count):
        until, goal = time.monotonic() + PATIENCE_S, self.beats(job) + count
        while self.beats(job) < goal:
            self.assertLess(time.monotonic(), until, "the sampler does not beat")
            time.sleep(0.02)

    def disturb(self, job):
        """The clock steps forth, the job is stopped, the clock steps back behind where it was. Returns when the job stood still."""
        self.await_beats(job, 10)
        self.step_clock(HOUR_NS)
        self.await_beats(job, 10)
        job.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, job.pid, os.WSTOPPED | os.WNOWAIT)
        stopped = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        time.sleep(STOP_S)
        continued = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        job.send_signal(signal.SIGCONT)
        self.await_beats(job, 10)
        self.step_clock(-HOUR_NS)
        self.await_beats(job, 10)
        return stopped, continued

    def assert_true_at_their_times(self, samples, book, first):
        """Each reading lies between what had been sent shortly before its time and what had been begun shortly after it."""
        begins, ends = zip(*book)
        for at, value in samples:
            least = bisect.bisect_right(ends, at - NEAR_NS) * FRAME
            most = bisect.bisect_right(begins, at + NEAR_NS) * FRAME
            self.assertTrue(least <= value - first <= most, f"{value - first} at {at}, where {least} to {most} had been sent")

    def test_a_stop_of_five_seconds_and_a_clock_that_steps_change_no_rate(self):
        data = self.folder / "data.bin"
        data.write_bytes(bytes(1 << 20))
        path = self.folder / "run"
        _, before = self.host.counters("eth0")
        job = self.start(JOB, data, env=(f"LD_PRELOAD={PRELOAD}", f"FLOWGAUGE_RUN={path}", "FLOWGAUGE_SAMPLE=50",
                                         f"FLOWGAUGE_SPOOL={self.folder / 'spools'}", f"CLOCK_SHIFT_FILE={self.shift}"))
        self.await_beats(job, 5)  # the first reading is behind it
        sender = self.start(SENDER)
        stopped, continued = self.disturb(job)
        sent = self.end(sender)
        _, after = self.host.counters("eth0")
        self.assertEqual(after - before, len(sent) * FRAME, "the interface carried the datagrams and nothing else")
        self.await_beats(job, 5)
        read, days = self.end(job)
        steps = [round((b - a) / HOUR_NS) for a, b in itertools.pairwise(days)]
        self.assertEqual([step for step in steps if step != 0], [1, -2], "the clock did not step as it should have")

        report = self.call([FLOWGAUGE, "report", "--format=json", path])
        self.assertEqual((report.returncode, report.stderr), (0, ""))
        run = self.open(path, report)
        raw_to_run = run.value("SELECT raw_to_run_ns FROM host")
        samples = run.rows("SELECT at_ns, value FROM nic_counter WHERE source = 'eth0' AND counter = 'nic_tx_bytes' ORDER BY at_ns")
        self.assert_true_at_their_times([(at - raw_to_run, value) for at, value in samples], sent, before)
        self.assertEqual((samples[0][1], samples[-1][1]), (before, after))

        port, = (port for port in json.loads(report.stdout)["network"]["ports"] if port["port"] == "eth0")
        self.assertEqual(port["sent"]["moved_bytes"], len(sent) * FRAME)
        self.assertLess(port["peak_sent_bytes_per_second"], 1.1 * FRAME / REST_S)

        late = run.value("SELECT max(value) FROM sampler_counter WHERE counter = 'sample_late_ns'")
        self.assertGreater(late, continued - stopped - 50_000_000)

        reads = run.rows("SELECT begin_ns, end_ns, offset FROM file_read WHERE file LIKE '%/data.bin' "
                         "ORDER BY begin_ns")
        self.assertEqual([offset for _, _, offset in reads], [512 * i for i in range(len(read))])
        for (begin, end, _), (earliest, latest) in zip(reads, read):
            self.assertTrue(earliest - 1_000_000 <= begin - raw_to_run <= end - raw_to_run <= latest + 1_000_000)


if __name__ == "__main__":
    unittest.main()
