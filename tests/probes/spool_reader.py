#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads spools as collector/spool/format.h describes them, for tests that look at a run before it is in a database.

    spool_reader.py FOLDER      prints every process's events, one a line

The names of kinds, arguments and reasons come from the .def files, so a new row is known here at once.
"""
import os
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, SLOT = 4096, 64
EVENT = struct.Struct("<QQQIHH4Q")
CHUNK = struct.Struct("<8sIIQQQQ16x")
NAME_CLASSES = ("file", "phase", "source", "communicator", "thread", "other", "kernel")


def rows(path, macro):
    """The rows of a .def file as lists of their arguments."""
    found = re.findall(macro + r"\((.*)\)", (ROOT / path).read_text())
    return [[word.strip().strip('"') for word in re.findall(r'"[^"]*"|[^,]+', row)] for row in found]


KINDS = [(row[1], [argument.split(":") for argument in row[3:7] if argument])
         for row in rows("collector/record/kinds.def", "FLOWGAUGE_KIND")]
REASONS = [row[1] for row in rows("collector/record/drop_reasons.def", "FLOWGAUGE_DROP")]


class Event(dict):
    """An event: begin, end, link, thread, kind, flags, and the arguments of its kind by name. Names are resolved to texts."""
    __getattr__ = dict.__getitem__


class Process:
    """What one program image left behind: header, events in ring order, names, losses, sums of program code."""

    def __init__(self, spool_path):
        self.path = pathlib.Path(spool_path)
        spool = self.path.read_bytes()
        rings = self.path.with_suffix(".rings").read_bytes()
        self._read_header(spool)
        self._read_page(rings)
        self.slots = {}
        self.torn = 0
        self._read_chunks(spool)
        self._read_rings(rings)
        self.names, self.name_classes = {}, {}
        self.events = [event for ring in sorted(self.slots) for event in self._decode(self.slots[ring])]
        for event in self.events:
            self._resolve(event)

    def of(self, *kinds):
        """Events of these kinds, by begin."""
        return sorted((event for event in self.events if event.kind in kinds), key=lambda event: event.begin)

    def _read_header(self, spool):
        magic, version, _, self.pid, self.parent, self.user, self.clock = struct.unpack_from("<8sIIiiIB", spool)
        if magic != b"FGSPOOL1" or version != 1:
            raise ValueError(f"{self.path}: not a spool of version 1")
        self.start_ticks, self.start_raw, self.start_realtime, self.process_start = struct.unpack_from("<Qqqq", spool, 32)
        text = lambda at, size: spool[at:at + size].split(b"\0")[0].decode()
        self.host, self.boot, self.program, self.run = text(64, 64), text(128, 40), text(168, 64), text(232, 64)

    def _read_page(self, rings):
        magic, version, _ = struct.unpack_from("<8sIi", rings)
        if magic != b"FGRINGS1" or version != 1:
            raise ValueError(f"{self.path}: its rings are none of version 1")
        numbers = struct.unpack_from("<27Q", rings, 16)
        (self.file_bytes, self.segments, self.ended, self.last_seen, self.own_cpu, self.spool_bytes, self.accepted) = numbers[:7]
        self.code = dict(zip(("opens", "reads", "bytes", "ticks"), numbers[7:11]))
        self.lost = dict(zip(REASONS, numbers[11:27]))

    def _read_chunks(self, spool):
        at, self.environment = PAGE, {}
        while at + CHUNK.size <= len(spool):
            magic, chunk_type, ring, first, count, size, checksum = CHUNK.unpack_from(spool, at)
            payload = spool[at + CHUNK.size:at + CHUNK.size + size]
            if magic != b"FGCHUNK1" or len(payload) < size:
                break
            # The end of a process may cut the write short; space is reserved ahead, so what was not written reads as zeros, which no
            # event is. (A reader of the product asks the checksum.) The ring still has what was on its way.
            if chunk_type == 1 and not any(payload[-SLOT:]):
                break
            if chunk_type == 1:
                held = self.slots.setdefault(ring, {})
                for index in range(size // SLOT):
                    held[first + index] = payload[index * SLOT:(index + 1) * SLOT]
            elif chunk_type == 2:
                words = [word.decode(errors="replace").partition("=") for word in payload.split(b"\0") if word]
                self.environment.update((key, value) for key, _, value in words)
            at += CHUNK.size + (size + 63) // 64 * 64

    def _read_rings(self, rings):
        at = PAGE
        for _ in range(self.segments):
            magic, index, capacity, _, _ = struct.unpack_from("<8sIIII", rings, at)
            if magic != b"FGRRING1":
                break
            head, = struct.unpack_from("<Q", rings, at + 64)
            tail, = struct.unpack_from("<Q", rings, at + 128)
            for reason, count in zip(REASONS, struct.unpack_from("<16Q", rings, at + 192)):
                self.lost[reason] += count
            held = self.slots.setdefault(index, {})
            for sequence in range(tail, head):
                place = at + PAGE + sequence % capacity * SLOT
                held.setdefault(sequence, rings[place:place + SLOT])
            at += PAGE + capacity * SLOT

    def _decode(self, slots):
        """Events of one ring; the text behind a NameText is taken out of the stream."""
        sequence, end = min(slots, default=0), max(slots, default=-1) + 1
        while sequence < end:
            begin, until, link, thread, kind, flags, *arguments = EVENT.unpack(slots[sequence])
            sequence += 1
            if KINDS[kind][0] == "name_text":
                key, name_class, length = arguments[:3]
                count = (length + SLOT - 1) // SLOT
                text = b"".join(slots[sequence + index] for index in range(count))[:length]
                self.names[key], self.name_classes[key] = text.decode(errors="surrogateescape"), NAME_CLASSES[name_class]
                sequence += count
                continue
            yield Event(begin=begin, end=until, link=link, thread=thread, kind=KINDS[kind][0], flags=flags, arguments=arguments)

    def _resolve(self, event):
        for (name, kind), value in zip(dict(KINDS)[event.kind], event.pop("arguments")):
            if kind == "name":
                value = self.names.get(value, "" if value == 0 else f"?{value}")
            elif kind in ("number", "result", "rank") and value >= 1 << 63:
                value -= 1 << 64
            event[name] = value


def processes(folder):
    """Every process whose spool lies below a folder, by start."""
    found = [Process(path) for path in pathlib.Path(folder).rglob("*.spool") if path.parent.name != "hosts"]
    return sorted(found, key=lambda process: process.start_raw)


def main():
    for process in processes(sys.argv[1]):
        print(f"# {process.pid} {process.program} on {process.host}, lost {sum(process.lost.values())}, code {process.code}")
        for event in process.events:
            print(" ".join(f"{key}={value}" for key, value in event.items()))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
