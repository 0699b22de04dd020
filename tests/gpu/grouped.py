# SPDX-License-Identifier: MIT
"""The grouped allreduce on real GPUs: virtual members on one, two nodes by MPI with the table of links held against what was recorded,
and its kernels under NVIDIA's own checkers."""
import collections
import json
import pathlib
import shutil
import subprocess

from gpu_table import BUILD, SCRATCH, NotHere, counts, gpu_process, row, run

PROGRAM = BUILD / "bin/allreduce_cuda"
MEMBERS, CHUNKS, ITERATIONS = 4, 4, 5
SIZES = ("--members", MEMBERS, "--min", 1 << 20, "--max", 1 << 20, "--chunk", (1 << 20) // CHUNKS, "--iterations", ITERATIONS)


def program():
    if not PROGRAM.exists():
        raise NotHere(f"{PROGRAM} is not built (ninja allreduce_cuda)")
    return PROGRAM


def virtual_members():
    """Every sum is looked at by the program, which fails otherwise; each member launches one reduction and a copy from every member a chunk."""
    _, processes = run([program(), "--backend", "cuda", "--group", MEMBERS, *SIZES])
    found, wanted = counts(gpu_process(processes))["kernel"], ITERATIONS * CHUNKS * (MEMBERS + MEMBERS * MEMBERS)
    row(f"grouped, {MEMBERS} members on one node: kernels", found, wanted, found == wanted)


def two_nodes():
    mpirun, flowgauge = shutil.which("mpirun"), BUILD / "bin/flowgauge"
    if not mpirun or not flowgauge.exists():
        raise NotHere("mpirun or bin/flowgauge is not here")
    folder = SCRATCH / "two-nodes"
    job = [mpirun, "--oversubscribe", "--allow-run-as-root", "-np", 2, program(), "--backend", "cuda", "--group", 2, *SIZES, "--ledger", SCRATCH / "links.json"]
    subprocess.run([str(word) for word in (flowgauge, "run", "-o", folder, "--", *job)], check=True, capture_output=True, timeout=120)
    wanted = collections.Counter()
    for link in json.loads((SCRATCH / "links.json").read_text())["links"]:
        wanted[link["from"] // MEMBERS, link["to"] // MEMBERS] += link["bytes"]
    wanted = {way: size for way, size in wanted.items() if way[0] != way[1]}
    query = "SELECT rank, peer, sum(bytes) AS size FROM send GROUP BY rank, peer"
    answer = subprocess.run([flowgauge, "query", "--json", folder, query], check=True, capture_output=True, text=True).stdout
    found = {(line["rank"], line["peer"]): line["size"] for line in json.loads(answer)}
    row("grouped, two nodes: bytes between them", found, wanted, found == wanted)


def checkers():
    checker = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not pathlib.Path(checker).exists():
        raise NotHere("compute-sanitizer is not here")
    for tool in ("memcheck", "racecheck", "initcheck"):
        words = [checker, "--tool", tool, "--error-exitcode", "9", program(), "--backend", "cuda", "--members", 3, "--max", 1 << 20, "--iterations", 1]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
        last = (done.stdout.strip().splitlines() or ["nothing"])[-1]
        row(f"grouped kernels under {tool}", last, "0 errors", done.returncode == 0)


PARTS = (virtual_members, two_nodes, checkers)
