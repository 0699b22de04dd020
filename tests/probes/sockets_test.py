#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls that make TCP connections answer as they would without the library, and each row of socket_calls.def is made."""
import unittest

import spool_reader
from run_probe import PROBES, ProbeTest

ROWS = spool_reader.rows("instrument/socket/socket_calls.def", "FLOWGAUGE_SOCKET")

# Makes a connection to itself and moves so many bytes; with "read" the process records first.
SCRIPT = """
import socket, sys, threading
if sys.argv[2] == "read": open("data.bin", "rb").read(1)
count = int(sys.argv[1])
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
taken, _ = server.accept()
sender = threading.Thread(target=lambda: client.sendall(bytes(count)))
sender.start()
got = 0
while got < count: got += len(taken.recv(1 << 20))
sender.join()
client.close()
taken.close()
"""


class Sockets(ProbeTest):
    def connections(self):
        return [event for process in self.processes() for event in process.of("socket_bytes")]

    def move(self, count, how):
        done = self.injected(["python3", "-c", SCRIPT, str(count), how])
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_calls_answer_as_they_would_and_every_row_is_made(self):
        for sample in ("0", "10"):
            with self.subTest(sample=sample):
                output = self.same_both_ways([PROBES / "sockets"], {"FLOWGAUGE_SAMPLE": sample}).stdout.decode()
                for name, *_ in ROWS:
                    self.assertIn(f"call {name} ", output, "the row has no test in sockets.c")

    def test_only_connections_of_tcp_are_told_of(self):
        self.injected([PROBES / "sockets"], {"FLOWGAUGE_SAMPLE": "10"})
        self.assertEqual({(event.sent, event.received) for event in self.connections()}, {(0, 0)})
        self.assertTrue(all(event.socket.startswith("tcp 127.0.0.1:") for event in self.connections()))

    def test_what_a_process_moved_is_told_where_it_records_and_where_it_is_worth_it(self):
        self.move(1000, "read")
        self.assertEqual(sorted((event.sent, event.received) for event in self.connections()), [(0, 1000), (1000, 0)])

    def test_a_process_that_records_nothing_else_begins_for_a_mebibyte_and_not_for_less(self):
        self.move((1 << 20) - 1, "nothing")
        self.assertEqual(self.processes(), [])
        self.move(1 << 20, "nothing")
        self.assertEqual(sorted((event.sent, event.received) for event in self.connections()), [(0, 1 << 20), (1 << 20, 0)])

    def test_what_ended_before_the_first_record_is_said(self):
        script = SCRIPT + "open('data.bin', 'rb').read(1)\n"
        self.injected(["python3", "-c", script, "1000", "nothing"])
        process, = self.processes()
        self.assertEqual(self.connections(), [])
        said = [text for text in process.names.values() if "TCP connections" in text]
        self.assertEqual(said, ["ledger\tTCP connections\tdegraded\t2 ended before their process recorded anything, after 2000 bytes: "
                                "they are in no sum"])

    def test_without_its_kinds_nothing_is_told(self):
        self.injected(["python3", "-c", SCRIPT, "1000", "read"], {"FLOWGAUGE_KINDS": "io"})
        self.assertEqual(self.connections(), [])


if __name__ == "__main__":
    unittest.main()
