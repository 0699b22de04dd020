#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the house rules of rooms.txt: who includes whom, which room hosts a foreign header or word, how long a file is.

    check_rooms.py [ROOT]      exit 1 and one line a violation: file:line: rule
"""
import pathlib
import re
import sys

SOURCES = {".h", ".cpp", ".c", ".def", ".sql"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
LINE_LIMIT = 400
TEST_LINE_LIMIT = 600


class Rules:
    """The parsed rooms.txt."""

    def __init__(self, text):
        self.may_include, self.injected, self.offline, self.hosts, self.never = {}, set(), set(), [], []
        for line in text.splitlines():
            line = line.strip()
            if line.startswith("host:"):
                pattern, rooms = line[5:].rsplit(" -> ", 1)
                self.hosts.append((re.compile(pattern.strip()), rooms.split()))
            elif line.startswith("offline-header:"):
                self.offline.add(line[15:].strip())
            elif line.startswith("injected-never:"):
                self.never.append(re.compile(line[15:].strip()))
            elif line and not line.startswith("#"):
                self._room(line)

    def _room(self, line):
        left, right = line.split("<-")
        words = left.split()
        self.may_include[words[0]] = right.split()
        if "[injected]" in words:
            self.injected.add(words[0])

    def room_of(self, path):
        """The longest room that is a prefix of a repository path, or None."""
        rooms = [room for room in self.may_include if path == room or path.startswith(room + "/")]
        return max(rooms, key=len, default=None)

    def allows(self, room, target):
        return target == room or any(matches(target, rule) for rule in self.may_include[room])


def matches(room, rule):
    return room == rule or (rule.endswith("/*") and room.startswith(rule[:-1]))


def without_comments(text):
    """The text with comments blanked; line numbers stay."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def check_include(rules, root, room, line):
    found = INCLUDE.match(line)
    if not found or found.group(1) is None:
        return None
    target = found.group(1)
    if not (root / target).exists() and "/" not in target:
        return f'include "{target}" is not written from the repository\'s root'
    if target in rules.offline and room in rules.injected:
        return f"{target} is for offline rooms only"
    other = rules.room_of(target)
    if other is None or rules.allows(room, other):
        return None
    return f"{room} may not include {other}"


def check_words(rules, room, relative, line):
    for pattern, hosts in rules.hosts:
        if pattern.search(line) and not any(matches(room, host) or room.startswith(host + "/") for host in hosts):
            return f"'{pattern.pattern}' is hosted by {', '.join(hosts)} only"
    if room in rules.injected and relative not in rules.offline:
        for pattern in rules.never:
            if pattern.search(line):
                return f"'{pattern.pattern}' never stands in an injected room"
    return None


def check_file(rules, root, path):
    relative = path.relative_to(root).as_posix()
    room = rules.room_of(relative)
    text = path.read_text(encoding="utf-8")
    length = text.count("\n")
    limit = TEST_LINE_LIMIT if relative.startswith("tests/") else LINE_LIMIT
    if length > limit and "lifts the line limit:" not in text:
        yield f"{relative}:{length}: more than {limit} lines"
    if room is None:
        yield f"{relative}:1: belongs to no room of rooms.txt"
        return
    code = text if path.suffix == ".sql" else without_comments(text)
    for number, line in enumerate(code.splitlines(), 1):
        for problem in (check_include(rules, root, room, line), check_words(rules, room, relative, line)):
            if problem:
                yield f"{relative}:{number}: {problem}"


def source_files(root):
    for top in ("collector", "instrument", "analyzer", "gui", "workloads", "tests"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    rules = Rules((root / "tests/rooms/rooms.txt").read_text(encoding="utf-8"))
    problems = [problem for path in source_files(root) for problem in check_file(rules, root, path)]
    print("\n".join(problems) if problems else f"{sum(1 for _ in source_files(root))} files keep the rules of the house")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
