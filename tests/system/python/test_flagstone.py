"""The Python module, as its users have it: results, errors, kernels of every kind, the page of docs."""
import contextlib
import io
import os
import re
import sys
import tempfile
import types
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path.insert(0, os.environ.get("FLAGSTONE_PYTHON", os.path.join(ROOT, "app/python")))

import flagstone  # noqa: E402

QUICK = {"engine": "model", "machine": "tiny", "store": "none"}
ADD_ONE = """.version 7.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 data, .param .u32 n)
{
.reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<4>;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
ld.param.u32 %r5, [n];
setp.ge.u32 %p, %r4, %r5;
@%p ret;
ld.param.u64 %rd1, [data];
mul.wide.u32 %rd2, %r4, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r5, [%rd3];
add.u32 %r5, %r5, 1;
st.global.u32 [%rd3], %r5;
ret;
}
"""
LAUNCH = {"grid": 4, "block": (64, 1), "arg": ["data=u32[256]", 256]}


class Module(unittest.TestCase):
    def test_a_run_has_its_figures_as_attributes(self):
        run = flagstone.run("vecadd", **QUICK)
        self.assertEqual(run.workload, "vecadd")
        self.assertEqual(run.totals.cycles, run.json["totals"]["cycles"])
        self.assertGreater(run.launches[0].l1.accesses, 0)
        self.assertTrue(run.checks[0].passed)
        self.assertIsNone(run.launches[0].l1.lost_rate)

    def test_a_comparison_has_a_run_for_each_policy(self):
        compare = flagstone.compare(["vecadd", "matmul"], ["lrr", "rb"], **QUICK)
        self.assertEqual([(run.workload, run.policy) for run in compare.runs],
                         [("vecadd", "lrr"), ("vecadd", "rb"), ("matmul", "lrr"), ("matmul", "rb")])

    def test_names_that_python_has_itself_end_in_an_underscore(self):
        loads = flagstone.analyze("vecadd").launches[0].loads
        self.assertEqual(loads[0].class_, "affine")

    def test_the_text_of_ptx_is_a_kernel(self):
        advice = flagstone.order(ADD_ONE, **LAUNCH)
        self.assertIn("identity", [candidate.name for candidate in advice.candidates])
        self.assertEqual(advice.launches[0].grid, [4, 1, 1])

    def test_what_triton_compiled_is_a_kernel(self):
        metadata = types.SimpleNamespace(name="add_one", num_warps=2, shared=0)
        kernel = types.SimpleNamespace(asm={"ptx": ADD_ONE}, metadata=metadata)
        launch = flagstone.analyze(kernel, grid=4, arg=LAUNCH["arg"]).launches[0]
        self.assertEqual((launch.entry, launch.grid, launch.block), ("add_one", [4, 1, 1], [64, 1, 1]))

    def test_triton_ends_its_kernels_with_scratch_memory(self):
        ptx = ADD_ONE.replace(".param .u32 n)", ".param .u32 n, .param .u64 global_scratch, .param .u64 profile)")
        kernel = types.SimpleNamespace(asm={"ptx": ptx}, metadata={"name": "add_one", "num_warps": 2, "shared": 0})
        advice = flagstone.order(kernel, grid=4, arg=LAUNCH["arg"])
        self.assertEqual(advice.launches[0].grid, [4, 1, 1])

    def test_machine_keys_are_a_dictionary(self):
        settings = {"sm.l1.size_kib": 32, "dram.fixed_latency": 900}
        slow = flagstone.run("vecadd", set=settings, **QUICK)
        self.assertGreater(slow.totals.cycles, flagstone.run("vecadd", **QUICK).totals.cycles)

    def test_bad_input_says_where(self):
        with self.assertRaises(flagstone.BadInput) as caught:
            flagstone.analyze(ADD_ONE.replace("add.u32", "bogus"), **LAUNCH)
        self.assertEqual((caught.exception.line, caught.exception.column), (18, 1))
        self.assertTrue(caught.exception.file.endswith("kernel.ptx"))
        self.assertIn("bogus", str(caught.exception))
        with self.assertRaisesRegex(flagstone.BadInput, "unknown workload 'nosuch'"):
            flagstone.run("nosuch", **QUICK)

    def test_a_fault_of_the_kernel_is_an_error(self):
        with self.assertRaisesRegex(flagstone.RunFailed, "out-of-bounds") as caught:
            flagstone.run(ADD_ONE, grid=4, block=64, arg=["data=u32[8]", 256], **QUICK)
        self.assertEqual(caught.exception.exit_code, 1)

    def test_a_check_that_failed_is_an_error_with_the_result(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(ROOT, "workloads/vecadd")
            for name in os.listdir(source):
                with open(os.path.join(source, name), encoding="utf-8") as file:
                    text = file.read()
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(re.sub(r"add(\.rn)?\.f32", "sub.f32", text))
            with self.assertRaises(flagstone.RunFailed) as caught:
                flagstone.run(os.path.join(folder, "workload.toml"), **QUICK)
        self.assertFalse(caught.exception.result.checks[0].passed)

    def test_the_page_of_a_result_stands_in_a_notebook(self):
        run = flagstone.run("vecadd", **QUICK)
        self.assertIn("<html", flagstone.report(run))
        html = run._repr_html_()
        self.assertTrue(html.startswith("<iframe srcdoc="))
        self.assertIsNone(run.totals._repr_html_())

    def test_pandas_gets_a_row_for_each_run(self):
        compare = flagstone.compare("vecadd", ["lrr", "rb"], **QUICK)
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaises(ImportError):
                compare.to_pandas()
            return
        frame = compare.to_pandas()
        self.assertEqual(list(frame["policy"]), ["lrr", "rb"])
        self.assertEqual(list(frame["totals.cycles"]), [run.totals.cycles for run in compare.runs])

    def test_keys_of_a_later_version_are_kept(self):
        data = flagstone.run("vecadd", **QUICK).json
        later = flagstone.record({**data, "of_a_later_version": 7})
        self.assertEqual(later.json["of_a_later_version"], 7)
        self.assertEqual(later.totals.cycles, data["totals"]["cycles"])

    def test_without_the_command_the_error_says_what_to_do(self):
        kept = {name: os.environ.pop(name, None) for name in ("FLAGSTONE", "PATH")}
        try:
            with self.assertRaisesRegex(FileNotFoundError, "set FLAGSTONE"):
                flagstone.run("vecadd")
        finally:
            os.environ.update({name: value for name, value in kept.items() if value is not None})

    def test_the_example_of_the_page_runs_and_prints_what_stands_there(self):
        with open(os.path.join(ROOT, "docs/python.md"), encoding="utf-8") as file:
            page = file.read()
        blocks = re.findall(r"```python\n(.*?)```\n(?:It prints:\n```\n(.*?)```)?", page, re.S)
        self.assertGreater(len(blocks), 2)
        scope = {}
        here = os.getcwd()
        os.chdir(ROOT)
        try:
            for code, expected in blocks:
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(code, scope)
                if expected:
                    self.assertEqual(printed.getvalue(), expected, code)
        finally:
            os.chdir(here)


if __name__ == "__main__":
    unittest.main()
