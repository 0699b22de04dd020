# SPDX-License-Identifier: MIT
"""NCCL's profiler interface, versions 1 to 6, played by a STAND-IN (tests/fakes/nccl; no NCCL, no GPU): what the database holds equals
the books of what was told, and what NCCL promises never to do harms nobody."""
import os
import signal
import unittest

from harness import BUILD, RunTestCase

VERSIONS = range(1, 7)
HASH = 0xF123456789ABCDEF
COMM = HASH & (1 << 63) - 1
NCCL, NONBLOCKING, INCOMPLETE = 0x200, 0x1, 0x20
NOT_OPERATIONS = "('communicator', 'comm_detail', 'comm_wire', 'comm_wait')"


class NcclTestCase(RunTestCase):
    def play(self, script, version, *words, env=None, options=()):
        return self.profile("fake_nccl_events", script, version, *words, env=env, options=options)

    def operations(self, run):
        return {kind: [calls, size] for kind, calls, size in run.rows(
            f"SELECT kind, sum(calls), sum(bytes) FROM name_stat JOIN track ON track.id = track_id WHERE lane = 'comm' AND kind NOT IN {NOT_OPERATIONS}"
            " GROUP BY kind")}

    def wire(self, run):
        sums = dict(run.rows("SELECT received, sum(wire) FROM comm_wire GROUP BY received"))
        return sums.get(0, 0), sums.get(1, 0)

    def assert_books(self, run):
        self.assertEqual(self.operations(run), run.ledger["kinds"])
        self.assertEqual(self.wire(run), (run.ledger["sent"], run.ledger["received"]))
        self.assertEqual(run.drops(), 0)


