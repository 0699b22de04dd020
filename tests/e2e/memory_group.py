# SPDX-License-Identifier: MIT
"""A memory cgroup for one job, of version 2 or 1, whichever this machine counts memory with. Needs root."""
import pathlib

ROOT = pathlib.Path("/sys/fs/cgroup")


class MemoryGroup:
    """Raises OSError where none can be made. The job's pages are charged to it, so its file cache is what the limit leaves."""

    def __init__(self, name, limit):
        if (ROOT / "cgroup.controllers").exists():
            (ROOT / "cgroup.subtree_control").write_text("+memory")
            self.folder, file = ROOT / name, "memory.max"
        else:
            self.folder, file = ROOT / "memory" / name, "memory.limit_in_bytes"
        self.folder.mkdir(exist_ok=True)
        (self.folder / file).write_text(str(limit))

    def words(self):
        """What stands before the job's words."""
        return ["sh", "-ec", f'echo $$ >{self.folder}/cgroup.procs; exec "$@"', "sh"]

    def close(self):
        self.folder.rmdir()
