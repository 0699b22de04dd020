#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a recorded run with the books that the training program kept itself, rank by rank. Plain SQLite, no extension.

    compare_with_ledger.py RUN LEDGER-0.json [LEDGER-1.json ...]       exit 1 when they differ
"""
import json
import pathlib
import sqlite3
import sys


def recorded(database, rank):
    """What the run's summary tables say of one rank."""
    def one(sql, *arguments):
        return database.execute(sql, (rank, *arguments)).fetchone()

    reads = one("SELECT sum(calls), sum(bytes) FROM file_traffic WHERE rank = ? AND kind = 'file_read'")
    found = {"reads": reads[0], "read_bytes": reads[1]}
    for kind in ("allreduce", "broadcast", "barrier"):
        found[kind] = one("SELECT calls, bytes FROM rank_communication WHERE rank = ? AND kind = ?", kind) or (0, 0)
    found["epochs"] = database.execute(
        "SELECT number, samples, read_calls, read_bytes FROM epoch_rank WHERE rank = ? ORDER BY number", (rank,)).fetchall()
    return found


def booked(ledger):
    """The same, from the program's own books."""
    known = {"reads": ledger["reads"], "read_bytes": ledger["read_bytes"]}
    for kind in ("allreduce", "broadcast", "barrier"):
        known[kind] = (ledger["collectives"][kind]["count"], ledger["collectives"][kind]["bytes"])
    known["epochs"] = [(epoch["number"], epoch["samples"], epoch["reads"], epoch["read_bytes"]) for epoch in ledger["epochs"]]
    return known


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    database = sqlite3.connect(f"file:{pathlib.Path(sys.argv[1]).resolve() / 'run.db'}?mode=ro", uri=True)
    differences = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            ledger = json.load(file)
        found, known = recorded(database, ledger["rank"]), booked(ledger)
        for what, value in known.items():
            if found[what] != value:
                differences += 1
                print(f"rank {ledger['rank']}: {what}: the program booked {value}, the run has {found[what]}")
    if differences == 0:
        print("Reads, bytes, epochs and collectives of every rank equal the training program's own books.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