class EveryVersion(NcclTestCase):
    def test_collectives_equal_the_books(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("steady", version)
                self.assert_books(run)
                self.assertEqual(run.value("SELECT count(*) FROM comm_wire"), run.ledger["proxies"])
                self.assertEqual(run.value("SELECT sum(steps) FROM comm_wait"), run.ledger["steps"])
                self.assert_communicator(run, version)
                self.assert_way(run)
                self.assert_sequence(run)

    def assert_communicator(self, run, version):
        size = 4 if version >= 4 else 0  # before v4 nobody tells it
        self.assertEqual(run.rows("SELECT comm, rank, size, name FROM communicator"), [(COMM, 1, size, "world")])
        self.assertEqual(run.rows("SELECT DISTINCT comm FROM allreduce"), [(COMM,)])

    def assert_way(self, run):
        """Each operation has one detail with its link, and two proxy operations: one sent to the next rank, one received."""
        self.assertEqual(run.rows("SELECT algorithm, protocol, channels, source, count(*) FROM comm_detail GROUP BY 1, 2, 3, 4"), [("RING", 2, 12, 0, 25)])
        torn = run.value("SELECT count(*) FROM allreduce a WHERE (SELECT count(*) FROM comm_detail d WHERE d.link = a.link) != 1"
                         " OR (SELECT group_concat(peer || '/' || received || '/' || wire) FROM"
                         " (SELECT * FROM comm_wire w WHERE w.link = a.link ORDER BY received)) != '2/0/4000,0/1/8000'")
        self.assertEqual(torn, 0)

    def assert_sequence(self, run):
        """From 0, without a hole, over all kinds; roots where there are some; the flags say NCCL and that the end is not the kernel's."""
        rows = []
        for kind in run.ledger["kinds"]:
            rows += run.rows(f"SELECT sequence, '{kind}', root, flags FROM {kind}")
        self.assertEqual([row[0] for row in sorted(rows)], list(range(25)))
        self.assertEqual({row[1:] for row in rows}, {(kind, {"broadcast": 2, "reduce": 3}.get(kind, -1), NCCL | NONBLOCKING) for kind in run.ledger["kinds"]})

    def test_messages_have_peer_and_wire(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("messages", version)
                self.assert_books(run)
                self.assertEqual(run.rows("SELECT s.peer, s.bytes, w.wire FROM send s JOIN comm_wire w ON w.link = s.link AND w.peer = s.peer"),
                                 [(2, 1000, 1000)])
                self.assertEqual(run.rows("SELECT peer, bytes FROM recv"), [(0, 1000)])

    def test_an_all_to_all_is_one_operation(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("alltoall", version)
                self.assert_books(run)
                self.assertEqual(run.value("SELECT count(*) FROM alltoall"), 1 if version <= 3 else 2)

    def test_an_exchange_with_neighbours_is_none(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                self.assert_books(self.play("neighbours", version, 5, 1))

    def test_fifty_collectives_of_one_kernel_share_its_plan(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("fused", version)
                self.assert_books(run)
                self.assertEqual(run.rows("SELECT count(DISTINCT link), count(DISTINCT link >> 8) FROM allreduce"), [(50, 1)])


class WhatOnlyLaterVersionsTell(NcclTestCase):
    def test_calls_without_a_kernel_are_recorded_once_and_captured_ones_at_each_replay(self):
        for version in (5, 6):
            with self.subTest(version=version):
                run = self.play("calls", version)
                self.assert_books(run)
                self.assertEqual(run.value("SELECT count(*) FROM comm_detail WHERE algorithm = 'CE_MC'"), version - 5)


class WhatNcclShouldNotDo(NcclTestCase):
    def test_malformed_sequences_harm_nobody(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("malformed", version)
                self.assertEqual(self.operations(run), run.ledger["kinds"])
                self.assertEqual(self.wire(run), (run.ledger["sent"], run.ledger["received"]))
                # Six parents that are none, and another process's: none is taken for our operation. One number in 64 passes for one of
                # ours by chance, but not for that one.
                self.assertEqual(run.value("SELECT count(*) FROM comm_wire WHERE link NOT IN (SELECT link FROM allreduce)"), 7)

    def test_the_plugin_may_be_loaded_five_times(self):
        for version in (1, 4, 6):
            with self.subTest(version=version):
                run = self.play("generations", version)
                self.assert_books(run)
                self.assertEqual(run.rows("SELECT count(DISTINCT comm), max(sequence) FROM allreduce"), [(5, 9)])

    def test_eight_threads_with_eight_communicators(self):
        for version in (1, 6):
            with self.subTest(version=version):
                run = self.play("threads", version)
                self.assert_books(run)
                self.assertEqual(run.rows("SELECT comm, count(*), count(DISTINCT sequence), max(sequence) FROM allreduce GROUP BY comm"),
                                 [(COMM + thread, 200, 200, 199) for thread in range(8)])

    def test_two_copies_of_nccl_in_one_process(self):
        self.assert_books(self.play("copies", 6))

    def test_a_stalled_peer_and_very_many_steps_stay_one_row_each(self):
        run = self.play("flood", 6)
        self.assert_books(run)
        stalled, steps = run.row("SELECT peer, steps FROM comm_wait ORDER BY begin_ns")
        self.assertEqual(steps, 1)
        length = run.value("SELECT end_ns - begin_ns FROM comm_wire ORDER BY begin_ns")
        self.assertGreater(stalled, length / 2)
        self.assertLessEqual(stalled, length)
        self.assertEqual(run.value("SELECT max(steps) FROM comm_wait"), 100_000)

    def test_a_million_operations_and_more_at_once_than_there_is_room_for(self):
        """Only messages are recorded, so that no event of the storm can be lost for its number: what is lost is what had no place."""
        run = self.play("storm", 6, options=("--kinds", "send,communicator"))
        self.assertEqual(run.rows("SELECT reason, amount FROM ledger WHERE state = 'dropped'"), [("table_full", 20_000 - 16_384)])

    def test_what_is_open_when_the_process_ends_is_incomplete(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("busy-end", version)
                self.assertEqual(self.operations(run), run.ledger["kinds"])
                self.assertEqual(self.wire(run), (run.ledger["sent"], 0))
                self.assertEqual(run.rows("SELECT flags FROM allreduce"), [(NCCL | NONBLOCKING | INCOMPLETE,)])

    def test_a_mask_that_changes_midway_loses_what_it_hides_and_nothing_else(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("masked", version)
                self.assert_books(run)
                self.assertEqual(run.value("SELECT count(*) FROM comm_wire WHERE link NOT IN (SELECT link FROM allreduce)"), 0)

    def test_a_communicator_given_up_with_a_collective_open_leaves_the_next_alone(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                run = self.play("aborted", version)
                self.assertEqual(self.operations(run), run.ledger["kinds"])
                self.assertEqual(self.wire(run), (run.ledger["sent"], 0))
                self.assertEqual(run.rows("SELECT comm, flags FROM allreduce ORDER BY comm"),
                                 [(COMM, NCCL | NONBLOCKING | INCOMPLETE), (COMM + 1, NCCL | NONBLOCKING)])

    def test_killed_inside_a_call_all_that_had_ended_is_there_once(self):
        for version in (1, 6):
            with self.subTest(version=version):
                run = self.profile("fake_nccl_events", "killed", version, status=-signal.SIGKILL)
                self.assertEqual(self.operations(run), run.ledger["kinds"])
                self.assertEqual(run.rows("SELECT count(DISTINCT sequence), max(sequence) FROM allreduce"), [(100, 99)])
                self.assertEqual(run.value("SELECT ended FROM process WHERE id = (SELECT min(process_id) FROM allreduce)"), "killed")


class InFrontOfNccl(NcclTestCase):
    """Programs that use NCCL's public functions, against a stand-in of a release without and of one with a profiler interface."""
    INTERPOSED = [("not known", -1, 0, 1)]

    def sources(self, run):
        return run.rows("SELECT DISTINCT algorithm, protocol, channels, source FROM comm_detail ORDER BY source")

    def test_calls_equal_the_books_linked_local_and_static(self):
        for words in (["nccl_program_shared"], ["nccl_loader", BUILD / "lib" / "libnccl_program_module.so", "local"],
                      ["nccl_loader", BUILD / "lib" / "libnccl_program_static.so", "local"]):
            with self.subTest(words=words):
                run = self.profile(*words)
                self.assert_books(run)
                self.assertEqual(self.sources(run), self.INTERPOSED)
                self.assertEqual(run.rows("SELECT comm IN (SELECT comm FROM communicator), size FROM communicator GROUP BY size ORDER BY size"),
                                 [(1, 1), (1, 2), (1, 4)])
                self.assertEqual(run.rows("SELECT root, bytes FROM gather UNION ALL SELECT root, bytes FROM scatter"), [(2, 24), (2, 28)])
                self.assert_group(run)

    def assert_group(self, run):
        """Three calls in two nested groups end together, and the groups' operations share a plan."""
        self.assertEqual(run.rows("SELECT count(*), count(DISTINCT end_ns), count(DISTINCT link) FROM allreduce WHERE bytes = 400 GROUP BY link >> 8"), [(3, 1, 3)])

    def test_killed_inside_a_call_the_calls_before_are_there(self):
        run = self.profile("nccl_program_shared", env={"FAKE_NCCL_KILLS_AT": "12"}, status=-signal.SIGKILL)
        self.assertEqual(run.rows("SELECT bytes FROM allreduce ORDER BY begin_ns"), [(4000,), (400,), (400,), (400,), (36,), (44,)])
        self.assertEqual(run.drops(), 0)

    def test_what_cannot_be_reached_runs_unharmed_and_unseen(self):
        for words in (["nccl_program_hidden"], ["nccl_loader", BUILD / "lib" / "libnccl_program_module.so", "deepbind"]):
            with self.subTest(words=words):
                run = self.profile(*words)
                self.assertEqual(len(run.ledger["kinds"]), 10)
                self.assertEqual(self.operations(run), {})

    def test_where_the_plugin_tells_calls_add_only_what_it_cannot(self):
        """The communicators of one rank: NCCL copies, and tells its plugin nothing."""
        run = self.profile("nccl_program_plugin", "plugin")
        self.assert_books(run)
        self.assertEqual(self.sources(run), [("RING", 2, 12, 0), *self.INTERPOSED])
        self.assertEqual(run.rows("SELECT bytes FROM allreduce a JOIN comm_detail d ON d.link = a.link WHERE source = 1 ORDER BY bytes"), [(36,), (48,)])


class AnotherPlugin(NcclTestCase):
    """The user's own profiler plugin (a STAND-IN that counts) is called as if we were not there."""
    THEIRS = BUILD / "lib" / "libnccl-profiler-counting.so"

    def counts(self, script, version, name, *words):
        """What the user's plugin counted, without and with us."""
        said = []
        for under in ([], [BUILD / "bin" / "flowgauge", "run", "-o", self.folder / f"{script}{version}", "--"]):
            env = self.environment({"NCCL_PROFILER_PLUGIN": str(name), "COUNTING_FILE": str(self.folder / "counts"), "LD_LIBRARY_PATH": str(BUILD / "lib")})
            (self.folder / "counts").unlink(missing_ok=True)
            self.assertEqual(self.call([*under, BUILD / "bin" / "fake_nccl_events", script, version, *words], env=env).returncode, 0)
            said.append((self.folder / "counts").read_text())
        return said

    def test_it_hears_what_it_asked_for(self):
        for version in (3, 5):
            with self.subTest(version=version):
                bare, beside = self.counts("steady", version, self.THEIRS)
                self.assertEqual(beside, bare)

    def test_one_that_nobody_named_but_nccl_would_find_is_called_too(self):
        (self.folder / "path").mkdir()
        (self.folder / "path" / "libnccl-profiler.so").symlink_to(self.THEIRS)
        env = {"COUNTING_FILE": str(self.folder / "counts"), "LD_LIBRARY_PATH": str(self.folder / "path")}
        self.assert_books(self.play("steady", 5, env=env))
        self.assertEqual((self.folder / "counts").read_text(), "contexts 1 collectives 25 proxy operations 50\n")

    def test_both_are_told_and_our_books_still_balance(self):
        run = self.play("steady", 5, env={"NCCL_PROFILER_PLUGIN": str(self.THEIRS), "COUNTING_FILE": str(self.folder / "counts")})
        self.assert_books(run)

    def test_one_that_lacks_the_version_is_not_called_and_the_ledger_says_so(self):
        """It has 3 and 5. NCCL alone would speak 5 to it; we speak NCCL's own version, and translate for nobody."""
        run = self.play("steady", 6, env={"NCCL_PROFILER_PLUGIN": str(self.THEIRS), "COUNTING_FILE": str(self.folder / "counts")})
        self.assert_books(run)
        self.assertFalse((self.folder / "counts").exists())
        self.assertEqual(run.rows("SELECT state, reason FROM ledger WHERE what = 'NCCL profiler plugin of the user'"),
                         [("absent", "it lacks the version of the interface that this NCCL speaks")])

    def test_a_plugin_that_is_none_is_told_of_in_the_ledger(self):
        run = self.play("steady", 5, env={"NCCL_PROFILER_PLUGIN": "/nowhere/plugin.so"})
        self.assert_books(run)
        self.assertEqual(run.rows("SELECT state FROM ledger WHERE what = 'NCCL profiler plugin of the user'"), [("absent",)])


class TheProcess(NcclTestCase):
    def test_a_forked_child_records_its_own_communicators_alone(self):
        run = self.play("fork", 5)
        self.assert_books(run)
        self.assertEqual(run.rows("SELECT comm, count(*), count(DISTINCT process_id), max(sequence) FROM allreduce GROUP BY comm"), [(COMM, 1, 1, 0), (COMM + 1, 2, 1, 1)])
        self.assertEqual(run.value("SELECT count(DISTINCT process_id) FROM allreduce"), 2)

    def test_a_vforked_child_ends_nothing_of_its_parents(self):
        run = self.play("vfork", 5)
        self.assert_books(run)
        self.assertEqual(run.rows("SELECT flags FROM allreduce"), [(NCCL | NONBLOCKING,)])

    def test_only_events_that_harm_no_release_are_asked_for(self):
        """Group, Coll, P2p, ProxyOp, ProxyStep; from v5 the calls, from v6 copy engines. Never KernelCh (1 << 6), nor NetPlugin."""
        calls, engines = 1 << 8 | 1 << 9 | 1 << 10, 1 << 12
        for version in VERSIONS:
            run = self.play("asked", version)
            self.assertEqual(int(run.stdout), 0b11111 | (calls if version >= 5 else 0) | (engines if version >= 6 else 0))


class TheSlot(NcclTestCase):
    def test_nothing_is_asked_for_when_no_communication_is_recorded(self):
        job = self.call([BUILD / "bin" / "flowgauge", "run", "-o", self.folder / "io", "--kinds", "io", "--", BUILD / "bin" / "fake_nccl_events", "steady", "6"])
        self.assertIn("no ncclProfiler_v6 in libnccl-profiler.so", job.stderr)

    def test_a_user_who_wants_no_profiler_gets_none(self):
        env = self.environment({"NCCL_PROFILER_PLUGIN": "none"})
        job = self.call([BUILD / "bin" / "flowgauge", "run", "-o", self.folder / "none", "--", "printenv", "NCCL_PROFILER_PLUGIN"], env=env)
        self.assertEqual(job.stdout, "none\n")


if __name__ == "__main__":
    unittest.main()
