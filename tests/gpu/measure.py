# SPDX-License-Identifier: MIT
"""The measurements of run.sh: programs with a known amount of work on a real GPU, bare and recorded. Prints a table; ends with 1
when a row fails.

measure.py SCRATCH BUILD; FLOWGAUGE_TEST_LIBRARY: the injected library. Standard library only; PyTorch where it is.
"""
import json
import subprocess
import sys

import conditions
import grouped
import known_load
import training_load
from gpu_table import BUILD, KNOWN_WORK, ROWS, SCRATCH, NotHere, of_parts, row


def samplers():
    program = BUILD / "bin/flowgauge"
    if not program.exists():
        raise NotHere("bin/flowgauge is not in this build")
    subprocess.run([program, "run", "-o", SCRATCH / "sampled", "--", KNOWN_WORK, "2000", "10", "200"], check=True, capture_output=True)
    query = "SELECT counter, count(*) AS n, max(value) AS most FROM gpu_counter GROUP BY counter"
    answer = subprocess.run([program, "query", "--json", SCRATCH / "sampled", query], check=True, capture_output=True, text=True).stdout
    most = {line["counter"]: line["most"] for line in json.loads(answer)}
    row("GPU counters by NVML", most, "power, clocks, utilisation", any("power" in counter for counter in most))


def main():
    # What a user asks first comes first: the time may be up before the rest.
    of_parts((*known_load.PARTS, *training_load.PARTS, samplers, *grouped.PARTS, *conditions.PARTS, known_load.cost_of_kernels))
    print("\n" + "\n".join(f"{verdict:8} | {what} | {found} | {wanted}" for what, found, wanted, verdict in ROWS))
    sys.exit(any(verdict == "FAILS" for *_, verdict in ROWS))


main()
