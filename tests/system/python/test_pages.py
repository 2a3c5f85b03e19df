#!/usr/bin/env python3
"""`docs/make_results --check` and `--release` know which pages are of the build that they ask; `--dates` dates builds."""
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
ID = "563c8c032072fbd1"
FRESH = f"Written by `docs/make_results fresh` with flagstone 0.1.0+e5eadb72ed of 2026-11-30, results {ID}.\n"


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(os.path.join(self.folder, "results"))

    def check(self, mode, pages, version=f"flagstone    0.1.0\\nresults      {ID}\\n"):
        """Exit status and output for these pages, by a program that prints this version."""
        for name, text in pages.items():
            with open(os.path.join(self.folder, "results", name + ".md"), "w", encoding="utf-8") as file:
                file.write(text)
        program = os.path.join(self.folder, "flagstone")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nprintf '{version}'\n")
        os.chmod(program, 0o755)
        environment = dict(os.environ, FLAGSTONE=program, RESULTS=os.path.join(self.folder, "results"))
        ran = subprocess.run([os.path.join(ROOT, "docs", "make_results"), mode], env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return ran.returncode, ran.stdout.replace("docs/make_results: ", "", 1).rstrip("\n")

    def test_pages_of_this_build_are_fresh(self):
        sampling = f"results id {ID}\n"
        for mode in ("--check", "--release"):
            self.assertEqual(self.check(mode, {"fresh": FRESH, "sampling": sampling}), (0, "0 pages are stale"))

    def test_other_pages_are_stale(self):
        pages = {
            "dirty": FRESH.replace("ed of", "ed-dirty of"),
            "fresh": FRESH,
            "longer": FRESH.replace(ID, ID + "0"),
            "none": "Written by `docs/make_results none` with flagstone 0.1.0+e5eadb72ed.\n",
            "other": FRESH.replace(ID, "0" * 16),
        }
        stale = "4 pages are stale: dirty longer none other"
        self.assertEqual(self.check("--check", pages), (0, stale))
        self.assertEqual(self.check("--release", pages), (1, stale))

    def test_a_program_without_an_id_tells_nothing(self):
        for version in ("flagstone 1\\n", "flagstone 1\\nresults\\n", "flagstone 1\\nresults .*\\n"):
            for mode in ("--check", "--release"):
                status, output = self.check(mode, {"fresh": FRESH}, version)
                self.assertEqual(status, 2)
                self.assertIn("prints no results id", output)

    def test_a_build_gets_the_day_of_its_commit(self):
        asked = subprocess.run(["git", "show", "-s", "--format=%h %cs"], cwd=ROOT, text=True, capture_output=True)
        if asked.returncode != 0:
            self.skipTest("no git history")
        commit, day = asked.stdout.split()
        line = "Written by `docs/make_results ours` with flagstone 0.1.0+{}, results 0.\n"
        pages = {"ours": line.format(commit), "unknown": line.format("0" * 10), "dirty": line.format(commit + "-dirty")}
        for _ in range(2):
            self.assertEqual(self.check("--dates", pages), (0, ""))
            found = {}
            for name in pages:
                with open(os.path.join(self.folder, "results", name + ".md"), encoding="utf-8") as file:
                    found[name] = file.read()
            pages = found
        self.assertEqual(pages["ours"], line.format(f"{commit} of {day}"))
        self.assertEqual(pages["unknown"], line.format("0" * 10))
        self.assertEqual(pages["dirty"], line.format(commit + "-dirty"))

    def test_the_project_s_own_pages(self):
        """One page at least is of a build with an id, so that the pattern meets what is written."""
        folder = os.path.join(ROOT, "docs", "results")
        with open(os.path.join(folder, "syrk_sizes.md"), encoding="utf-8") as file:
            found = file.read().rsplit("results ", 1)[1].strip(".\n")
        pages = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                pages[name[:-len(".md")]] = file.read()
        status, output = self.check("--check", pages, f"flagstone 0.1.0\\nresults {found}\\n")
        self.assertEqual(status, 0)
        self.assertNotIn("syrk_sizes", output)


if __name__ == "__main__":
    unittest.main()
