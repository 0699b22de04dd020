#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Records an MPI training job. Open MPI and MPICH alike: the launcher goes behind `--`, unchanged.
#
#   samples/launch_mpirun.sh DATA [RANKS]        DATA: a folder made by make_dataset
set -euo pipefail
data=${1:?usage: launch_mpirun.sh DATA [RANKS]} ranks=${2:-2}
bin=${FLOWGAUGE_BIN:-$(dirname "$0")/../build/dev/bin}

# One thread a rank: ranks are the parallelism, and OpenMP's waiting threads would take the cores of the others.
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE

# As root and with more ranks than cores (a laptop, a container) Open MPI wants --allow-run-as-root --oversubscribe.
extra=()
if mpirun --version | grep -q 'Open MPI'; then
    [[ $(id -u) -eq 0 ]] && extra+=(--allow-run-as-root)
    [[ $ranks -gt $(nproc) ]] && extra+=(--oversubscribe)
fi

# On several hosts the run directory must be on a file system that all of them see; events stay on each host's own disk until the end.
"$bin/flowgauge" run -o "run-mpirun-$ranks" -- mpirun -np "$ranks" "${extra[@]}" "$bin/resnet50" "$data" --epochs 3
"$bin/flowgauge" report "run-mpirun-$ranks"
