# SPDX-License-Identifier: MIT
"""Each group of rows of the table: a function from a Context to rows {what, value, unit, [goal, least, more], [beside]}."""
import contextlib
import json
import math
import os
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import time
from pathlib import Path


class Unmeasured(Exception):
    """Why a row has no number."""


class Context:
    """Where the programs are, where files may go, and how much work to do."""

    def __init__(self, build, folder, quick):
        self.build, self.folder, self.quick = build, folder, quick

    def program(self, name):
        path = self.build / "bin" / name
        if not path.exists():
            raise Unmeasured(f"{path} is not built")
        return str(path)

    def injected(self, run):
        """The environment that injects the library by hand, into a run folder of its own."""
        library = self.build / "lib/libflowgauge.so"
        if not library.exists():
            raise Unmeasured(f"{library} is not built")
        spool = self.folder / f"{run}-spool"
        for folder in (self.folder / run / "hosts", spool):
            folder.mkdir(parents=True, exist_ok=True)
        return {**os.environ, "LD_PRELOAD": str(library), "FLOWGAUGE_RUN": str(self.folder / run), "FLOWGAUGE_SPOOL": str(spool)}

    def times(self, few, many):
        return few if self.quick else many


def run(words, env=None, timeout=900):
    done = subprocess.run([str(word) for word in words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)
    if done.returncode not in (0, 1):
        raise Unmeasured(f"{Path(str(words[0])).name} ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    return done.stdout


def number(text, pattern):
    found = re.search(pattern, text)
    if not found:
        raise Unmeasured(f"no '{pattern}' in: {text.strip()[-200:]}")
    return float(found.group(1))


def limits(goal, least, more=False):
    return {"goal": goal, "least": least, "more": more}


# ---- the hot path ----


def hot_path(context):
    """One recorded call, the real call replaced by a stub; the same by 8 threads; what is lost at which rate"""
    text = run([context.program("hot_path"), context.folder])
    stamps = number(text, r"two time stamps around a stub\s+([\d.]+)")
    kept = number(text, r"recorded call, one thread\s+([\d.]+)")
    rows = [
        {"what": "recorded call, the real one a stub", "value": kept, "unit": "ns", **limits(30, stamps + 20),
         "beside": f"two time stamps alone {stamps:.1f} ns"},
        {"what": "the same by 8 threads, each against one alone", "value": number(text, r"x ([\d.]+) of one"), "unit": "x", **limits(1.1, 1.25)},
        {"what": "offered by one thread without a loss", "value": number(text, r"lossless from one thread\s+([\d.]+)"), "unit": "M events/s"},
    ]
    try:
        each = lttng_call(context)
        rows.append({"what": "LTTng-UST tracepoint pair around the same stub", "value": each, "unit": "ns", "beside": f"{each / kept:.1f} x our call"})
    except Unmeasured as why:
        rows.append({"what": "LTTng-UST tracepoint pair around the same stub", "unmeasured": str(why)})
    return rows


def lttng_call(context):
    """ns of processor time per call with two tracepoints, in a session with room for all of it (8 x 4 MiB)."""
    program = context.program("bench_lttng_call")
    if not shutil.which("lttng-sessiond") or not shutil.which("lttng"):
        raise Unmeasured("lttng-tools is not installed")
    home = context.folder / "lttng"
    home.mkdir()
    env = {**os.environ, "LTTNG_HOME": str(home), "HOME": str(home)}
    name = f"flowgauge-bench-{os.getpid()}"
    daemon = subprocess.Popen(["lttng-sessiond", "--no-kernel"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for attempt in range(100):  # the daemon says nothing when it is ready
            if subprocess.run(["lttng", "create", name, f"--output={home / 'trace'}"], env=env, capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        run(["lttng", "enable-channel", "--userspace", "--subbuf-size=4M", "--num-subbuf=8", "-s", name, "c0"], env)
        run(["lttng", "enable-event", "--userspace", "-s", name, "-c", "c0", "flowgauge_bench:*"], env)
        run(["lttng", "start", name], env)
        return float(run([program, context.times(200_000, 1_000_000)], env))
    finally:
        subprocess.run(["lttng", "destroy", name], env=env, capture_output=True)
        daemon.terminate()
        daemon.wait(30)


def cached_reads(context):
    """A loop of cached 4 KiB preads by turns: bare, with two time stamps and a line written by itself, injected"""
    program = context.program("cached_reads")
    file = context.folder / "pages.bin"
    file.write_bytes(os.urandom(1 << 22))
    injected = context.injected("reads-run")
    calls = context.times(50_000, 300_000)
    turns = [[float(run([program, file, calls, *more], env)) for more, env in (((), None), (("stamped",), None), ((), injected))]
             for _ in range(context.times(5, 21))]
    bare = statistics.median(turn[0] for turn in turns)
    floor, ratio = (statistics.median(turn[way] / turn[0] for turn in turns) for way in (1, 2))
    return [{"what": "cached 4 KiB pread, injected against bare", "value": ratio, "unit": "x", **limits(1.03, 1.10),
             "beside": f"bare {bare:.0f} ns a call, +{bare * (ratio - 1):.0f} ns; two time stamps and a line written +{bare * (floor - 1):.0f} ns"}]


# ---- whole processes ----


def spend(words, env=None):
    """(processor, wall) seconds of one process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run([str(word) for word in words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Unmeasured(f"{Path(str(words[0])).name} ended with {done.returncode}: {done.stderr[-200:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def idle_process(context):
    """A process that records nothing: python3 -c pass, bare and injected by turns"""
    injected = context.injected("idle-run")
    words = ["/usr/bin/python3", "-c", "pass"]
    pairs = [(spend(words), spend(words, injected)) for _ in range(context.times(10, 60))]
    rows = []
    for index, what in enumerate(("processor time", "wall time")):
        more = statistics.median(b[index] for _, b in pairs) - statistics.median(a[index] for a, _ in pairs)
        rows.append({"what": f"python3 -c pass, injected: more {what}", "value": more * 1e3, "unit": "ms", **limits(0.5, 2),
                     "beside": f"bare {statistics.median(a[index] for a, _ in pairs) * 1e3:.1f} ms"})
    left = [str(path) for path in (context.folder / "idle-run-spool").rglob("*") if path.is_file()]
    rows.append({"what": "files that it left in the spool folder", "value": len(left), "unit": "", **limits(0, 0)})
    return rows


def training(context):
    """A training job of 2 ranks and 20 s: counters, I/O and MPI recorded, against the same job bare, in pairs"""
    mpirun = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
    if not mpirun:
        raise Unmeasured("no mpirun")
    data = context.folder / "data"
    run([context.program("make_dataset"), data, "--samples", 256, "--validation", 32])
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    job = [mpirun, "--oversubscribe", "-np", 2, context.program("train_sim"), data, "--epochs", context.times(1, 50), "--compute-ms", 50]
    pairs = []
    for i in range(context.times(2, 6)):
        recorded = [context.program("flowgauge"), "run", "-o", context.folder / f"train{i}", "--", *job]
        # By turns who goes first: whatever warms up or slows down over time then hits both.
        first, second = (job, recorded) if i % 2 == 0 else (recorded, job)
        times = spend(first, env), spend(second, env)
        pairs.append(times if i % 2 == 0 else times[::-1])
        shutil.rmtree(context.folder / f"train{i}", ignore_errors=True)
    rows = []
    for index, what in enumerate(("processor time, launcher and storing included", "wall time, launcher and storing included")):
        ratios = [b[index] / a[index] for a, b in pairs]
        spread = statistics.quantiles(ratios, n=4) if len(ratios) > 3 else (min(ratios), 0, max(ratios))
        if spread[2] - spread[0] > 0.04:  # a median of such pairs says nothing about one percent
            rows.append({"what": f"training, 2 ranks, more {what}",
                         "unmeasured": f"half of {len(ratios)} pairs lie within {(spread[0] - 1) * 100:+.0f} .. {(spread[2] - 1) * 100:+.0f} %: too noisy to tell 1 %"})
            continue
        rows.append({"what": f"training, 2 ranks, more {what}", "value": (statistics.median(ratios) - 1) * 100, "unit": "%",
                     **(limits(0.5, 1) if index == 1 else {}), "beside": f"half of {len(ratios)} pairs within {(spread[0] - 1) * 100:+.1f} .. {(spread[2] - 1) * 100:+.1f} %"})
    return rows


def sampling(context):
    """The host's sampler at 100 Hz, as share of one core; one reading of 20 NFS mounts"""
    text = run([context.program("sampler_cost"), context.times(2, 10)])
    counters = number(text, r"(\d+) counters")
    rows = [{"what": f"sampling {counters:.0f} counters at 100 Hz, sampler thread",
             "value": number(text, r"([\d.]+) % of a core \(sampler thread\)"), "unit": "% of a core",
             **limits(0.3, number(text, r"at least ([\d.]+) \("))}]
    rates = re.findall(r"^  read (.+): ([\d.]+) Hz", text, re.M)
    idle = number(text, r"only wakes as often: ([\d.]+) %")
    bare = number(text, r"wakes and reads \d+ files: ([\d.]+) %")
    files = number(text, r"wakes and reads (\d+) files")
    rows[0]["beside"] = f"a thread that only wakes 100 times a second {idle:.2f} %, one that also reads {files:.0f} files {bare:.2f} %; " + ", ".join(f"{source} at {float(rate):.0f} Hz" for source, rate in rates)
    mounts = run([context.program("mountstats_cost"), context.times(100, 1000)])
    return rows + [{"what": "one reading of 20 NFS mounts, the kernel's own time not in it", "value": number(mounts, r"readings: ([\d.]+) ms"),
                    "unit": "ms", **limits(0.5, 1)},
                   {"what": "reading 64 TCP connections 10 times a second", "unit": "% of a core", **limits(0.2, 0.5),
                    "value": number(run([context.program("socket_cost")]), r"10 a second: ([\d.]+) %")}]


# ---- storing and asking ----

STORE_ROWS = (  # what store_bench calls it, goal, at least, more is better
    ("append .. finalize, one core", 15, 6, True),
    ("finished file", 7, 9, False),
    ("open, tracks, 1920 columns of 64 tracks over the whole run", 150, 500, False),
    ("SQL: events of a 100 ms window", None, None, False),
    ("event_by_name() of the run", 1000, 3000, False),
    ("event_by_name(begin, end) decoding every chunk", 1000, 3000, False),
    ("overlap of all phases with a tenth as many collectives", 300, 1500, False),
)


def parse_line(text, what):
    """(value, unit) of a line that one of our benches printed."""
    found = re.search(rf"^{re.escape(what)}\s+([\d.]+) (\S+(?: \S+)?)", text, re.M)
    if not found:
        raise Unmeasured(f"no line '{what}'")
    return float(found.group(1)), found.group(2)


def storing(context):
    """Spools to a finished run.db, and beside it the same events as plain rows"""
    millions = context.times(1, 10)
    text = run([context.program("ingest_bench"), millions])
    rows = []
    for what, goal, least, more in (("spool -> finished run.db, by processor time of one thread", 15, 6, True), ("finished file", 7, 9, False)):
        value, unit = parse_line(text, what)
        rows.append({"what": f"{what}, {millions} M events", "value": value, "unit": unit, **limits(goal, least, more)})
    return rows


def asking(context):
    """The store alone and its questions, 64 tracks, beside rows in SQLite"""
    millions = context.times(1, 10)
    text = run([context.program("store_bench"), millions])
    beside = {}
    for what, unit in re.findall(r"^the same as rows, no index\s+([\d.]+) (\S+(?: \S+)?)", text, re.M):
        beside[unit] = float(what)
    rows = []
    for what, goal, least, more in STORE_ROWS:
        value, unit = parse_line(text, what)
        row = {"what": f"{what}, {millions} M", "value": value, "unit": unit, **(limits(goal, least, more) if goal else {})}
        if unit in beside:
            row["beside"] = f"rows {beside[unit]:g}: {max(value / beside[unit], beside[unit] / value):.1f} x"
        rows.append(row)
    return rows


def large(context):
    """First picture and statistics of 100 million events"""
    if context.quick:
        raise Unmeasured("--quick")
    text = run([context.program("store_bench"), 100, "large"], timeout=1800)
    rows = []
    for what, goal, least in (("open, tracks, 1920 columns of 64 tracks over the whole run", 150, 500),
                              ("event_by_name(begin, end) decoding every chunk", 1000, 3000)):
        value, unit = parse_line(text, what)
        rows.append({"what": f"{what}, 100 M", "value": value, "unit": unit, **limits(goal, least)})
    return rows


WINDOW_ROWS = (  # what flowgauge-gui --measure calls it, goal, at least
    ("first picture", 150, 500),
    ("frames, 99 of 100", 8, math.inf),
    ("frames, 95 of 100", 12, 12),
    ("jump to single events, median", None, None),
    ("jumps that showed nothing at first", 0, 0),
    ("statistics of everything", 1000, 3000),
    ("memory at the end", 250, 400),
)


def tiles_share(database):
    """Part of a database's bytes that its tiles and their index take, 0..1."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        sizes = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
    return sum(size for name, size in sizes.items() if name in ("tile", "sqlite_autoindex_tile_1")) / sum(sizes.values())


def importing(context):
    """A PyTorch trace of 2 GB: made, then imported"""
    megabytes = context.times(200, 2000)
    text = run([context.program("import_bench"), megabytes, context.folder])
    return [
        {"what": f"import of a PyTorch trace of {megabytes} MB", "value": number(text, r"([\d.]+) MB/s by the clock"), "unit": "MB/s", **limits(100, 50, more=True)},
        {"what": "most memory meanwhile", "value": number(text, r"at most ([\d.]+) MB resident"), "unit": "MB", **limits(250, 500)},
    ]


def window(context):
    """The window on 100 million events, walked through by held keys and jumps without a screen, not analysed"""
    program, millions = context.program("flowgauge-gui"), context.times(1, 100)
    folder = context.folder / "many"
    run([context.program("store_bench"), millions, "keep", folder], timeout=1800)
    text = run([program, folder, "--measure", "--size", "1920x1080"], {**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    rows = [{"what": f"tiles of {millions} M events, part of the database", "value": 100 * tiles_share(folder / "run.db"), "unit": "%",
             **limits(20, 20)}]
    shutil.rmtree(folder)
    for what, goal, least in WINDOW_ROWS:
        value, unit = parse_line(text, what)
        rows.append({"what": f"window on {millions} M events: {what}", "value": value, "unit": unit, **(limits(goal, least) if goal is not None else {})})
    return rows


def report(context):
    """flowgauge report on 10 and on 100 million events"""
    rows = []
    for millions, seconds, megabytes in context.times(((1, (1, 2), (150, 500)),), ((10, (1, 2), (150, 500)), (100, (20, 40), (1000, 2000)))):
        text = run([context.program("report_bench"), millions * 1_000_000], timeout=1800)
        rows.append({"what": f"flowgauge report on {millions} M events", "value": number(text, r": ([\d.]+) s,"), "unit": "s", **limits(*seconds)})
        rows.append({"what": f"its peak memory, {millions} M", "value": number(text, r"s, ([\d.]+) MB;"), "unit": "MB", **limits(*megabytes)})
    return rows


def cluster_of(nodes, steps, every):
    """Parameters of a simulated run of 8 ranks a node and three epochs, of which one step in `every` is written."""
    samples = 32 * 8 * nodes * steps
    return {"title": f"{8 * nodes} ranks", "cluster": {"nodes": nodes, "gpus_per_node": 8}, "link": {"gbps": 200}, "training": {"epochs": 3},
            "data": {"samples": samples, "bytes": samples * 1e5, "files": 64}, "model": {"compute_ms": 100, "batch_per_gpu": 32},
            "recording": {"counters_per_second": 0.2, "every_step": every, "reads_per_step": 4}}


def many_ranks(context):
    """flowgauge-mpi report by 2 processes on simulated runs of 192 to 1536 ranks, 500 M events by counts, one step in 300 written"""
    mpirun = shutil.which("mpirun.openmpi")
    if not mpirun:
        raise Unmeasured("no mpirun.openmpi")
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    rows, times = [], {}
    for nodes in context.times((3, 6), (24, 48, 96, 192)):
        parameters, folder = context.folder / "cluster.json", context.folder / f"cluster-{nodes}"
        parameters.write_text(json.dumps(cluster_of(nodes, context.times(780, 7800), context.times(30, 300))))
        run([context.program("flowgauge-simulate"), parameters, "-o", folder, "-q"])
        words = [mpirun, "--oversubscribe", "-np", "2", context.program("flowgauge-mpi"), "report", folder, "-o", context.folder / "cluster.txt"]
        done = subprocess.run([str(word) for word in words], env=env, capture_output=True, text=True, timeout=900)
        took = re.findall(r"(\d+) ranks in ([\d.]+) s, at most ([\d.]+ \S+) of memory", done.stderr)
        if done.returncode != 0 or len(took) != 2:
            raise Unmeasured(f"flowgauge-mpi ended with {done.returncode}: {done.stderr.strip()[-200:]}")
        times[8 * nodes] = max(float(seconds) for _, seconds, _ in took)
        rows.append({"what": f"flowgauge-mpi report, 2 processes, {8 * nodes} ranks", "value": times[8 * nodes], "unit": "s",
                     "beside": f"memory at most {' and '.join(memory for _, _, memory in took)}"})
        shutil.rmtree(folder)
    few, many = min(times), max(times)
    rows.append({"what": f"time a rank, {many} ranks against {few}", "value": times[many] / many / (times[few] / few), "unit": "x", **limits(1.1, 1.5)})
    return rows


def kills(context):
    """SIGKILL at any time: nothing lost, nothing doubled"""
    raise Unmeasured("a yes or no: ctest -R e2e.kill")


GROUPS = (("hot", hot_path), ("reads", cached_reads), ("idle", idle_process), ("training", training), ("sampling", sampling),
          ("storing", storing), ("importing", importing), ("asking", asking), ("large", large), ("window", window), ("report", report), ("ranks", many_ranks), ("kill", kills))
