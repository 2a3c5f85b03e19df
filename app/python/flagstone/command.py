"""The command, started: options from keywords, results from its JSON, errors as exceptions."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

# A name with an x in it: --grid 64x32x1. Given again for each value; the others take a list.
_SHAPES = ("grid", "block")
_REPEATED = ("arg", "set", "input", "dump_buffer")


class Error(Exception):
    """What the command said. `file`, `line` and `column` are those of bad input, where it names any."""

    def __init__(self, message: str, exit_code: int):
        super().__init__(message)
        self.exit_code = exit_code
        place = re.search(r"(?P<file>[^\s:'\"]+):(?P<line>\d+)(?::(?P<column>\d+))?:", message)
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place and place["column"] else None


class BadInput(Error):
    """A wrong argument, option or file."""


class RunFailed(Error):
    """A fault of the kernel, a check that failed, a limit. `result` is what was written all the same."""

    result = None


class InternalError(Error):
    """The command's own fault, or the system's."""


_ERRORS = {1: RunFailed, 2: BadInput}


_INSTALLED = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../bin/flagstone"))


def program() -> str:
    """The command's path: $FLAGSTONE, else the one installed with this module, else the one on PATH."""
    installed = _INSTALLED if os.access(_INSTALLED, os.X_OK) else None
    found = os.environ.get("FLAGSTONE") or installed or shutil.which("flagstone")
    if not found:
        raise FileNotFoundError("there is no 'flagstone' on PATH: install it, or set FLAGSTONE to its path")
    return found


def _words(name: str, value) -> list[str]:
    option = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if name in _SHAPES and not isinstance(value, (str, int)):
        return [option, "x".join(str(extent) for extent in value)]
    if name in _REPEATED and not isinstance(value, str):
        items = [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
        try:
            return [word for item in items for word in (option, str(item))]
        except TypeError:
            return [option, str(value)]
    if isinstance(value, (list, tuple)):
        return [option, ",".join(str(item) for item in value)]
    return [option, os.fspath(value) if hasattr(value, "__fspath__") else str(value)]


def _start(words: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run([program(), *words], capture_output=True, text=True, encoding="utf-8", check=False)


def _error(done: subprocess.CompletedProcess) -> Error:
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    message = re.sub(r"^flagstone: ", "", lines[-1]) if lines else f"exit code {done.returncode}"
    return _ERRORS.get(done.returncode, InternalError)(message, done.returncode)


def text_of(words: list[str]) -> str:
    """What the command prints."""
    done = _start(words)
    if done.returncode != 0:
        raise _error(done)
    return done.stdout


def result_of(verb: str, arguments: list[str], options: dict) -> dict:
    """The JSON of a verb. A run that fails raises RunFailed, with what was written as `result`."""
    words = [verb, *arguments, "--json", "-"]
    if verb != "diff":
        words.append("-q")
    for name, value in options.items():
        words += _words(name, value)
    done = _start(words)
    if done.returncode == 0:
        return json.loads(done.stdout)
    error = _error(done)
    if isinstance(error, RunFailed) and done.stdout.startswith("{"):
        error.result = json.loads(done.stdout)
    raise error
