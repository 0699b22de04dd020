# SPDX-License-Identifier: MIT
"""The measurements of run.sh: programs with a known amount of work on a real GPU, bare and recorded. Prints a table; ends with 1
when a row fails.

measure.py SCRATCH BUILD; FLOWGAUGE_TEST_LIBRARY: the injected library. Standard library only.
"""
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
UNTIL = time.monotonic() + 420
ROWS = []


def row(what, found, wanted, ok):
    """ok None: not run, and why stands in `found`."""
    ROWS.append((what, found, wanted, {True: "holds", False: "FAILS", None: "not run"}[ok]))
    print(f"{ROWS[-1][3]:8} {what}: {found} (wanted {wanted})", flush=True)


def run(command, record=True, **more):
    """Returns the last line of its output as JSON where it is that, the spools of its processes, and the seconds it took."""
    shutil.rmtree(SCRATCH / "spool", True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("FLOWGAUGE_")}
    if record:
        environment.update(LD_PRELOAD=str(LIBRARY), FLOWGAUGE_RUN=str(SCRATCH / "run"), FLOWGAUGE_SPOOL=str(SCRATCH / "spool"),
                           FLOWGAUGE_SAMPLE="0")
    begin = time.monotonic()
    done = subprocess.run([str(word) for word in command], env={**environment, **more}, capture_output=True, text=True, timeout=120,
                          check=False)
    took = time.monotonic() - begin
    if done.returncode != 0:
        raise RuntimeError(f"{command}: ended with {done.returncode}\n{done.stderr[-2000:]}")
    last = (done.stdout.strip().splitlines() or [""])[-1]
    said = json.loads(last) if last.startswith("{") else {}
    return said, spool_reader.processes(SCRATCH / "spool") if record and (SCRATCH / "spool").exists() else [], took


def gpu_process(processes):
    found = [process for process in processes if process.of("kernel")]
    return found[0] if len(found) == 1 else None


def lines(process):
    return [text.replace("\t", " ") for text in process.names.values() if text.startswith("ledger\tGPU")]


def nanoseconds(process):
    """ns per tick, from the process's own clock anchors."""
    anchors = sorted(process.of("clock_anchor"), key=lambda event: event.begin)
    return (anchors[-1].raw - anchors[0].raw) / (anchors[-1].begin - anchors[0].begin)


def counts_and_times():
    said, processes, _ = run([SCRATCH / "known_work", 1500, 10, 200])
    process = gpu_process(processes)
    if process is None:
        row("kernels are recorded", [line for p in processes for line in lines(p)], "one process with kernels", False)
        return
    print("  " + "\n  ".join(lines(process)))
    counts = collections.Counter(event.kind for event in process.events)
    found, wanted = (counts["kernel"], counts["gpu_copy"], counts["gpu_fill"]), (said["kernels"], said["copies"], said["fills"])
    row("kernels, copies, fills", found, wanted, found == wanted)
    copied = sum(event.bytes for event in process.of("gpu_copy"))
    row("bytes copied", copied, said["copy_bytes"], copied == said["copy_bytes"])
    ms = sum(event.end - event.begin for event in process.of("kernel") if "spin" in event.name) * nanoseconds(process) / 1e6
    row("kernel time against the program's own events", f"{ms:.1f} ms", f"{said['event_ms']:.1f} ms less gaps, within 5 %",
        0.95 * said["event_ms"] <= ms <= 1.005 * said["event_ms"])
    row("nothing lost", {reason: count for reason, count in process.lost.items() if count}, "{}", not any(process.lost.values()))


def graphs():
    said, processes, _ = run([SCRATCH / "known_work", 100, 20, 10, "graph"])
    process = gpu_process(processes)
    found = len(process.of("kernel")) if process else 0
    row("kernels inside of CUDA graphs", found, said["kernels"], found == said["kernels"])
    said, processes, _ = run([SCRATCH / "known_work", 100, 20, 10, "graph"], FLOWGAUGE_GPU="graph")
    process = gpu_process(processes)
    whole = sum(event.name.startswith("CUDA graph") for event in process.of("kernel")) if process else 0
    row("CUDA graphs as a whole", whole, 100, whole == 100)


def calls():
    said, processes, _ = run([SCRATCH / "known_work", 50, 10, 50], FLOWGAUGE_GPU="api,sync")
    process = gpu_process(processes)
    links = {event.link for event in process.of("gpu_api")}
    tied = sum(event.link in links for event in process.of("kernel"))
    row("kernels with the call that launched them", tied, said["kernels"], tied == said["kernels"])
    row("waits of the program", len(process.of("gpu_sync")), ">= 50", len(process.of("gpu_sync")) >= 50)


def ends():
    said, processes, _ = run([SCRATCH / "known_work", 50, 10, 50, "fork"])
    process = gpu_process(processes)
    row("with a forked worker", len(process.of("kernel")), said["kernels"], len(process.of("kernel")) == said["kernels"])
    _, processes, _ = run([SCRATCH / "known_work", 50, 10, 50, "_exit"])
    told = any("without its exit handlers" in line for process in processes for line in lines(process))
    row("an end by _exit is told", told, True, told)


