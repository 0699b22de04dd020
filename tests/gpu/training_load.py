# SPDX-License-Identifier: MIT
"""ResNet-50 in PyTorch (resnet50_ddp.py) on one GPU: alone against PyTorch's own profiler, and as two ranks of NCCL over sockets."""
import pathlib
import subprocess
import sys

from gpu_table import NotHere, counts, gpu_process, nanoseconds, row, run, run_all, slow_down

SCRIPT = pathlib.Path(__file__).with_name("resnet50_ddp.py")
STEPS, WARM_UP = 50, 5
GRADIENT_BYTES = 25_557_032 * 4


def command(*words):
    return [sys.executable, SCRIPT, "--steps", STEPS, "--warmup", WARM_UP, *words]


def need_torch():
    question = "import torch; assert torch.cuda.is_available()"
    if subprocess.run([sys.executable, "-c", question], capture_output=True, check=False).returncode != 0:
        raise NotHere("this Python has no PyTorch with CUDA")


def one_rank():
    need_torch()
    theirs, _ = run(command("--profile"), record=False)
    _, processes = run(command())
    process = gpu_process(processes)
    steps = [(event.begin, event.end) for event in process.of("step_mark")]
    row("PyTorch: steps by NVTX", len(steps), STEPS, len(steps) == STEPS)
    inside = [kernel for kernel in process.of("kernel") if any(begin <= kernel.begin < end for begin, end in steps)]
    row("PyTorch: kernels of the steps, against its own profiler", len(inside), theirs["kernels"], len(inside) == theirs["kernels"])
    ms = sum(kernel.end - kernel.begin for kernel in inside) * nanoseconds(process) / 1e6
    row("PyTorch: time of those kernels", f"{ms:.2f} ms", f"{theirs['kernel_us'] / 1e3:.2f} ms within 3 %, the spread of two runs",
        abs(ms / (theirs["kernel_us"] / 1e3) - 1) < 0.03)
    beside, _ = run(command("--profile"))
    row("PyTorch's own profiler beside us still gets its kernels", beside["kernels"], theirs["kernels"],
        beside["kernels"] == theirs["kernels"])


def loopback_bytes():
    """Sent over the loopback interface so far, headers included."""
    for line in pathlib.Path("/proc/net/dev").read_text().splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == "lo":
            return int(numbers.split()[8])
    raise NotHere("no loopback interface in /proc/net/dev")


def two_ranks():
    """One process a rank with a host id of its own, so that NCCL takes them for two nodes and goes over sockets; few channels and small
    messages, since the two take turns on the device."""
    need_torch()
    steps = 8
    each = [{"RANK": str(rank), "NCCL_HOSTID": f"host{rank}"} for rank in range(2)]
    before = loopback_bytes()
    _, processes = run_all([command("--steps", steps, "--warmup", 0, "--batch", 8, "--px", 64, "--bucket-mb", 4)] * 2, each=each,
                           WORLD_SIZE="2", MASTER_PORT="29533", NCCL_IB_DISABLE="1", NCCL_NET="Socket", NCCL_SOCKET_IFNAME="lo",
                           NCCL_NET_PLUGIN="none", NCCL_MNNVL_ENABLE="0", NCCL_NVLS_ENABLE="0", NCCL_MIN_CTAS="1", NCCL_MAX_CTAS="2")
    sent = loopback_bytes() - before
    ranks = [process for process in processes if process.of("allreduce")]
    row("NCCL: ranks with collectives", len(ranks), 2, len(ranks) == 2)
    reduced = [sum(event.bytes for event in process.of("allreduce")) for process in ranks]
    wanted = steps * GRADIENT_BYTES
    row("NCCL: bytes reduced by each rank", reduced, wanted, reduced == [wanted] * 2)
    details = [counts(process)["comm_detail"] > 0 for process in ranks]
    row("NCCL: its profiler tells algorithm and protocol", details, [True, True], all(details))
    # A ring of n ranks sends 2 (n - 1) / n of the array from each: for two ranks the array itself, twice over the loopback.
    row("NCCL: loopback's bytes against the ring's", sent, f"{2 * wanted} within 3 % for headers and start-up", abs(sent / (2 * wanted) - 1) < 0.03)


def cost():
    need_torch()
    slow_down("ResNet-50, counters and I/O", command(), 5, 0.005, FLOWGAUGE_GPU="off", FLOWGAUGE_SAMPLE="100")
    slow_down("ResNet-50, kernels and counters", command(), 5, 0.02, FLOWGAUGE_SAMPLE="100")


PARTS = (one_rank, two_ranks, cost)
