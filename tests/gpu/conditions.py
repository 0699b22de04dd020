# SPDX-License-Identifier: MIT
"""What needs a machine set up for it: several processes on one GPU (MPS), slices (MIG), several GPUs, a container that hides the
driver's files."""
import os
import pathlib
import shutil
import subprocess

from gpu_table import KNOWN_WORK, SCRATCH, NotHere, counts, gpu_process, ledger_lines, row, run, run_all

WORK = [KNOWN_WORK, 200, 10, 50]


def smi(*words):
    program = shutil.which("nvidia-smi")
    if not program:
        raise NotHere("nvidia-smi is not here")
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def two_processes(what, **server):
    """Each has its own kernels and no other's; both name one device."""
    said, processes = run_all([WORK, WORK], **server)
    found = [counts(process)["kernel"] for process in processes if process.of("kernel")]
    wanted = [one["kernels"] for one in said]
    row(f"two processes {what}: kernels of each", found, wanted, found == wanted)
    devices = {line.split("GPU-")[1].split()[0] for process in processes for line in ledger_lines(process) if line.startswith("ledger GPU 0 ")}
    row(f"two processes {what}: one device by its UUID", sorted(devices), "one", len(devices) == 1)


def two_processes_by_turns():
    two_processes("by turns")


def two_processes_by_mps():
    """A server of our own, by a folder of our own: the device's settings stay as they are."""
    control = shutil.which("nvidia-cuda-mps-control")
    if not control:
        raise NotHere("nvidia-cuda-mps-control is not here")
    server = {f"CUDA_MPS_{kind}_DIRECTORY": str(SCRATCH / f"mps-{kind.lower()}") for kind in ("PIPE", "LOG")}
    for folder in server.values():
        pathlib.Path(folder).mkdir()
    whole = {**os.environ, **server}
    subprocess.run([control, "-d"], env=whole, check=True, capture_output=True, timeout=20)
    try:
        two_processes("by MPS", **server)
    finally:
        subprocess.run([control], input="quit\n", env=whole, text=True, capture_output=True, timeout=20, check=False)


def slices():
    if "MIG " not in smi("-L"):
        raise NotHere("no GPU here is cut into MIG slices")
    said, processes = run(WORK)
    process = gpu_process(processes)
    told = [line for line in ledger_lines(process) if "MIG-" in line]
    row("a MIG slice is told by its own UUID", told, "one line", len(told) == 1)
    row("a MIG slice: kernels", counts(process)["kernel"], said["kernels"], counts(process)["kernel"] == said["kernels"])


def graph_on_two_devices():
    if smi("-L").count("GPU ") < 2:
        raise NotHere("one GPU only")
    said, processes = run([KNOWN_WORK, 50, 4, 20, "graph", "devices"])
    kernels = gpu_process(processes).of("kernel")
    row("a graph over two GPUs: kernels", len(kernels), said["kernels"], len(kernels) == said["kernels"])
    row("a graph over two GPUs: devices", sorted({kernel.device for kernel in kernels}), [0, 1], {kernel.device for kernel in kernels} == {0, 1})


def hidden_driver_files():
    """As in a container that mounts the devices and not the driver's folder in /proc; and as another user than root."""
    if not pathlib.Path("/proc/driver/nvidia").is_dir():
        raise NotHere("no /proc/driver/nvidia to hide")
    hide = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc/driver/nvidia && exec "$@"', "sh"]
    for what, around in (("without /proc/driver/nvidia", hide), ("as a user of no rights", ["unshare", "--user"])):
        try:
            said, _ = run([*around, *WORK], record=False)
        except RuntimeError as why:
            row(what, f"the program itself does not run so: {str(why).splitlines()[-1]}", "-", None)
            continue
        _, processes = run([*around, *WORK])
        found = sum(counts(process)["kernel"] for process in processes)
        row(f"{what}: kernels", found, said["kernels"], found == said["kernels"])


PARTS = (two_processes_by_turns, two_processes_by_mps, slices, graph_on_two_devices, hidden_driver_files)