def slow_down(what, command, pairs, most):
    ratios = []
    run(command)
    for pair in range(pairs):
        order = (False, True) if pair % 2 == 0 else (True, False)
        wall = {record: run(command, record)[0]["wall_s"] for record in order}
        ratios.append(wall[True] / wall[False] - 1)
        if time.monotonic() > UNTIL:
            break
    ratios.sort()
    middle = statistics.median(ratios)
    row(f"slow-down, {what}", f"{middle * 100:+.2f} % (pairs {ratios[0] * 100:+.2f} .. {ratios[-1] * 100:+.2f})",
        f"<= {most * 100:.0f} %", middle <= most)


TORCH = """
import json, sys, time, torch
torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Conv2d(64 if i else 3, 64, 3, padding=1) for i in range(12)]).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
def step():
    optimizer.zero_grad()
    with torch.cuda.nvtx.range("forward"): loss = model(torch.rand(64, 3, 64, 64, device="cuda")).square().mean()
    with torch.cuda.nvtx.range("backward"): loss.backward()
    optimizer.step()
for _ in range(5): step()
torch.cuda.synchronize()
kernels = None
if sys.argv[1] == "profile":
    from torch.profiler import profile, ProfilerActivity
    with profile(activities=[ProfilerActivity.CUDA]) as p:
        for _ in range(20): step()
        torch.cuda.synchronize()
    kernels = sum(e.device_type.name == "CUDA" and not e.name.startswith(("Memcpy", "Memset")) and not e.is_user_annotation
                  for e in p.events())
begin = time.perf_counter()
for i in range(100):
    with torch.cuda.nvtx.range(f"step {i}"): step()
torch.cuda.synchronize()
print(json.dumps({"wall_s": time.perf_counter() - begin, "kernels": kernels}))
"""


def torch():
    question = "import torch; assert torch.cuda.is_available()"
    if subprocess.run([sys.executable, "-c", question], capture_output=True, check=False).returncode != 0:
        row("PyTorch", "this Python has no PyTorch with CUDA", "-", None)
        return
    command = [sys.executable, "-c", TORCH]
    bare, _, _ = run([*command, "profile"], record=False)
    _, processes, _ = run([*command, "plain"])
    process = gpu_process(processes)
    steps = sorted((event.begin, event.end) for event in process.of("step_mark"))
    row("PyTorch: steps by NVTX", len(steps), 100, len(steps) == 100)
    # Five steps warm up before the hundred that are marked.
    per_step = len(process.of("kernel")) / 105
    row("PyTorch: kernels a step, against its own profiler", f"{per_step:.1f}", f"{bare['kernels'] / 20:.1f} within 2 %",
        abs(per_step / (bare["kernels"] / 20) - 1) < 0.02)
    said, processes, _ = run([*command, "profile"])
    row("PyTorch's own profiler beside us still gets its kernels", said["kernels"], bare["kernels"], said["kernels"] == bare["kernels"])
    slow_down("PyTorch", [*command, "plain"], 5, 0.02)


def samplers():
    program = BUILD / "bin/flowgauge"
    if not program.exists():
        row("GPU counters by NVML", "bin/flowgauge is not in this build", "-", None)
        return
    subprocess.run([program, "run", "-o", SCRATCH / "sampled", "--", SCRATCH / "known_work", "2000", "10", "200"], check=True,
                   capture_output=True)
    query = "SELECT counter, count(*) AS n, max(value) AS most FROM gpu_counter GROUP BY counter"
    answer = subprocess.run([program, "query", "--json", SCRATCH / "sampled", query], check=True, capture_output=True, text=True).stdout
    most = {line["counter"]: line["most"] for line in json.loads(answer)}
    row("GPU counters by NVML", most, "power, clocks, utilisation", any("power" in counter for counter in most))


def main():
    for part in (counts_and_times, graphs, calls, ends, torch, samplers):
        if time.monotonic() > UNTIL:
            row(part.__name__, "the time was up", "-", None)
            continue
        try:
            part()
        except Exception as error:  # one broken part must not hide the others
            row(part.__name__, f"{type(error).__name__}: {error}", "-", False)
    for what, work in (("kernels of 200 us", (1000, 10, 200)), ("kernels of 5 us, which is the worst case", (1000, 50, 5))):
        if time.monotonic() < UNTIL:
            slow_down(what, [SCRATCH / "known_work", *work], 5, 0.02)
    row("MIG, MPS, a stepped clock", "need a machine set up for them", "-", None)
    print("\n" + "\n".join(f"{verdict:8} | {what} | {found} | {wanted}" for what, found, wanted, verdict in ROWS))
    sys.exit(any(verdict == "FAILS" for *_, verdict in ROWS))


main()
