#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers to beat, measured: one table, and in each row what it is held against in the same run.

    tests/bench/run.py [--build FOLDER] [--quick] [--only ROW ...] [--json] [--list]

Ends with 0 when every "at least" that was measured holds, with 1 when one does not.
Times are processor time wherever a row does not say "wall". Needs nothing but the built programs; rows whose
programs or tools are missing say so.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import rows  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[2]


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("FLOWGAUGE_BUILD", REPOSITORY / "build/dev")))
    parser.add_argument("--quick", action="store_true", help="a tenth of the work: to see that it runs, not to quote")
    parser.add_argument("--only", action="append", metavar="ROW", choices=[name for name, _ in rows.GROUPS], help="one group of rows; may be repeated")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="the groups of rows and what each measures")
    return parser.parse_args()


def measure(context, groups):
    table = []
    for name, group in groups:
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            table += [dict(row, group=name) for row in group(context)]
        except rows.Unmeasured as why:
            table.append({"group": name, "what": group.__doc__.strip().splitlines()[0], "unmeasured": str(why)})
    return table


def verdict(row):
    if "unmeasured" in row:
        return "not measured"
    if "least" not in row:
        return ""
    value, goal, least = row["value"], row["goal"], row["least"]
    if row.get("more", False):
        value, goal, least = -value, -goal, -least
    return "goal" if value <= goal else "ok" if value <= least else "MISSED"


def text_of(row):
    if "unmeasured" in row:
        return f"{row['what']:<64.64}  not measured: {row['unmeasured']}"
    limits = ("", "") if "least" not in row else tuple(f"{'>=' if row.get('more') else '<='} {row[key]:g}" for key in ("goal", "least"))
    return f"{row['what']:<64.64} {row['value']:>10.4g} {row['unit']:<12} {limits[0]:>9} {limits[1]:>9}  {verdict(row):<7} {row.get('beside', '')}"


def main():
    arguments = options()
    if arguments.list:
        for name, group in rows.GROUPS:
            print(f"{name:<10} {group.__doc__.strip().splitlines()[0]}")
        return 0
    groups = [(name, group) for name, group in rows.GROUPS if not arguments.only or name in arguments.only]
    folder = Path(tempfile.mkdtemp(prefix="flowgauge-bench-"))
    before = os.getloadavg()[0]
    try:
        table = measure(rows.Context(arguments.build.resolve(), folder, arguments.quick), groups)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    load = (before, os.getloadavg()[0])
    print_table(arguments, table, load)
    return 1 if any(verdict(row) == "MISSED" for row in table) else 0


def print_table(arguments, table, load):
    if arguments.json:
        print(json.dumps({"load": load, "cores": os.cpu_count(), "quick": arguments.quick, "rows": [dict(row, verdict=verdict(row)) for row in table]}, indent=1))
        return
    print(f"{'what':<64} {'measured':>10} {'':<12} {'goal':>9} {'at least':>9}  {'verdict':<7} beside")
    for row in table:
        print(text_of(row))
    print(f"load average {load[0]:.1f} before, {load[1]:.1f} after, on {os.cpu_count()} cores")
    if load[0] > 0.3 * (os.cpu_count() or 1):
        print("THIS MACHINE IS NOT QUIET: other work shares its cores and caches. Ratios within a row hold better than times.")
    if arguments.quick:
        print("--quick: a tenth of the work; do not quote.")


if __name__ == "__main__":
    sys.exit(main())
