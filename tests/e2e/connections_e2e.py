#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What TCP connections moved equals the book of the program that used them: each byte once, each socket once."""
import pathlib
import shutil
import subprocess
import unittest

from harness import BUILD, RunTestCase

PROGRAM = BUILD / "bin" / "tcp_books"
SHORT = 200

# The largest total that any process told of a socket: totals only grow.
TOTALS = """SELECT socket, sent, received FROM (SELECT host, link, socket, max(sent) AS sent, max(received) AS received
            FROM socket_bytes GROUP BY host, link, socket)"""


def has_ipv6():
    addresses = pathlib.Path("/proc/net/if_inet6")
    return addresses.exists() and f"{1:032x}" in addresses.read_text()


DROPPING = "ip link set lo up && ip link set lo mtu 9000 && tc qdisc add dev lo root tbf rate 20mbit burst 10kb limit 20kb"


def can_drop():
    return shutil.which("tc") is not None and subprocess.run(["unshare", "-n", "sh", "-c", DROPPING], capture_output=True, check=False).returncode == 0


class ConnectionsEqualTheBook(RunTestCase):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data.bin"
        self.data.write_bytes(b"data")

    def books(self, address, short=SHORT, arguments=()):
        run = self.profile(str(PROGRAM), str(self.data), address, str(short), options=arguments)
        sides = [line.split() for line in run.stdout.splitlines() if line.count(" ") == 3]
        return run, sorted((f"tcp {own} -> {peer}", int(written), int(read)) for own, peer, written, read in sides)

    def check(self, address):
        run, book = self.books(address)
        self.assertEqual(len(book), 2 * (SHORT + 4), "every side wrote its line")
        self.assertEqual(sorted(run.rows(TOTALS)), book)
        self.assertEqual(run.value("SELECT count(DISTINCT link) FROM socket_bytes"), len(book), "a socket is one, however many hold it")
        self.assertEqual(run.drops(), 0)
        return run, book

    def test_ipv4(self):
        run, book = self.check("127.0.0.1")
        told = self.report(run)["network"]["connections"]
        sums = (sum(written for _, written, _ in book), sum(read for _, _, read in book))
        self.assertEqual([(row["where"], row["connections"], row["sent_bytes"], row["received_bytes"]) for row in told],
                         [("same host", len(book), *sums)])
        self.assertEqual(run.value("SELECT count(*) FROM ledger WHERE what = 'TCP connections' AND state = 'measured'"), 1)

    @unittest.skipUnless(has_ipv6(), "this machine has no IPv6 loopback")
    def test_ipv6(self):
        self.check("::1")

    @unittest.skipUnless(has_ipv6(), "this machine has no IPv6 loopback")
    def test_ipv4_inside_ipv6_has_the_names_of_ipv4(self):
        run, book = self.check("::ffff:127.0.0.1")
        self.assertTrue(all(name.startswith("tcp 127.0.0.1:") for name, _, _ in book))

    def test_a_connection_that_lives_is_told_of_while_it_does(self):
        """Ten sends of 50,000 bytes in half a second: no reading is ahead of the program, and between two readings a beat passes."""
        run, _ = self.books("127.0.0.1", 0)
        link = run.value("SELECT link FROM socket_bytes WHERE sent = 500000")
        readings = run.rows(f"SELECT sent, begin_ns, end_ns FROM socket_bytes WHERE link = {link} ORDER BY end_ns")
        self.assertGreaterEqual(len(readings), 4, readings)
        self.assertEqual([sent for sent, _, _ in readings], sorted(sent for sent, _, _ in readings))
        for (_, _, seen), (_, begin, _) in zip(readings, readings[1:]):
            self.assertGreaterEqual(begin, seen - 1)

    @unittest.skipUnless(can_drop(), "needs root, and a queue of the kernel that drops (tc, tbf)")
    def test_bytes_that_are_sent_again_are_told_apart(self):
        """A queue of 20 kB on the loopback drops a third of all packets; up to two bytes more than the stream has may then be told."""
        lossy = ("unshare", "-n", "sh", "-c", DROPPING + ' && exec "$@"', "sh")
        command, path = self.command(lossy[0], *lossy[1:], str(PROGRAM), str(self.data), "127.0.0.1", "5")
        run = self.open(path, self.call(command))
        self.assertEqual(run.status, 0, run.stderr)
        book = sorted((f"tcp {own} -> {peer}", int(written), int(read))
                      for own, peer, written, read in (line.split() for line in run.stdout.splitlines() if line.count(" ") == 3))
        told = sorted(run.rows(TOTALS))
        self.assertEqual([name for name, _, _ in told], [name for name, _, _ in book])
        for (name, sent, received), (_, written, read) in zip(told, book):
            with self.subTest(connection=name):
                self.assertEqual(received, read)
                self.assertIn(sent - written, (0, 1, 2))
        self.assertGreater(run.value("SELECT max(resent) FROM socket_bytes"), 0, "nothing was dropped")

    def test_what_is_not_wanted_is_not_recorded(self):
        run, _ = self.books("127.0.0.1", 2, ("--kinds", "io"))
        self.assertEqual(run.value("SELECT count(*) FROM socket_bytes"), 0)


if __name__ == "__main__":
    unittest.main()
