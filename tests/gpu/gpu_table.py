# SPDX-License-Identifier: MIT
"""What the measurements on a GPU share: how a job is run bare and recorded, and the table of what came of it."""
import collections
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/probes"))
import spool_reader  # noqa: E402

SCRATCH, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LIBRARY = pathlib.Path(os.environ["FLOWGAUGE_TEST_LIBRARY"]).resolve()
KNOWN_WORK = SCRATCH / "known_work"
UNTIL = time.monotonic() + 420
ROWS = []


class NotHere(Exception):
    """Why a part cannot be run on this machine."""


def row(what, found, wanted, ok):
    """ok None: not run, and why stands in `found`."""
    ROWS.append((what, found, wanted, {True: "holds", False: "FAILS", None: "not run"}[ok]))
    print(f"{ROWS[-1][3]:8} {what}: {found} (wanted {wanted})", flush=True)


def time_is_up():
    return time.monotonic() > UNTIL


def environment(record, more):
    whole = {key: value for key, value in os.environ.items() if not key.startswith("FLOWGAUGE_")}
    if record:
        whole.update(LD_PRELOAD=str(LIBRARY), FLOWGAUGE_RUN=str(SCRATCH / "run"), FLOWGAUGE_SPOOL=str(SCRATCH / "spool"),
                     FLOWGAUGE_SAMPLE="0")
    return {**whole, **more}


def run_all(commands, record=True, each=None, limit_s=120, **more):
    """Runs commands beside each other; `each`: variables of its own for every one. Returns the JSON of their last lines, where they are that, and
    the spools of all processes."""
    shutil.rmtree(SCRATCH / "spool", True)
    jobs = [subprocess.Popen([str(word) for word in command], env=environment(record, {**more, **own}), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for command, own in zip(commands, each or [{}] * len(commands))]
    said = []
    try:
        for command, job in zip(commands, jobs):
            out, err = job.communicate(timeout=limit_s)
            if job.returncode != 0:
                raise RuntimeError(f"{command}: ended with {job.returncode}\n{err[-2000:]}")
            last = (out.strip().splitlines() or [""])[-1]
            said.append(json.loads(last) if last.startswith("{") else {})
    finally:
        for job in jobs:
            job.kill()
    return said, spool_reader.processes(SCRATCH / "spool") if record and (SCRATCH / "spool").exists() else []


def run(command, record=True, **more):
    said, processes = run_all([command], record, **more)
    return said[0], processes


def gpu_process(processes):
    found = [process for process in processes if process.of("kernel")]
    if len(found) != 1:
        told = [line for process in processes for line in ledger_lines(process)]
        raise RuntimeError(f"kernels were recorded in {len(found)} processes, not in one: {told}")
    return found[0]


def ledger_lines(process):
    return [text.replace("\t", " ") for text in process.names.values() if text.startswith("ledger\tGPU")]


def nanoseconds(process):
    """ns per tick, from the process's own clock anchors."""
    anchors = sorted(process.of("clock_anchor"), key=lambda event: event.begin)
    return (anchors[-1].raw - anchors[0].raw) / (anchors[-1].begin - anchors[0].begin)


def counts(process):
    return collections.Counter(event.kind for event in process.events)


def slow_down(what, command, pairs, most, **recorded):
    """The median of paired runs, by turns who goes first; the command prints wall_s."""
    ratios = []
    run(command, False)
    for pair in range(pairs):
        wall = {record: run(command, record, **(recorded if record else {}))[0]["wall_s"]
                for record in ((False, True) if pair % 2 == 0 else (True, False))}
        ratios.append(wall[True] / wall[False] - 1)
        if time_is_up():
            break
    ratios.sort()
    middle = statistics.median(ratios)
    row(f"slow-down, {what}", f"{middle * 100:+.2f} % ({len(ratios)} pairs {ratios[0] * 100:+.2f} .. {ratios[-1] * 100:+.2f})",
        f"<= {most * 100:g} %", middle <= most)


def of_parts(parts):
    """Runs each; one that is broken or not possible here must not hide the others."""
    for part in parts:
        if time_is_up():
            row(part.__name__, "the time was up", "-", None)
            continue
        try:
            part()
        except NotHere as why:
            row(part.__name__, why, "-", None)
        except Exception as error:
            row(part.__name__, f"{type(error).__name__}: {error}", "-", False)
