#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh clone to a report: installs packages, builds, makes a small data set, records a real two-rank ResNet-50 training
# run, and prints where its time went. Run it again and it reuses what is there and records another run.
#
#   samples/quickstart.sh [FOLDER]       FOLDER: where data and runs go (default: build/quickstart)
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == --help || ${1:-} == -h ]]; then sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0; fi
folder=${1:-build/quickstart}
bin=build/release/bin

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
next_run() { local n=1; while [[ -e $folder/run$n ]]; do n=$((n + 1)); done; echo "$folder/run$n"; }

say "1/4  Packages"
.ci/install.sh build

say "2/4  Build"
cmake --preset release -DFLOWGAUGE_TESTS=OFF >/dev/null
cmake --build --preset release --target flowgauge_cli flowgauge flowgauge_sqlite make_dataset resnet50

say "3/4  Data set"
mkdir -p "$folder"
[[ -e $folder/data/dataset.json ]] || $bin/make_dataset "$folder/data" --samples 512 --validation 64

say "4/4  Two ranks of ResNet-50, recorded"
run=$(next_run)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=1
$bin/flowgauge run -o "$run" -- mpirun -np 2 --oversubscribe $bin/resnet50 "$folder/data" --epochs 3 --shuffle-pause-ms 500 --drop-cache \
    --ledger "$run-ledger-%r.json"

say "What slowed it"
$bin/flowgauge report "$run"
echo
python3 samples/compare_with_ledger.py "$run" "$run"-ledger-*.json
printf '\nAsk more:     %s query %s "SELECT * FROM epoch_bytes"\n' $bin/flowgauge "$run"
printf 'As a page:    %s report %s --format html -o %s.html\n' $bin/flowgauge "$run" "$run"
printf 'In a window:  cmake --build build/release --target flowgauge_gui && %s-gui %s\n' $bin/flowgauge "$run"
