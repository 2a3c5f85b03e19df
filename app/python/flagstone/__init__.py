"""Flagstone from Python: the command's verbs as functions, its results as dataclasses.

    import flagstone
    advice = flagstone.order("gemm.ptx", grid=(64, 32), block=256, arg=["a=f32[1048576]", 1024])
    print(advice.advice, [c.predicted.l2_bytes for c in advice.candidates])

Options are those of the command (`flagstone run --help`), with underscores: `engine="model"`,
`prefetch="caps"`, `detail=True`, `set={"sm.l1.size_kib": 32}`. The first argument is a workload's name, a
path (workload.toml, .ptx), the text of PTX, or a kernel that Triton compiled (docs/python.md).
"""
from __future__ import annotations

import json
import os
import tempfile

from . import command, kernels
from .command import BadInput, Error, InternalError, RunFailed, program
from .records import Record, record, record_class

__all__ = ["analyze", "compare", "order", "report", "run", "record", "record_class", "program",
           "Record", "Error", "BadInput", "RunFailed", "InternalError"]


def _call(verb, kernel, options):
    with kernels.as_arguments(kernel, options) as (argument, all_options):
        return _record(verb, [argument], all_options)


def _record(verb, arguments, options):
    try:
        return record(command.result_of(verb, arguments, options))
    except RunFailed as error:
        if error.result is not None:
            error.result = record(error.result)
        raise


def analyze(kernel, **options):
    """Which TBs share data, without running: a record of `flagstone.analyze/1`."""
    return _call("analyze", kernel, options)


def order(kernel, **options):
    """Which TB order takes the least predicted time: a record of `flagstone.order/1`."""
    return _call("order", kernel, options)


def run(kernel, **options):
    """The kernel, simulated cycle by cycle: a record of `flagstone.run/1`."""
    return _call("run", kernel, options)


def compare(workloads, policy, **options):
    """Workloads (a name, a path or a list of them) under policies: a record of `flagstone.compare/1`."""
    names = [workloads] if isinstance(workloads, (str, os.PathLike)) else list(workloads)
    return _record("compare", [os.fspath(name) for name in names], {"policy": policy, **options})


def report(*records: Record, output=None) -> str:
    """A page with pictures, for any browser: written to `output`, or returned as HTML."""
    with tempfile.TemporaryDirectory(prefix="flagstone-") as folder:
        files = []
        for number, result in enumerate(records):
            files.append(os.path.join(folder, f"{number + 1}.json"))
            with open(files[-1], "w", encoding="utf-8") as file:
                json.dump(result.json, file)
        return command.text_of(["report", *files, "-o", os.fspath(output) if output else "-"])


def _repr_html(self):
    """The page, in a notebook."""
    if "schema" not in self.json:
        return None
    page = report(self).replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{page}" width="100%" height="640" style="border: 0"></iframe>'


Record._repr_html_ = _repr_html
