# SPDX-License-Identifier: MIT
"""A job must not notice `flowgauge run`: what it prints, how it ends and what signals reach it are as without us, to the byte.

Only the launcher's own lines on stderr, which begin with "flowgauge: ", come on top."""
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

from harness import FLOWGAUGE, TIMEOUT_S, find_program
from training import TrainingTestCase

OWN_LINE = re.compile(rb"flowgauge: .*\n")
TIMES = re.compile(rb'"time_ms": \d+|Speed: [\d.]+')
TRAPS = """
for name in INT TERM USR1; do trap "echo caught $name; exit 5" $name; done
echo ready; while :; do sleep 0.02; done"""


def state_of(pid):
    """R, S, T, Z ... of proc(5), or None for a process that is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


class TransparentTestCase(TrainingTestCase):
    def under(self, words):
        return [str(FLOWGAUGE), "run", "-o", str(self.job_folder() / "run"), "--", *map(str, words)]

    def outcome(self, words, stdin=b"", stdout=subprocess.PIPE):
        done = subprocess.run([str(word) for word in words], input=stdin, stdout=stdout, stderr=subprocess.PIPE, env=self.environment(),
                              timeout=TIMEOUT_S, check=False)
        self._said.append(f"$ {' '.join(map(str, words))}\n-> {done.returncode}\n{done.stderr.decode(errors='replace')}")
        return done.returncode, done.stdout, OWN_LINE.sub(b"", done.stderr)

    def same(self, *words, **streams):
        """Runs both ways; returns what both said."""
        bare = self.outcome(words, **streams)
        self.assertEqual(self.outcome(self.under(words), **streams), bare)
        return bare

    def start(self, words, **more):
        job = subprocess.Popen(self.under(words), env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, **more)
        self.addCleanup(lambda: (job.poll() is None and job.kill(), job.stdout.close(), job.stderr.close(), job.wait()))
        return job

    def await_that(self, truth, what):
        until = time.monotonic() + 60
        while not truth():
            self.assertLess(time.monotonic(), until, f"waited a minute for: {what}")
            time.sleep(0.005)


class WhatItSays(TransparentTestCase):
    def test_training_prints_the_same_apart_from_times(self):
        words = [find_program("train_sim"), self.data, "--epochs", "2", "--batch", "8", "--compute-ms", "1", "--seed", "7", "--log-every", "2"]
        for launcher in ([], self.launcher(2, "openmpi")):
            with self.subTest(launcher=launcher):
                bare, with_us = self.outcome([*launcher, *words]), self.outcome(self.under([*launcher, *words]))
                self.assertEqual(TIMES.sub(b"", with_us[1]), TIMES.sub(b"", bare[1]))
                self.assertEqual((with_us[0], with_us[2]), (bare[0], bare[2]))
                self.assertIn(b"epoch_stop", bare[1])

    def test_exit_status_and_both_streams(self):
        status, out, err = self.same("sh", "-c", "echo out; echo err >&2; printf 'no newline'; exit 3")
        self.assertEqual((status, out, err), (3, b"out\nno newline", b"err\n"))

    def test_a_trainer_that_refuses_its_data(self):
        status, _, err = self.same(find_program("train_sim"), self.shared / "no such set")
        self.assertEqual(status, 2)
        self.assertIn(b"no such index", err)

    def test_death_by_its_own_signal(self):
        for name in ("TERM", "KILL", "SEGV"):
            with self.subTest(signal=name):
                status, _, _ = self.same("sh", "-c", f"ulimit -c 0; echo last words; kill -{name} $$")
                self.assertEqual(status, -getattr(signal, f"SIG{name}"))


class WhereItsStreamsGo(TransparentTestCase):
    def test_input_passes_to_the_last_byte(self):
        bytes_in = bytes(range(256)) * 20_000
        self.assertEqual(self.same("cat", stdin=bytes_in), (0, bytes_in, b""))

    def test_one_byte_at_a_time_from_a_reader_that_stops_early(self):
        self.same("sh", "-c", "head -c 3; echo; head -c 2 >&2", stdin=b"0123456789")

    def test_a_file(self):
        written = []
        for words in (["cat"], self.under(["cat"])):
            file = self.folder / f"out{len(written)}"
            with open(file, "wb") as out:
                out.write(b"before\n")
                out.flush()
                status, _, err = self.outcome(words, stdin=b"one\ntwo\n", stdout=out)
            written.append((status, err, file.read_bytes()))
        self.assertEqual(written, [(0, b"", b"before\none\ntwo\n")] * 2)

    def test_a_full_device(self):
        with open("/dev/full", "wb") as full:
            status, _, err = self.same("cat", stdin=b"words\n", stdout=full)
        self.assertEqual(status, 1)
        self.assertIn(b"No space left on device", err)

    def test_closed_descriptors(self):
        for closing in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closing=closing):
                told = self.folder / "told"
                inner = f"ls -l /proc/self/fd | wc -l > {told}; exit 4"
                results = []
                for words in (["sh", "-c", inner], self.under(["sh", "-c", inner])):
                    line = f"exec {' '.join(map(quoted, words))} {closing}"
                    results.append((subprocess.run(["sh", "-c", line], env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                                   timeout=TIMEOUT_S, check=False).returncode, told.read_text()))
                self.assertEqual(results[0], results[1])

    def test_a_terminal(self):
        """The job sees a terminal of the same size, and what comes out of it is the same."""
        script = "test -t 0 && test -t 1 && test -t 2 && stty size && printf 'a\\tb\\n' && exit 6"
        bare, with_us = on_terminal(["sh", "-c", script]), on_terminal(self.under(["sh", "-c", script]), self.environment())
        self.assertEqual(bare[0], 6)
        self.assertEqual((with_us[0], re.sub(rb"\r*flowgauge: [^\n]*\n|\r[^\n]*storing[^\n]*\r", b"", with_us[1])), bare)

    def test_a_reader_that_goes_away(self):
        """`job | head -1`: the job dies of SIGPIPE, as it would alone, and does not go on for ever."""
        for words in (["yes"], self.under(["yes"])):
            line = f"{{ {' '.join(map(quoted, words))}; echo $? >&2; }} | head -1"
            done = subprocess.run(["sh", "-c", line], env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S,
                                  check=False)
            self.assertEqual((done.stdout, OWN_LINE.sub(b"", done.stderr)), (b"y\n", b"141\n"))


class SignalsThatReachIt(TransparentTestCase):
    def test_a_signal_to_the_launcher_reaches_the_job(self):
        for name in ("INT", "TERM", "USR1"):
            with self.subTest(signal=name):
                job = self.start(["sh", "-c", TRAPS])
                self.assertEqual(job.stdout.readline(), b"ready\n")
                job.send_signal(getattr(signal, f"SIG{name}"))
                self.assertEqual(job.stdout.read(), b"caught %s\n" % name.encode())
                self.assertEqual(job.wait(TIMEOUT_S), 5)

    def test_a_job_that_does_not_handle_it_dies_of_it_and_so_do_we(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            with self.subTest(signal=number):
                job = self.start([find_program("train_sim"), self.data, "--epochs", "1000", "--compute-ms", "1"])
                self.assertIn(b":::MLLOG", job.stdout.readline())
                job.send_signal(number)
                self.assertEqual(job.wait(TIMEOUT_S), -number)

    def test_stop_and_continue(self):
        """Ctrl-Z on the launcher stops both; `fg` lets both go on. The group must not be orphaned, or the kernel ignores SIGTSTP."""
        job = self.start(["sh", "-c", "echo $$; read line < resume; echo went on; exit 7"], cwd=self.fifo_folder(), preexec_fn=os.setpgrp)
        child = int(job.stdout.readline())
        job.send_signal(signal.SIGTSTP)
        self.await_that(lambda: state_of(job.pid) == "T" and state_of(child) == "T", "launcher and job stopped")
        job.send_signal(signal.SIGCONT)
        self.await_that(lambda: state_of(job.pid) != "T" and state_of(child) != "T", "launcher and job going on")
        (self.folder / "resume").write_text("now\n")
        self.assertEqual((job.stdout.read(), job.wait(TIMEOUT_S)), (b"went on\n", 7))

    def fifo_folder(self):
        os.mkfifo(self.folder / "resume")
        return self.folder


def quoted(word):
    return "'" + str(word).replace("'", "'\\''") + "'"


def on_terminal(words, env=None):
    """Runs a program on a pseudo-terminal of its own: its exit status, and all that came out of the terminal."""
    pid, master = pty.fork()
    if pid == 0:
        subprocess.run(["stty", "rows", "33", "cols", "101"], check=True)
        os.execvpe(words[0], words, env or os.environ)
    said = b""
    while True:
        try:
            got = os.read(master, 65536)
        except OSError:  # EIO: the last process let go of the terminal
            break
        if not got:
            break
        said += got
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said


if __name__ == "__main__":
    unittest.main()
