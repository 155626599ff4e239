"""From text to the tree of an expression: our own words and our own grammar, nothing is ever executed.

expression  = comparison chains of `or`, `and`, `not`           not (a < 1) or b >= 2 and c
arithmetic  = + - * / and ^ or ** (from the right: 2^3^2 = 2^9; -x^2 = -(x^2))
operand     = number | name | function(arguments) | (expression)
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple, NoReturn

from floatframe.errors import Where
from floatframe.expressions.functions import FUNCTIONS, TABLE_ORDER
from floatframe.expressions.nodes import BINDING, COMPARISON, CONSTANTS, Call, Name, Node, Number
from floatframe.wording import did_you_mean

# words with a meaning of their own, which no variable or parameter may have
RESERVED = frozenset({*FUNCTIONS, *CONSTANTS, "and", "or", "not"})

# parentheses, signs and exponents inside each other; beyond this a text is a mistake
MOST_NESTED = 100
MOST_CHARACTERS = 100_000

_PART = r"[^\W\d]\w*(?:\[\w+(?: \w+)*\])*"  # names of nodes may have several words: frame.node[point 4]
_WORD = re.compile(
    r"\s*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>{_PART}(?:\.{_PART})*)"
    r"|(?P<symbol>\*\*|<=|>=|==|!=|[-+*/^<>(),])"
    r"|(?P<end>\Z)"
    r")"
)
_SLIPS = {
    "=": "'==' to compare",
    "&": "'and'",
    "|": "'or'",
    "!": "'not' or '!='",
    "%": "mod(x, y)",
    "[": "a number or name and ']' behind '['",
    ".": "a digit or a name next to the dot",
    '"': "a name without quotation marks",
    "'": "a name without quotation marks",
    "−": "the minus sign '-'",
    "·": "'*'",
    "×": "'*'",
}


class Word(NamedTuple):
    kind: str  # number, name, symbol or end
    text: str
    column: int  # in the text, from 0


@lru_cache(maxsize=512)  # sweeps read the same texts again and again
def parse_tree(text: str, where: Where) -> Node:
    """Return the tree of a text; `where` opens the error message."""
    return _Parser(text, where).parsed()


class _Parser:
    """Operator-precedence parser over the words of one text."""

    def __init__(self, text: str, where: Where) -> None:
        self.text = text
        self.where = where
        if len(text) > MOST_CHARACTERS:
            self.fail(f"the expression has {len(text)} characters, at most {MOST_CHARACTERS} are taken; use a table", 0)
        self.words = self._words()
        self.at = 0
        self.depth = 0

    def fail(self, problem: str, column: int) -> NoReturn:
        """Raise the error with the line in question and a caret below the column."""
        before = self.text[:column]
        start = before.rfind("\n") + 1
        line = self.text[start:].split("\n", 1)[0].replace("\t", " ")
        column -= start
        # a long line is shown around the place only
        first = max(0, column - 60)
        shown, caret = line[first : first + 100], " " * (column - first) + "^"
        place = f"column {column + 1}" + (f" of line {before.count(chr(10)) + 1}" if start else "")
        raise self.where.error(f"{problem} ({place})\n    {shown}\n    {caret}")

    def _words(self) -> list[Word]:
        words: list[Word] = []
        position = 0
        while not words or words[-1].kind != "end":
            found = _WORD.match(self.text, position)
            if found is None:
                column = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                letter = self.text[column]
                self.fail(f"found {letter!r}, expected {_SLIPS.get(letter, 'a number, a name or an operator')}", column)
            kind = str(found.lastgroup)
            words.append(Word(kind, found[kind], found.start(kind)))
            position = found.end()
        return words

    @property
    def word(self) -> Word:
        return self.words[self.at]

    def takes(self, *texts: str) -> bool:
        """Step over the next word if it is one of these."""
        fits = self.word.kind != "end" and self.word.text in texts
        self.at += fits
        return fits

    def expect(self, expected: str) -> NoReturn:
        found = "the end of the expression" if self.word.kind == "end" else f"'{self.word.text}'"
        self.fail(f"found {found}, expected {expected}", self.word.column)

    def parsed(self) -> Node:
        root = self.expression(0)
        if self.word.kind != "end":
            self.expect("an operator or the end of the expression")
        return root

    def expression(self, least: int) -> Node:
        """Parse operators that bind at least this tightly."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            self.fail(f"more than {MOST_NESTED} levels of nesting; split it into parameters", self.word.column)
        left = self.operand(least)
        while (binding := self._binary()) >= max(least, 1):
            symbol = self.word.text.replace("**", "^")
            self.at += 1
            # an exponent groups from the right and may carry a sign
            right = self.expression(BINDING["negate"] if symbol == "^" else binding + 1)
            left = Call(symbol, (left, right))
            if binding == COMPARISON == self._binary():
                self.fail("comparisons do not chain; write a < b and b < c", self.word.column)
        self.depth -= 1
        return left

    def _binary(self) -> int:
        """Return how tightly the binary operator ahead binds, 0 if there is none."""
        operator = self.word.kind == "symbol" or self.word.text in ("and", "or")
        return BINDING.get(self.word.text.replace("**", "^"), 0) if operator else 0

    def operand(self, least: int) -> Node:
        word = self.word
        if word.kind == "number":
            self.at += 1
            return self.number(word)
        if word.text == "not" and least <= BINDING["not"]:
            self.at += 1
            return Call("not", (self.expression(BINDING["not"]),))
        if word.kind == "name" and word.text not in ("and", "or", "not"):
            self.at += 1
            return self.call(word) if self.takes("(") else self.named(word)
        if self.takes("-"):
            inner = self.expression(BINDING["negate"])
            return Number(-inner.value) if isinstance(inner, Number) else Call("negate", (inner,))
        if self.takes("+"):
            return self.expression(BINDING["negate"])
        if self.takes("("):
            inner = self.expression(0)
            if not self.takes(")"):
                self.expect("an operator or ')'")
            return inner
        self.expect("a number, a name, a function or '('")

    def number(self, word: Word) -> Node:
        value = float(word.text)
        if not math.isfinite(value):
            self.fail(f"found {word.text}, expected a number below 1.8e308", word.column)
        if self.word.kind == "name" and self.word.text not in ("and", "or"):
            self.expect("an operator; multiplication needs its '*', units are left out (all are SI)")
        return Number(value)

    def named(self, word: Word) -> Node:
        if word.text in CONSTANTS:
            return Number(CONSTANTS[word.text])
        if word.text in FUNCTIONS:
            self.fail(f"{word.text} is a function, expected {signature(word.text)}", word.column)
        return Name(word.text)

    def call(self, word: Word) -> Node:
        """Parse the arguments of a function, its '(' being read."""
        function = FUNCTIONS.get(word.text)
        if function is None:
            self.fail(f"unknown function '{word.text}'{did_you_mean(word.text, FUNCTIONS)}", word.column)
        table = self.table(word) if word.text in TABLE_ORDER else ""
        arguments = [] if self.takes(")") else self.arguments()
        found, wanted = len(arguments) + bool(table), len(function.parameters)
        if found != wanted and not (function.variadic and found > wanted):
            self.fail(f"found {found} argument{'s' * (found != 1)}, expected {signature(word.text)}", word.column)
        if not function.variadic:
            return Call(word.text, tuple(arguments), table)
        left = arguments[0]
        for right in arguments[1:]:
            left = Call(word.text, (left, right))
        return left

    def table(self, function: Word) -> str:
        name = self.word
        if name.kind != "name":
            self.expect(f"the name of a table as in {signature(function.text)}")
        self.at += 1
        if not self.takes(","):
            self.expect(f"',' as in {signature(function.text)}")
        return name.text

    def arguments(self) -> list[Node]:
        arguments = [self.expression(0)]
        while self.takes(","):
            arguments.append(self.expression(0))
        if not self.takes(")"):
            self.expect("an operator, ',' or ')'")
        return arguments


def signature(name: str) -> str:
    """Return e.g. "clamp(x, low, high)"."""
    function = FUNCTIONS[name]
    return f"{name}({', '.join(function.parameters)}{', …' if function.variadic else ''})"
