"""What a function's first argument may be, as files and options of the command."""
from __future__ import annotations

import contextlib
import os
import tempfile


def _metadata(kernel, name):
    metadata = kernel.metadata
    return metadata[name] if isinstance(metadata, dict) else getattr(metadata, name)


def _is_text(kernel):
    return isinstance(kernel, str) and ("\n" in kernel or kernel.lstrip().startswith(".version"))


@contextlib.contextmanager
def as_arguments(kernel, options: dict):
    """The positional argument, and the options, which a compiled Triton kernel completes.

    `kernel` is a workload's name, a path (workload.toml, its folder, .ptx), the text of PTX, or what
    Triton compiled: an object with `asm["ptx"]` and `metadata`.
    """
    text = None
    if hasattr(kernel, "asm"):
        text = kernel.asm["ptx"]
        options = {
            "entry": _metadata(kernel, "name"),
            "block": 32 * _metadata(kernel, "num_warps"),
            "shared": _metadata(kernel, "shared"),
            **options,
        }
    elif _is_text(kernel):
        text = kernel
    if text is None:
        yield os.fspath(kernel), options
        return
    with tempfile.TemporaryDirectory(prefix="flagstone-") as folder:
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        yield path, options
