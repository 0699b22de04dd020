#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What only a machine with a GPU can tell: one table, under 8 minutes. Needs nvcc, CMake with a C++20 compiler, and Python; PyTorch and
# the flowgauge program are used where they are. Without a GPU it says so and ends with 77.
#
#   tests/gpu/run.sh [BUILD]      BUILD: a folder with lib/libflowgauge.so (and bin/flowgauge); default build/release, built when missing
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/flowgauge-gpu.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
    echo "run.sh: no GPU device node (/dev/nvidia*) on this machine: nothing was run" >&2
    exit 77
fi
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[[ -x $nvcc ]] || { echo "run.sh: nvcc was found neither in PATH nor in /usr/local/cuda/bin" >&2; exit 2; }
if [[ ! -e $build/lib/libflowgauge.so ]]; then
    echo "building in $build"
    options=(-DCMAKE_BUILD_TYPE=Release -DFLOWGAUGE_TRAINER=OFF -DFLOWGAUGE_GUI=OFF -DFLOWGAUGE_TESTS=OFF)
    cmake -S "$root" -B "$build" "${options[@]}" >"$scratch/cmake.log" 2>&1 || {
        echo "the flowgauge program and the grouped allreduce need packages that are not here: what needs them is not run"
        rm -rf "$build"
        cmake -S "$root" -B "$build" "${options[@]}" -DFLOWGAUGE_OFFLINE=OFF >>"$scratch/cmake.log" 2>&1
    } && cmake --build "$build" --target flowgauge -j >>"$scratch/cmake.log" 2>&1 || { tail -20 "$scratch/cmake.log" >&2; exit 2; }
    if grep -q "^FLOWGAUGE_OFFLINE:BOOL=ON" "$build/CMakeCache.txt"; then
        cmake --build "$build" --target flowgauge_cli allreduce_cuda -j >>"$scratch/cmake.log" 2>&1 ||
            echo "the flowgauge program or the grouped allreduce was not built: what needs them is not run"
    fi
fi
"$nvcc" -O2 -std=c++17 -arch=native -o "$scratch/known_work" "$root/tests/gpu/known_work.cu" -lcuda ||
    "$nvcc" -O2 -std=c++17 -o "$scratch/known_work" "$root/tests/gpu/known_work.cu" -lcuda
exec_python=$(command -v python3)
FLOWGAUGE_TEST_LIBRARY=$build/lib/libflowgauge.so timeout 460 "$exec_python" -B "$root/tests/gpu/measure.py" "$scratch" "$build"
