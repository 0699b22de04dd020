#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds with warnings as errors, and runs every test.
#
#   tests/run.sh [CTEST OPTIONS]       e.g.  tests/run.sh -L unit      tests/run.sh -R kill
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == --help || ${1:-} == -h ]]; then sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0; fi
.ci/install.sh build test
cmake --preset dev -DFLOWGAUGE_FUZZ=ON >/dev/null  # the fuzzers are built by clang, whatever builds the rest
cmake --build --preset dev
exec ctest --preset dev --output-on-failure "$@"
