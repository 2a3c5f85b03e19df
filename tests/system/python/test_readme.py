#!/usr/bin/env python3
"""docs/make_readme refuses pages whose marks or rows are lost, in place of leaving a table as it is."""
import importlib.machinery
import importlib.util
import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("make_readme", os.path.join(ROOT, "docs", "make_readme"))
make_readme = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_readme", loader))
loader.exec_module(make_readme)

END = "<!-- end -->"


class MakeReadme(unittest.TestCase):
    def setUp(self):
        self.text = make_readme.text_of("README.md")

    def refused(self, text, reason):
        with self.assertRaisesRegex(SystemExit, reason):
            make_readme.with_tables("README.md", text)

    def test_tables_follow_from_their_pages(self):
        self.assertEqual(make_readme.with_tables("README.md", self.text), self.text)
        stale = self.text.replace("| 1.290 |", "| 1.291 |")
        self.assertEqual(make_readme.with_tables("README.md", stale), self.text)

    def test_a_mark_that_is_lost_or_mistyped(self):
        mark = "<!-- docs/make_readme: sizes -->"
        for other in ("", "<!-- docs/make_readme: size -->", "<!-- docs/make_readme:sizes -->",
                      "<!-- docs/make_radme: sizes -->", mark + "\n" + mark):
            self.refused(self.text.replace(mark, other), "expected headline, sizes, others")

    def test_an_end_that_is_lost(self):
        at = self.text.index(END)
        self.refused(self.text[:at] + self.text[at + len(END):], "2 ends")
        self.refused(self.text[:at] + self.text[at + len(END):] + END, "no '<!-- end -->' before the next")

    def test_rows_and_cells_that_are_not_there(self):
        with self.assertRaisesRegex(SystemExit, "no table 'fermi: slow-down"):
            make_readme.table_of("docs/results/syrk_sizes.md", "fermi", "slow-down")
        rows = {("high", "mean"): {"rb": "-", "auto": "1.2 ±0.1", "kway": "1.3"}}
        with self.assertRaisesRegex(SystemExit, "page has no cell 'wide' in row 'high mean'"):
            make_readme.cell_of("page", rows, ("high", "mean"), "wide")
        with self.assertRaisesRegex(SystemExit, "page has no figure in row 'high mean' of rb"):
            make_readme.best_of("page", rows, ("high", "mean"), {"rb": "`rb`"})
        named = {"rb": "`rb`", "auto": "`auto`"}
        self.assertEqual(make_readme.best_of("page", rows, ("high", "mean"), named), "1.2 ±0.1 by `auto`")


if __name__ == "__main__":
    unittest.main()
