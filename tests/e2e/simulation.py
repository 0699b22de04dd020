# SPDX-License-Identifier: MIT
"""Simulated runs for tests: parameters as a dictionary or a file of samples/studies."""
import json
import subprocess

from harness import BUILD, SOURCE

SIMULATE = BUILD / "bin" / "flowgauge-simulate"
STUDIES = SOURCE / "samples" / "studies"


def small_job(nodes, gpus_per_node, samples):
    """Parameters of a job of 50 ms steps that reads a tenth of a megabyte a sample."""
    return {
        "cluster": {"nodes": nodes, "gpus_per_node": gpus_per_node},
        "data": {"samples": samples, "bytes": samples * 1e5, "files": 8},
        "model": {"compute_ms": 50, "batch_per_gpu": 32},
        "training": {"epochs": 3},
        "recording": {"counters_per_second": 10},
    }


def simulate(test, parameters, name):
    """Writes a run into the test's folder and returns its path; truth.json lies in it."""
    run = test.folder / name
    file = parameters
    if isinstance(parameters, dict):
        file = test.folder / f"{name}.json"
        file.write_text(json.dumps(parameters))
    done = subprocess.run([SIMULATE, file, "-o", run, "-q"], capture_output=True, text=True, timeout=240, check=False)
    test.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
    test.simulated.add(run)
    return run


def truth_of(run):
    return json.loads((run / "truth.json").read_text())
