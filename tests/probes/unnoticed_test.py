#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program must not notice: each probe runs bare and injected and must print and end the same. What was recorded is checked too."""
import collections
import os
import pathlib
import platform
import shutil
import subprocess
import unittest

from run_probe import LIBRARY, PROBES, ProbeTest

SIGNAL = {"abort": -6, "kill": -9, "fault": -11}


class Processes(ProbeTest):
    def reads(self, process, name="data.bin"):
        return [(event.offset, event.bytes) for event in process.of("file_read") if event.file == str(self.data / name)]

    def test_fork_shares_positions_and_gives_the_child_a_spool_of_its_own(self):
        self.same_both_ways([PROBES / "fork"])
        parent, child = self.processes()
        self.assertEqual(child.parent, parent.pid)
        self.assertEqual(self.reads(parent), [(0, 10), (30, 40)])
        self.assertEqual(sorted(self.reads(child)), [(0, 30), (10, 20)])

    def test_what_a_child_of_vfork_does_is_not_told_of_its_parent(self):
        self.same_both_ways([PROBES / "vfork"])
        process, = self.processes()
        self.assertEqual(self.reads(process), [(0, 10), (10, 20)])
        self.assertEqual({event.file for event in process.of("file_open", "file_close")}, {str(self.data / "data.bin")})

    def test_exec_starts_a_new_image_with_the_descriptor_of_the_old(self):
        self.same_both_ways([PROBES / "exec"])
        before, after = self.processes()
        self.assertEqual((before.pid, self.reads(before), self.reads(after)), (after.pid, [(0, 10)], [(10, 20)]))

    def test_a_spawned_child_reads_the_descriptor_it_was_given(self):
        self.same_both_ways([PROBES / "spawn"])
        found = {process.program: process for process in self.processes()}
        self.assertEqual(set(found), {"spawn", "head"})

    def test_every_way_to_end_keeps_what_was_recorded(self):
        for way in ("exit", "_exit", "quick_exit", "abort", "kill", "fault", "pthread_exit"):
            with self.subTest(way=way):
                shutil.rmtree(self.spool_folder, True)
                ended = self.same_both_ways([PROBES / "ends", way])
                self.assertEqual(ended.returncode, SIGNAL.get(way, ended.returncode))
                process, = self.processes()
                self.assertEqual(self.reads(process), [(offset, 100) for offset in range(100)])

    def test_the_end_of_its_last_thread_ends_a_process_that_samples_its_host(self):
        self.same_both_ways([PROBES / "ends", "pthread_exit"], {"FLOWGAUGE_SAMPLE": "20"}, timeout=20)

    def test_a_static_program_runs_and_is_not_seen(self):
        self.same_both_ways([PROBES / "static_reads"])
        self.assertEqual(self.processes(), [])

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-gcc is not installed")
    def test_a_program_with_another_c_library_runs_and_is_not_recorded(self):
        program = self.scratch / "musl_reads"
        subprocess.run(["musl-gcc", "-o", program, pathlib.Path(__file__).with_name("reads.c")], check=True)
        self.same_both_ways([program])
        self.assertEqual(self.processes(), [])

    def test_a_child_without_the_environment_runs_and_is_not_recorded(self):
        self.same_both_ways(["/usr/bin/env", "-i", PROBES / "reads"])
        self.assertEqual(self.processes(), [])

    @unittest.skipUnless(platform.machine() == "x86_64", "32-bit programs of this machine's kind are not known")
    def test_a_32_bit_program_runs_and_its_loader_says_that_it_leaves_us_out(self):
        program = self.scratch / "reads_32"
        subprocess.run(["gcc", "-m32", "-o", program, pathlib.Path(__file__).with_name("reads.c")], check=True)
        bare, injected = self.bare([program]), self.injected([program])
        self.assertEqual((injected.returncode, injected.stdout), (bare.returncode, bare.stdout))
        self.assertEqual(bare.stderr, b"")
        self.assertRegex(injected.stderr, rb"^ERROR: ld\.so: object '[^\n]*libflowgauge\.so' [^\n]*: ignored\.\n$")
        self.assertEqual(self.processes(), [])

    @unittest.skipIf(os.geteuid() != 0, "needs root to make a program with the set-user-id bit")
    def test_a_program_with_the_set_user_id_bit_runs_as_before(self):
        shutil.copy(PROBES / "reads", self.scratch / "reads")
        os.chown(self.scratch / "reads", 65534, 65534)
        os.chmod(self.scratch / "reads", 0o6755)
        for folder in (self.scratch, self.data):
            os.chmod(folder, 0o777)
        found, expected = self.injected([self.scratch / "reads"]), self.bare([self.scratch / "reads"])
        self.assertEqual((found.returncode, found.stdout), (expected.returncode, expected.stdout))
        self.assertEqual(self.processes(), [])


