#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy (14, as .clang-tidy says) over every source file of the product.

    tests/rooms/tidy.py [--build FOLDER] [--jobs N] [ROOM ...]

Clang's own warnings, as the build asks for them, count too. Most of the time of a run goes into headers of the C++ library, which
clang-tidy reads again for each file; so the files of a room are asked about together, as many of them as compile as one.
Ends with 0 when nothing was found, else with 1.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TOP = ("collector", "instrument", "analyzer", "gui", "workloads")
TOGETHER = 12  # more do not save much, and keep a whole room from being spread over the processors


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build/tidy", help="configured here when it is not yet there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="such as collector/store; all without one")
    return parser.parse_args()


def configure(build):
    """A compilation database with a command a file: rooms that compile several files at once have none otherwise."""
    if not (build / "compile_commands.json").exists():
        subprocess.run(["cmake", "--preset", "dev", "-B", build, "-DFLOWGAUGE_TOGETHER=OFF"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)


def flags_of(command):
    """What a compilation command says of the language and of where headers are; not what it reads and writes."""
    words = iter(shlex.split(command))
    kept = []
    for word in words:
        if word in ("-I", "-isystem", "-include"):
            kept += [word, next(words)]
        elif word.startswith(("-I", "-D", "-std", "-isystem", "-f", "-W")):
            kept.append(word)
    return tuple(kept)


def sources(build, rooms):
    """{(room, flags): its files}; a file that is compiled into several libraries is asked about once."""
    found, seen = collections.defaultdict(list), set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        if path in seen or path.suffix != ".cpp" or not path.is_relative_to(REPOSITORY) or path.is_relative_to(build):
            continue
        room = str(path.parent.relative_to(REPOSITORY))
        if room.startswith(TOP) and (not rooms or room.startswith(tuple(rooms))):
            seen.add(path)
            found[room, flags_of(entry["command"])].append(path)
    return found


def rules_of(file):
    """The rules that hold for a file: .clang-tidy of its folder and of those above. The end mark is refused where it is read again."""
    done = subprocess.run(["clang-tidy-14", "--dump-config", file, "--"], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    return done.stdout.rstrip().removesuffix("...")


def tidy(file, flags, rules):
    """Lines of what clang-tidy finds; a line that says so when it could not look."""
    done = subprocess.run(["clang-tidy-14", "--quiet", f"--config={rules}", "--checks=clang-diagnostic-*,-bugprone-suspicious-include", "--warnings-as-errors=-*",
                           file, "--", *flags, "-I", REPOSITORY], capture_output=True, text=True, cwd=REPOSITORY)
    lines = [line for line in done.stdout.splitlines() if ": error: " in line or ": warning: " in line]
    lines = [line for line in lines if line.startswith((f"{REPOSITORY}/", str(file)))]  # the analyzer follows calls into headers of others
    return lines or ([f"{file}: clang-tidy ended with {done.returncode}: {done.stderr[-300:]}"] if done.returncode else [])


class Asker:
    def __init__(self, scratch):
        self.scratch = scratch

    def unit(self, files):
        """One file that stands for all of them. Its name is one by which the static analyzer looks into the files it includes (clang's
        AnalysisManager::isInCodeFile); under another it looks at the functions of the given file only."""
        name = "UnifiedSource_" + "_".join(files[0].relative_to(REPOSITORY).parts) + f"_{len(files)}.cpp"
        path = Path(self.scratch, name)
        path.write_text("".join(f'#include "{file}"\n' for file in files))
        return path

    def compiles(self, unit, flags):
        return subprocess.run(["clang++-14", "-fsyntax-only", "-w", unit, *flags, "-I", REPOSITORY], capture_output=True).returncode == 0

    def groups(self, files, flags):
        """Halves until what is asked about together compiles: names local to files may be equal."""
        if len(files) == 1:
            return [(files[0], files)]
        unit = self.unit(files)
        if self.compiles(unit, flags):
            return [(unit, files)]
        middle = len(files) // 2
        return self.groups(files[:middle], flags) + self.groups(files[middle:], flags)

    def ask(self, room, flags, files):
        """Lines of what was found in those files."""
        found = []
        for unit, group in self.groups(files, flags):
            # One file may use a name, or a macro, that another of the group has for itself.
            found += tidy(unit, flags if len(group) == 1 else (*flags, "-Wno-shadow", "-Wno-macro-redefined"), rules_of(group[0]))
        return found


def main():
    arguments = options()
    for tool in ("clang-tidy-14", "clang++-14"):
        if not shutil.which(tool):
            sys.exit(f"tidy: {tool} is needed; apt-get install clang-tidy-14 clang-14")
    configure(arguments.build)
    parts = [(room, flags, files[at:at + TOGETHER]) for (room, flags), files in sources(arguments.build, arguments.rooms).items()
             for at in range(0, len(files), TOGETHER)]
    if not parts:
        sys.exit(f"tidy: no source file in {' '.join(arguments.rooms)}; expected rooms such as collector/store")
    found, asked = set(), 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        asker = Asker(scratch)
        for part, lines in zip(parts, pool.map(lambda part: asker.ask(*part), parts)):
            asked += len(part[2])
            print(f"{part[0]}: {len(part[2])} files, {len(lines)} findings", file=sys.stderr, flush=True)
            print("".join(line + "\n" for line in sorted(set(lines) - found)), end="", flush=True)  # a header's are found again by each that includes it
            found.update(lines)
    print(f"{asked} files, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
