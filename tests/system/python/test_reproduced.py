"""What docs/make_reproduced says of a row: its verdict, and what it was made by."""
import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
LOADER = importlib.machinery.SourceFileLoader("make_reproduced", os.path.join(ROOT, "docs/make_reproduced"))
page = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_reproduced", LOADER))
LOADER.exec_module(page)
from reproduced_rows import Row, number, with_deviation  # noqa: E402  (make_reproduced has put its folder on the path)

EXPERIMENT = {"paper": "P", "source": "P, Fig. 1", "figure": "Fig. 1", "machines": ["fermi"],
              "variant": [{"name": "rb"}], "set": [{"name": "high"}],
              "table": [{"figure": "Fig. 1", "name": "t", "title": "speed-up",
                         "published": [{"machine": "fermi", "set": "high", "rb": 1.29}]}]}


def record(**other):
    return {"experiment": "e", "figure": "Fig. 1, `t`: speed-up", "of": "fermi, high: rb", "ours": "1.06",
            "version": "1.0+abc", "results_id": page.program()[1], "machine": page.machine_hash(["fermi"]),
            "date": "2026-01-01", **other}


def records(**other):
    row = record(**other)
    return {"e": {(row["figure"], row["of"]): row}}


class Verdict(unittest.TestCase):
    def test_a_simulated_figure_agrees_within_five_per_cent(self):
        self.assertEqual(Row("f", "o", 1.29).verdict("1.24"), "agrees")
        self.assertEqual(Row("f", "o", 1.29).verdict("1.22"), "unexplained")
        self.assertEqual(Row("f", "o", 1.29, "a cause").verdict("1.22"), "differs")
        self.assertEqual(Row("f", "o", 20000).verdict("19,820"), "agrees")

    def test_a_gain_does_not_agree_with_a_loss(self):
        self.assertEqual(Row("f", "o", 0.98).verdict("1.009"), "agrees")
        self.assertEqual(Row("f", "o", 0.98, relative=True).verdict("1.009"), "unexplained")
        self.assertEqual(Row("f", "o", 1.01, "a cause", relative=True).verdict("0.972"), "differs")
        self.assertEqual(Row("f", "o", 1.01, relative=True).verdict("0.997"), "agrees")

    def test_a_counted_figure_agrees_in_every_digit(self):
        self.assertEqual(Row("f", "o", 1.29, exact=True).verdict("1.29"), "agrees")
        self.assertEqual(Row("f", "o", 1.29, exact=True).verdict("1.28"), "unexplained")
        self.assertEqual(Row("f", "o", "ITL").verdict("NL"), "unexplained")
        self.assertEqual(Row("f", "o", "NL-Xstride").verdict("NL"), "agrees")
        self.assertEqual(Row("f", "o", "NL-Xstride").verdict("N"), "unexplained")

    def test_a_figure_without_numbers_and_one_not_run_have_no_verdict_on_ours(self):
        self.assertEqual(Row("f", "o").verdict("1.2"), "plot only")
        self.assertEqual(Row("f", "o", 1.2).verdict(None), "not run")
        self.assertEqual(Row("f", "o", judged=False).verdict("3 %"), "-")

    def test_a_counted_share_agrees_to_its_places(self):
        row = Row("f", "o", 0.995823097, exact=True, places=6)
        self.assertEqual(row.theirs_text(), "0.995823")
        self.assertEqual(row.verdict(number(0.9958230970448412, 6)), "agrees")
        self.assertEqual(row.verdict(number(0.99582, 6)), "unexplained")
        self.assertEqual(Row("f", "o", 1, exact=True, places=6).verdict(number(1.0, 6)), "agrees")

    def test_a_deviation_stands_behind_its_figure_and_is_not_judged(self):
        self.assertEqual(with_deviation(1.0573, 0.0213), "1.06 ±0.02")
        self.assertEqual([with_deviation(1.0573, deviation) for deviation in (None, 0)], ["1.057", "1.057"])
        self.assertEqual(Row("f", "o", 1.06).verdict("1.06 ±0.02"), "agrees")

    def test_whole_numbers_are_whole(self):
        self.assertEqual([number(value) for value in (16384, 1.29437, 0.00123456)], ["16,384", "1.294", "0.001235"])


class Provenance(unittest.TestCase):
    def test_a_row_is_stale_once_the_simulator_or_its_machine_has_changed(self):
        experiments = {"e": EXPERIMENT}
        self.assertEqual(page.count_stale(experiments, records()), (0, 0))
        self.assertEqual(page.count_stale(experiments, records(results_id="another")), (1, 0))
        self.assertEqual(page.count_stale(experiments, records(machine="another")), (1, 0))
        self.assertEqual(page.count_stale(experiments, {"e": {}}), (0, 1))

    def test_a_machine_is_another_by_what_it_begins_from(self):
        self.assertNotEqual(page.machine_hash(["fermi"]), page.machine_hash(["fermi_48k"]))
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.toml", "x = 1"), ("b.toml", 'base = "a.toml"'), ("c.toml", "x = 1 # same")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            before = page.machine_hash(["b.toml"], folder)
            self.assertEqual(page.machine_hash(["a.toml"], folder), page.machine_hash(["c.toml"], folder))
            with open(os.path.join(folder, "a.toml"), "w", encoding="utf-8") as file:
                file.write("x = 2")
            self.assertNotEqual(page.machine_hash(["b.toml"], folder), before)

    def check(self, rows, release=False):
        with tempfile.TemporaryDirectory() as folder:
            page.PAGE = os.path.join(folder, "page.md")
            page.write(page.PAGE, page.page_of({"e": EXPERIMENT}, rows))
            page.check({"e": EXPERIMENT}, rows, release)

    def test_rows_of_a_build_with_changes_are_refused_and_stale_ones_in_a_release(self):
        self.check(records())
        self.check(records(results_id="another"))
        with self.assertRaisesRegex(SystemExit, "changes of its own"):
            self.check(records(version="1.0+abc-dirty"))
        with self.assertRaisesRegex(SystemExit, "a release has no such rows"):
            self.check(records(results_id="another"), release=True)

    def test_each_row_names_the_run_that_it_is_of(self):
        text = page.page_of({"e": EXPERIMENT}, records())
        self.assertIn("| fermi, high: rb | 1.29 | 1.06 | unexplained | a |", text)
        self.assertIn("a: flagstone 1.0+abc, results ", text)


if __name__ == "__main__":
    unittest.main()