class Threads(ProbeTest):
    def test_cancellation_in_a_read_ends_the_thread_and_not_the_process(self):
        self.same_both_ways([PROBES / "cancel"])

    def test_a_storm_of_signals_leaves_every_read_whole(self):
        self.same_both_ways([PROBES / "signal_storm"])
        process, = self.processes()
        lost = {reason for reason, count in process.lost.items() if count}
        self.assertLessEqual(lost, {"reentered", "ring_full"})

    def test_two_thousand_short_threads_are_all_recorded(self):
        self.same_both_ways([PROBES / "thread_storm"])
        process, = self.processes()
        reads = process.of("file_read")
        self.assertEqual((len(reads), sum(process.lost.values())), (2000, 0))
        self.assertEqual({(event.offset, event.bytes) for event in reads}, {(1000, 250)})

    def test_a_number_that_is_used_again_means_the_new_file(self):
        # A ring that holds all of a thread's: what is asked here is which file a read is told of, whoever else has the processors.
        self.same_both_ways([PROBES / "reuse_race"], {"FLOWGAUGE_RING": str(2 << 20)})
        process, = self.processes()
        found = collections.Counter((os.path.basename(event.file), event.bytes) for event in process.of("file_read"))
        self.assertEqual(found, {("1byte", 1): 10000, ("2bytes", 2): 10000})


class Descriptors(ProbeTest):
    def test_the_program_gets_the_numbers_it_would_get_without_us(self):
        for probe in ("closed_descriptors", "many_descriptors"):
            with self.subTest(probe=probe):
                self.same_both_ways([PROBES / probe])
        result = (self.data / "result.txt").read_text()
        self.assertEqual(result, "numbers 0 1 2, read 10 20\n")

    def test_of_a_handful_of_descriptors_at_most_one_is_taken(self):
        """Ours moves out of the way to a high number; where the limit leaves none, one low number is used."""
        expected, found = self.bare([PROBES / "few_descriptors"]), self.injected([PROBES / "few_descriptors"])
        self.assertIn(found.stdout, (expected.stdout, b"28 files, last number 31, errno 24\n"))
        self.assertEqual(expected.stdout, b"29 files, last number 31, errno 24\n")

    def test_closing_every_number_harms_neither_the_program_nor_the_recording(self):
        self.same_both_ways([PROBES / "close_all"])
        process, = self.processes()
        written = collections.Counter(event.file for event in process.of("file_write"))
        self.assertEqual(written, {str(self.data / f"out{i}.bin"): 150 for i in range(20)})
        self.assertEqual(sum(process.lost.values()), 0)
        for i in range(20):
            self.assertEqual((self.data / f"out{i}.bin").read_bytes(), bytes(50000))

    def test_a_thousand_open_files_and_one_number_beyond_the_table_are_recorded(self):
        self.same_both_ways([PROBES / "many_descriptors"])
        process, = self.processes()
        self.assertEqual(collections.Counter(event.bytes for event in process.of("file_read")), {10: 1000, 5: 1})


class Errors(ProbeTest):
    def test_results_and_errno_of_calls_that_fail_are_the_same(self):
        found = self.same_both_ways([PROBES / "bad_arguments"])
        self.assertEqual(found.returncode, 0)
        self.assertIn(b"10 4711", found.stdout)

    def test_a_full_device_fails_as_before(self):
        self.same_both_ways([PROBES / "full_device"])


class Surroundings(ProbeTest):
    def test_libraries_come_and_go(self):
        self.same_both_ways([PROBES / "dlopen", PROBES / "late_library.so"])
        process, = self.processes()
        self.assertEqual([event.bytes for event in process.of("file_read")], [100] * 10)

    def test_another_library_in_front_or_behind_sees_what_it_would_see(self):
        other = PROBES / "counting_preload.so"
        alone = self.start([PROBES / "reads"], self.environment(LD_PRELOAD=other, FLOWGAUGE_RUN=None))
        for order in (f"{LIBRARY}:{other}", f"{other}:{LIBRARY}"):
            with self.subTest(order=order):
                shutil.rmtree(self.spool_folder, True)
                both = self.injected([PROBES / "reads"], {"LD_PRELOAD": order})
                self.assertEqual((both.returncode, both.stdout), (alone.returncode, alone.stdout))
                process, = self.processes()
                self.assertEqual(len(process.of("file_read")), 26)

    def test_streams_are_recorded_to_the_byte_whatever_moves_them(self):
        self.same_both_ways([PROBES / "streams"])
        process, = self.processes()
        reads = [(event.offset, event.bytes) for event in process.of("file_read")]
        self.assertEqual(reads, [(0, 100), (100, 50), (150, 100), (250, 1)])
        self.assertEqual([(event.offset, event.bytes) for event in process.of("file_write")], [(0, 201), (201, 9)])

    def test_a_spool_that_cannot_be_made_costs_the_recording_and_not_the_program(self):
        (self.scratch / "file").write_text("no folder")
        for place in (self.scratch / "file" / "below", "/proc/nowhere"):
            with self.subTest(place=place):
                self.same_both_ways([PROBES / "reads"], {"FLOWGAUGE_SPOOL": place, "FLOWGAUGE_RUN": place})

    @unittest.skipIf(os.geteuid() != 0, "needs root to mount a small file system")
    def test_a_full_spool_disk_costs_events_that_are_counted(self):
        self.spool_folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(self.spool_folder)], check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.spool_folder)], check=False)
        # A ring that holds all of a thread's: what is asked here is which file a read is told of, whoever else has the processors.
        self.same_both_ways([PROBES / "reuse_race"], {"FLOWGAUGE_RING": str(2 << 20)})

    @unittest.skipIf(os.geteuid() != 0, "needs root to mount a small file system")
    def test_a_run_directory_that_is_read_only_is_left_alone(self):
        self.run_folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(self.run_folder)], check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.run_folder)], check=False)
        self.same_both_ways([PROBES / "reads"])
        self.assertEqual(len(self.processes()), 1)


if __name__ == "__main__":
    unittest.main()
