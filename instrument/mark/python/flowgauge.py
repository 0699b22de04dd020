# SPDX-License-Identifier: MIT
"""Marks that a training script may set, so that a profile speaks of its epochs, steps and phases. Never needed.

    import flowgauge
    for n in range(epochs):
        with flowgauge.epoch(n):
            for i, batch in enumerate(loader):
                with flowgauge.step(i, samples=len(batch)):
                    with flowgauge.phase("forward"):
                        ...

    @flowgauge.phase("evaluation")
    def evaluate(): ...

Where the script is not being profiled nothing happens. Marks belong to the thread that sets them; forked and spawned workers set
their own.
"""
import contextlib
import ctypes

__all__ = ["epoch", "step", "phase", "samples"]

FORWARD, BACKWARD, OPTIMIZER, COMPUTE = "forward", "backward", "optimizer", "compute"
INPUT, EVALUATION, CHECKPOINT, SHUFFLE, COMMUNICATION = "input", "evaluation", "checkpoint", "shuffle", "communication"


def _nothing(*_):
    """Stands in for a function of the injected library in a process that has none."""


def _find(name, *types):
    try:
        function = getattr(ctypes.CDLL(None), "flowgauge_mark_" + name)
    except (OSError, AttributeError, TypeError):
        return _nothing
    function.argtypes, function.restype = types, None
    return function


_number, _count, _text = ctypes.c_longlong, ctypes.c_ulonglong, ctypes.c_char_p
_epoch_begin, _epoch_end = _find("epoch_begin", _number), _find("epoch_end", _number, _count)
_step_begin, _step_end = _find("step_begin", _number), _find("step_end", _number, _count)
_phase_begin, _phase_end = _find("phase_begin", _text), _find("phase_end", _text)
_samples = _find("samples", _count)


class _Mark(contextlib.ContextDecorator):
    """Begins on entry and ends on exit, also through an exception. May be entered again, and by several threads."""

    def __init__(self, begin, end, called, *at_end):
        self._begin, self._end, self._called, self._at_end = begin, end, called, at_end

    def __enter__(self):
        self._begin(self._called)
        return self

    def __exit__(self, *_):
        self._end(self._called, *self._at_end)
        return False


def epoch(number, samples=0):
    """An epoch. Without `samples`, its steps' samples are counted."""
    return _Mark(_epoch_begin, _epoch_end, int(number), int(samples))


def step(number, samples=0):
    """A training step and the samples it worked on."""
    return _Mark(_step_begin, _step_end, int(number), int(samples))


def phase(name):
    """A phase: one of the constants above, or any other text."""
    return _Mark(_phase_begin, _phase_end, str(name).encode())


def samples(count):
    """Adds to the open step and the open epoch of this thread."""
    _samples(int(count))
