# SPDX-License-Identifier: MIT
"""How much a recorded total grew."""


def growth(run, counter, source, family):
    """From before the job's first read to after its last."""
    found = run.rows(f"SELECT value FROM {family}_counter WHERE counter = ? AND source = ? ORDER BY at_ns", counter, str(source))
    assert found, f"{counter} of {source} is not among {run.rows(f'SELECT DISTINCT source, counter FROM {family}_counter')}"
    return found[-1][0] - found[0][0]
