"""Mutants of C++ sources: each changes one operator, constant, condition or return of one line.

The tree's layout (clang-format, Google style) does the parsing: a binary operator has a space on
either side, which a template's brackets, a pointer's star and a reference's ampersand have not.
"""
import hashlib
import re
from typing import NamedTuple

OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("&",),
    "+=": ("-=",), "-=": ("+=",), "|=": ("&=",), "&=": ("|=",), "*=": ("+=",), "/=": ("*=",),
}
OPERATOR = re.compile("(?<= )(?:" + "|".join(
    re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True)) + ")(?= |$)")
STEP = re.compile(r"(?<![\w+)\]-])(?:\+\+|--)(?=\w)")
NUMBER = re.compile(r"(?<![\w.'])(\d[\d']*)([uUlL]*)(?![\w.'])")
TRUTH = re.compile(r"\b(?:true|false)\b")
RETURN = re.compile(r"\breturn ([^;{}]+);")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*')
# Lines whose change no run can show: what is checked while compiling, or in debug builds alone, and
# room that is taken early.
SKIPPED = re.compile(r"^\s*(#|using |namespace |template|static_assert|assert\(|\S*reserve\()|operator")


class Mutant(NamedTuple):
    file: str     # from the project's root
    line: int     # from 0
    old: str      # the line
    new: str
    change: str   # in words that stay while the line stays
    rank: int = 0  # of the same change of the same line, where a file has several such lines

    def name(self):
        again = f" (again: {self.rank})" if self.rank else ""
        return f"{self.file}: {self.change} in `{self.old.strip()}`{again}"

    def order(self, seed):
        """The draw: mutants in the order of a hash, so that a change of one line moves no other."""
        return hashlib.sha256(f"{seed} {self.name()}".encode()).digest()


def blank(line):
    """The line with its texts and its comment made blank: places stay."""
    return TEXT.sub(lambda m: " " * len(m.group()), line)


def closing(code, start):
    """Where the bracket that opens at `start` closes; -1: not on this line."""
    depth = 0
    for i in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i
    return -1


def changes_of(line):
    """(start, end, text in its place, what it is) for each change of the line."""
    code = blank(line)
    if SKIPPED.search(code):
        return
    for m in OPERATOR.finditer(code):
        for text in OPERATORS[m.group()]:
            yield m.start(), m.end(), text, f"{m.group()} -> {text}"
    for m in STEP.finditer(code):
        text = "--" if m.group() == "++" else "++"
        yield m.start(), m.end(), text, f"{m.group()} -> {text}"
    for m in NUMBER.finditer(code):
        value = int(m.group(1).replace("'", ""))
        for other in (value + 1,) if value != 1 else (0, 2):
            yield m.start(), m.end(), f"{other}{m.group(2)}", f"{m.group()} -> {other}"
    for m in TRUTH.finditer(code):
        text = "false" if m.group() == "true" else "true"
        yield m.start(), m.end(), text, f"{m.group()} -> {text}"
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if end > 0:
            inner = line[m.end():end]
            if ";" not in blank(inner) and not re.match(r"const |auto |\w+\*? \w+ =", inner):
                yield m.end(), end, f"!({inner})", "condition negated"
    for m in RETURN.finditer(code):
        inner = m.group(1)
        if TRUTH.fullmatch(inner) or NUMBER.fullmatch(inner):
            continue
        yield m.start(1), m.end(1), "{}", "returns {}"


def mutants_of(file, source):
    seen = {}
    for number, line in enumerate(source.splitlines()):
        counts = {}
        for start, end, text, what in changes_of(line):
            counts[what] = counts.get(what, 0) + 1
            change = what if counts[what] == 1 else f"{what} #{counts[what]}"
            key = (change, line.strip())
            rank = seen[key] = seen.get(key, -1) + 1
            yield Mutant(file, number, line, line[:start] + text + line[end:], change, rank)
