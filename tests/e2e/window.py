# SPDX-License-Identifier: MIT
"""The real flowgauge-gui for end-to-end tests: under a virtual X server where there is one, with settings of its own."""
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

from harness import BUILD

GUI = BUILD / "bin" / "flowgauge-gui"
HOME = tempfile.TemporaryDirectory(prefix="flowgauge-window-")  # Qt wants a runtime folder that is its user's alone


def surroundings(**more):
    """The environment of a user who has never opened the window."""
    for name in ("config", "runtime"):
        (pathlib.Path(HOME.name) / name).mkdir(mode=0o700, exist_ok=True)
    return {**os.environ, "XDG_CONFIG_HOME": f"{HOME.name}/config", "XDG_RUNTIME_DIR": f"{HOME.name}/runtime", **more}


def window(*arguments, **environment):
    """Runs flowgauge-gui to its end."""
    server = ["xvfb-run", "-a", "-s", "-screen 0 2880x1800x24"] if shutil.which("xvfb-run") and shutil.which("xauth") else []
    return subprocess.run([*server, str(GUI), *map(str, arguments)], capture_output=True, text=True, timeout=240,
                          env=surroundings(**environment), check=False)


def size_of(picture):
    """Width and height of a PNG file."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", picture
    return struct.unpack(">II", head[16:24])
