# SPDX-License-Identifier: MIT
"""A screen of its own, and the hands of a user on it: keys and clicks as the X server itself makes them."""
import ctypes
import ctypes.util
import shutil
import struct
import subprocess
import time
import zlib

PATIENCE = 60


def missing():
    """What this machine lacks for it; "" when nothing."""
    if not shutil.which("Xvfb"):
        return "Xvfb is not installed"
    return next((f"lib{name} is not installed" for name in ("X11", "Xtst") if not ctypes.util.find_library(name)), "")


def awaited(condition, what):
    """The condition's first answer that is true."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if answer := condition():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE} s for {what}")


class TextProperty(ctypes.Structure):
    """Xlib's; in whatever encoding the window chose."""
    _fields_ = (("value", ctypes.c_char_p), ("encoding", ctypes.c_ulong), ("format", ctypes.c_int), ("length", ctypes.c_ulong))


class Screen:
    """An X server without a window manager; `with Screen() as screen:`."""

    def __enter__(self):
        self.server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.name = ":" + self.server.stdout.readline().decode().strip()
        self.x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
        self.test = ctypes.CDLL(ctypes.util.find_library("Xtst"))
        pointer, number = ctypes.c_void_p, ctypes.c_ulong
        for function, answer, arguments in (
                (self.x11.XOpenDisplay, pointer, [ctypes.c_char_p]), (self.x11.XDefaultRootWindow, number, [pointer]),
                (self.x11.XKeysymToKeycode, ctypes.c_ubyte, [pointer, number]), (self.x11.XStringToKeysym, number, [ctypes.c_char_p]),
                (self.x11.XSync, ctypes.c_int, [pointer, ctypes.c_int]), (self.x11.XGetWMName, ctypes.c_int, [pointer, number, pointer]),
                (self.x11.XSetInputFocus, ctypes.c_int, [pointer, number, ctypes.c_int, number]), (self.x11.XFree, ctypes.c_int, [pointer]),
                (self.x11.XQueryTree, ctypes.c_int, [pointer, number, pointer, pointer, pointer, pointer]),
                (self.x11.XMoveWindow, ctypes.c_int, [pointer, number, ctypes.c_int, ctypes.c_int]),
                (self.test.XTestFakeKeyEvent, ctypes.c_int, [pointer, ctypes.c_uint, ctypes.c_int, number]),
                (self.test.XTestFakeButtonEvent, ctypes.c_int, [pointer, ctypes.c_uint, ctypes.c_int, number]),
                (self.test.XTestFakeMotionEvent, ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, ctypes.c_int, number])):
            function.restype, function.argtypes = answer, arguments
        # A window may go while it is asked for its name; left alone, Xlib would end the whole program for that.
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
        self.x11.XSetErrorHandler(self.ignore)
        self.display = self.x11.XOpenDisplay(self.name.encode())
        if not self.display:
            raise AssertionError(f"no connection to {self.name}")
        return self

    def __exit__(self, *_):
        self.x11.XCloseDisplay(ctypes.c_void_p(self.display))
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()

    def window(self, words):
        """The top window whose title holds these words; 0 when there is none."""
        root, children, count = ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x11.XQueryTree(self.display, self.x11.XDefaultRootWindow(self.display), ctypes.byref(root), ctypes.byref(root),
                            ctypes.byref(children), ctypes.byref(count))
        found = 0
        for i in range(count.value):
            title = TextProperty()
            if self.x11.XGetWMName(self.display, children[i], ctypes.byref(title)) and words in (title.value or b"").decode(errors="replace"):
                found = children[i]
        self.x11.XFree(ctypes.cast(children, ctypes.c_void_p))
        return found

    def focus(self, words):
        """Waits for a window and gives it the keyboard and the screen's corner, as a window manager would."""
        window = awaited(lambda: self.window(words), f"a window '{words}'")
        self.x11.XMoveWindow(self.display, window, 0, 0)
        self.x11.XSetInputFocus(self.display, window, 1, 0)
        self.x11.XSync(self.display, 0)

    def press(self, keys):
        """"Alt+3", "ctrl+e": the modifiers are held while the last key goes down and up."""
        names = {"alt": "Alt_L", "ctrl": "Control_L", "shift": "Shift_L", "enter": "Return"}
        codes = [self.x11.XKeysymToKeycode(self.display, self.x11.XStringToKeysym(names.get(key.lower(), key).encode())) for key in keys.split("+")]
        for code in codes:
            self.test.XTestFakeKeyEvent(self.display, code, 1, 0)
        for code in reversed(codes):
            self.test.XTestFakeKeyEvent(self.display, code, 0, 0)
        self.x11.XSync(self.display, 0)

    def click(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, x, y, 0)
        for down in (1, 0):
            self.test.XTestFakeButtonEvent(self.display, 1, down, 0)
        self.x11.XSync(self.display, 0)


class Picture:
    """A PNG file as Qt writes it: 8 bits a channel, not interlaced. Texts are read at once, pixels when they are asked for."""

    def __init__(self, path):
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", path
        self.packed, self.texts, at = b"", {}, 8
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, _, colours = struct.unpack(">IIBB", body[:10])
                self.channels = {2: 3, 6: 4}[colours]
            elif kind == b"IDAT":
                self.packed += body
            elif kind in (b"tEXt", b"zTXt"):  # the second one is compressed, behind a byte that says how
                name, text = body.split(b"\0", 1)
                self.texts[name.decode()] = (zlib.decompress(text[1:]) if kind == b"zTXt" else text).decode("latin-1")
            at += 12 + length

    def _unfiltered(self, raw):
        lines, step, wide = [], self.channels, self.width * self.channels
        above = bytes(wide)
        for y in range(self.height):
            how, line = raw[y * (wide + 1)], bytearray(raw[y * (wide + 1) + 1:(y + 1) * (wide + 1)])
            if how:
                for i in range(wide):
                    left = line[i - step] if i >= step else 0
                    corner = above[i - step] if i >= step else 0
                    guess = (0, left, above[i], (left + above[i]) // 2, 0)[how]
                    if how == 4:
                        estimate = left + above[i] - corner
                        guess = min((left, above[i], corner), key=lambda value: abs(estimate - value))
                    line[i] = (line[i] + guess) & 255
            above = bytes(line)
            lines.append(above)
        return lines

    def places(self, colour):
        """(x, y) of every pixel of this (red, green, blue)."""
        wanted, found = bytes(colour), []
        for y, line in enumerate(self._unfiltered(zlib.decompress(self.packed))):
            at = line.find(wanted)
            while at >= 0:
                if at % self.channels == 0:
                    found.append((at // self.channels, y))
                at = line.find(wanted, at + 1)
        return found
