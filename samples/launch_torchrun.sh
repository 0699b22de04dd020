#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Records a PyTorch DistributedDataParallel job. The script needs no change; its DataLoader workers are recorded too.
#
#   samples/launch_torchrun.sh DATA [RANKS]      DATA: folders of JPEG files, or a folder made by make_dataset
set -euo pipefail
data=${1:?usage: launch_torchrun.sh DATA [RANKS]} ranks=${2:-2}
here=$(dirname "$0")
bin=${FLOWGAUGE_BIN:-$here/../build/dev/bin}
python=${PYTHON:-/usr/bin/python3}   # the Python that has torch

export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE

# `python -m torch.distributed.run` is torchrun, found even where its script is not on the path.
"$bin/flowgauge" run -o "run-torchrun-$ranks" -- "$python" -m torch.distributed.run --standalone --nproc_per_node "$ranks" \
    "$here/../workloads/ddp_train.py" "$data" --workers 2 --epochs 2
"$bin/flowgauge" report "run-torchrun-$ranks"
