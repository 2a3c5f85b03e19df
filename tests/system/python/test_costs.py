#!/usr/bin/env python3
"""synth/make_costs writes what synth/budgets.toml says, and refuses pages whose marks are lost."""
import importlib.machinery
import importlib.util
import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("make_costs", os.path.join(ROOT, "synth", "make_costs"))
make_costs = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_costs", loader))
loader.exec_module(make_costs)

BUDGETS = {"lrr_tb_scheduler NumSm=15": {"clock_mhz": 700, "area_um2": 2526.5, "fmax_mhz": 1237, "flip_flops": 351},
           "lrr_tb_scheduler NumSm=80": {"clock_mhz": 1200, "area_um2": 11223.0, "fmax_mhz": 968, "flip_flops": 9}}
MARK = "<!-- Written by synth/make_costs: {}. -->\n{}<!-- Until here. -->\n"


class MakeCosts(unittest.TestCase):
    def test_each_size_has_a_row_and_a_missed_clock_is_bold(self):
        page = make_costs.with_texts(BUDGETS, "rtl/dispatch/lrr_tb_scheduler.md", ["cost"],
                                     MARK.format("cost", "stale\n"))
        self.assertIn("| `NumSm=15` | 700 | 1,237 | 2,526 | 351 |\n", page)
        self.assertIn("| `NumSm=80` | 1,200 | **968** | 11,223 | 9 |\n", page)
        self.assertIn("misses the clock.\n", page)
        self.assertNotIn("stale", page)

    def test_a_new_block_gets_its_section(self):
        page = make_costs.with_texts(BUDGETS, "rtl/dispatch/lrr_tb_scheduler.md", ["cost"], "# A block\n")
        self.assertIn("# A block\n\n## Cost\n<!-- Written", page)
        self.assertIn("| `NumSm=15` |", page)

    def test_rows_by_hand_keep_their_words(self):
        row = "| `lrr_tb_scheduler` | the baseline | 1 | 2 of 3 | [page](x.md) |\n"
        page = make_costs.with_texts(BUDGETS, "README.md", ["blocks"], MARK.format("blocks", row))
        self.assertIn("| `lrr_tb_scheduler` | the baseline | 2,526 | 1,237 of 700 | [page](x.md) |", page)
        row = row.replace("scheduler` |", "scheduler` `NumSm=80` |")
        page = make_costs.with_texts(BUDGETS, "README.md", ["blocks"], MARK.format("blocks", row))
        self.assertIn("| `lrr_tb_scheduler` `NumSm=80` | the baseline | 11,223 | **968** of 1,200 |", page)
        with self.assertRaisesRegex(SystemExit, "block 'lrr_tb_scheduler NumSm=8' has no budget"):
            make_costs.with_texts(BUDGETS, "README.md", ["blocks"], MARK.format("blocks", row.replace("80", "8")))
        with self.assertRaisesRegex(SystemExit, "block 'no_block NumSm=80' has no budget"):
            make_costs.with_texts(BUDGETS, "README.md", ["blocks"],
                                  MARK.format("blocks", row.replace("lrr_tb_scheduler", "no_block")))

    def test_marks_that_are_lost_or_mistyped(self):
        for page in (MARK.format("", ""), MARK.format("cots", ""), MARK.format("cost", "") * 2,
                     MARK.format("cost", "").replace("Until here", "Until")):
            with self.assertRaisesRegex(SystemExit, "expected cost, each with its end"):
                make_costs.with_texts(BUDGETS, "rtl/dispatch/lrr_tb_scheduler.md", ["cost"], page)


if __name__ == "__main__":
    unittest.main()
