"""What `order --emit triton` prints, executed with a stand-in for Triton: each program does one other program's work."""
import os
import subprocess
import sys
import types
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
LAUNCH = ("--grid 256 --arg a=f32[16384] --arg b=f32[16384] --arg c=f32[65536] --arg 256 --arg 256 --arg 64"
          " --machine fermi -q").split()


class Pointer:
    """A tensor of ids: `pointer + i` names an element, and None lies beyond its end."""

    def __init__(self, ids, at=0):
        self.ids, self.at = ids, at

    def __add__(self, offset):
        return Pointer(self.ids, self.at + offset)


def load(pointer, mask=True, other=None):
    return pointer.ids[pointer.at] if mask else other


def emitted(order):
    """The function, and the table in its comment; None where there is none."""
    text = subprocess.check_output([os.environ["FLAGSTONE"], "order", "--triton", "docs/examples/triton_order", *LAUNCH,
                                    "--emit", "triton", "--order", order], cwd=ROOT, text=True)
    language = types.ModuleType("triton.language")
    language.load, language.minimum = load, min
    language.where = lambda condition, yes, no: yes if condition else no
    triton = types.ModuleType("triton")
    triton.jit, triton.language = lambda function: function, language
    sys.modules.update({"triton": triton, "triton.language": language})
    names = {}
    exec(text, names)  # pylint: disable=exec-used
    table = [line for line in text.splitlines() if line.startswith("# [")]
    return names["flagstone_block"], Pointer([int(word) for word in table[0][3:-1].split(",")]) if table else None


class EmittedTriton(unittest.TestCase):
    def test_a_table_names_each_program_of_its_grid_once(self):
        function, table = emitted("band:3")
        works = [function(pid, 0, 0, 256, 1, 1, table) for pid in range(256)]
        self.assertEqual(sorted(works), [(pid, 0, 0) for pid in range(256)])
        self.assertEqual([work[0] for work in works], table.ids)
        self.assertNotEqual(table.ids, list(range(256)))

    def test_a_table_leaves_other_grids_as_they_are(self):
        function, table = emitted("band:3")
        for x, y, z in ((512, 1, 1), (128, 2, 1), (16, 4, 4), (255, 1, 1)):
            for pid in ((0, 0, 0), (x - 1, y - 1, z - 1), (x // 2, y // 2, z // 2)):
                self.assertEqual(function(*pid, x, y, z, table), pid)


if __name__ == "__main__":
    unittest.main()
