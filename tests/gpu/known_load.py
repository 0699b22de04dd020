# SPDX-License-Identifier: MIT
"""A program whose kernels, copies and times are known (known_work.cu), recorded."""
from gpu_table import KNOWN_WORK, counts, gpu_process, ledger_lines, nanoseconds, row, run, slow_down, time_is_up


def counts_and_times():
    said, processes = run([KNOWN_WORK, 1500, 10, 200])
    process = gpu_process(processes)
    print("  " + "\n  ".join(ledger_lines(process)))
    found = tuple(counts(process)[kind] for kind in ("kernel", "gpu_copy", "gpu_fill"))
    wanted = (said["kernels"], said["copies"], said["fills"])
    row("kernels, copies, fills", found, wanted, found == wanted)
    copied = sum(event.bytes for event in process.of("gpu_copy"))
    row("bytes copied", copied, said["copy_bytes"], copied == said["copy_bytes"])
    ms = sum(event.end - event.begin for event in process.of("kernel") if "spin" in event.name) * nanoseconds(process) / 1e6
    row("kernel time against the program's own events", f"{ms:.1f} ms", f"{said['event_ms']:.1f} ms less gaps, within 5 %",
        0.95 * said["event_ms"] <= ms <= 1.005 * said["event_ms"])
    row("nothing lost", {reason: count for reason, count in process.lost.items() if count}, "{}", not any(process.lost.values()))


def graphs():
    said, processes = run([KNOWN_WORK, 100, 20, 10, "graph"])
    found = counts(gpu_process(processes))["kernel"]
    row("kernels inside of CUDA graphs", found, said["kernels"], found == said["kernels"])
    said, processes = run([KNOWN_WORK, 100, 20, 10, "graph"], FLOWGAUGE_GPU="graph")
    whole = sum(event.name.startswith("CUDA graph") for event in gpu_process(processes).of("kernel"))
    row("CUDA graphs as a whole", whole, 100, whole == 100)


def calls():
    said, processes = run([KNOWN_WORK, 50, 10, 50], FLOWGAUGE_GPU="api,sync")
    process = gpu_process(processes)
    links = {event.link for event in process.of("gpu_api")}
    tied = sum(event.link in links for event in process.of("kernel"))
    row("kernels with the call that launched them", tied, said["kernels"], tied == said["kernels"])
    row("waits of the program", counts(process)["gpu_sync"], ">= 50", counts(process)["gpu_sync"] >= 50)


def ends():
    said, processes = run([KNOWN_WORK, 50, 10, 50, "fork"])
    found = counts(gpu_process(processes))["kernel"]
    row("with a forked worker", found, said["kernels"], found == said["kernels"])
    _, processes = run([KNOWN_WORK, 50, 10, 50, "_exit"])
    told = any("without its exit handlers" in line for process in processes for line in ledger_lines(process))
    row("an end by _exit is told", told, True, told)


def cost_of_kernels():
    for what, work in (("kernels of 200 us", (1000, 10, 200)), ("kernels of 5 us, which is the worst case", (1000, 50, 5))):
        if not time_is_up():
            slow_down(what, [KNOWN_WORK, *work], 5, 0.02)


PARTS = (counts_and_times, graphs, calls, ends)
