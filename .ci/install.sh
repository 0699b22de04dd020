#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that Flowgauge needs; what is there already is left alone, so a second run costs nothing.
#
#   .ci/install.sh [build] [test]      build: to build and run the quickstart;  test: what only the tests and benchmarks need
set -euo pipefail

build=(g++ cmake ninja-build pkg-config python3 git ca-certificates
    libsqlite3-dev libzstd-dev zlib1g-dev rapidjson-dev libcli11-dev nlohmann-json3-dev libfmt-dev libjpeg-dev libcurl4-openssl-dev
    libopenmpi-dev openmpi-bin libtorch-dev libopenblas0-pthread
    qt6-base-dev qt6-svg-dev fonts-dejavu-core)
test=(libgtest-dev libbenchmark-dev mpich libmpich-dev gfortran sqlite3 python3-torch python3-mpi4py python3-pil
    lttng-tools liblttng-ust-dev debootstrap libaio-dev liburing-dev fuse3 libfuse3-dev util-linux procps musl-tools gcc-multilib clang libclang-rt-14-dev clang-tidy clang-format strace
    qemu-system-x86 busybox-static cpio kmod iproute2 nfs-kernel-server perftest ibverbs-providers ibsim-utils infiniband-diags
    xvfb xauth libxtst6 chromium)

wanted=()
for group in "${@:-build}"; do
    case $group in
        build) wanted+=("${build[@]}") ;;
        test) wanted+=("${test[@]}") ;;
        *) echo "install.sh: '$group' is no group of packages; expected build or test" >&2; exit 2 ;;
    esac
done

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "install.sh: this is no Debian system; install the equivalents of: ${missing[*]}" >&2
    exit 1
fi
as_root=()
[[ $(id -u) -eq 0 ]] || as_root=(sudo)
echo "installing ${#missing[@]} packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
