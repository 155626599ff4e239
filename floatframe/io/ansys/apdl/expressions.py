"""Arithmetic of APDL: numbers, parameters, elements of arrays, functions; ** before * and / before + and -."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from floatframe.errors import ReadError

_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[EeDd][+-]?\d+)?|\.\d+(?:[EeDd][+-]?\d+)?)|([A-Za-z_][\w]*)|(\*\*|[-+*/()<>,]))"
)
_DEEPEST = 40  # brackets inside brackets
_PLAIN: dict[str, Callable[..., float]] = {
    "SQRT": math.sqrt,
    "ABS": abs,
    "EXP": math.exp,
    "LOG": math.log,
    "LOG10": math.log10,
    "SINH": math.sinh,
    "COSH": math.cosh,
    "TANH": math.tanh,
    "NINT": lambda x: math.floor(x + 0.5),
    "INT": math.trunc,
    "MOD": math.fmod,
    "SIGN": lambda a, b: math.copysign(a, b),
    "CXABS": math.hypot,
}
_OF_ANGLES: dict[str, Callable[[float], float]] = {"SIN": math.sin, "COS": math.cos, "TAN": math.tan}
_ANGLES: dict[str, Callable[..., float]] = {
    "ASIN": math.asin,
    "ACOS": math.acos,
    "ATAN": math.atan,
    "ATAN2": math.atan2,
}


class Scope(Protocol):
    """Where an expression stands: its parameters, and what functions of the model answer."""

    degrees: bool  # *AFUN,DEG

    @property
    def parameters(self) -> Mapping[str, float | str]: ...

    def element(self, name: str, index: tuple[float, ...]) -> float | None: ...

    def inquiry(self, name: str, values: tuple[float, ...]) -> float | None: ...

    def error(self, sentence: str, line: int | None = None) -> ReadError: ...


class Expression:
    """One expression; `unknown` is what a parameter without a value counts, None refuses it."""

    def __init__(self, scope: Scope, source: str, unknown: float | None) -> None:
        self.scope, self.source, self.unknown = scope, source, unknown
        self.tokens: list[str] = []
        self.depth = 0
        place = 0
        while place < len(source.rstrip()):
            match = _TOKEN.match(source, place)
            if match is None:
                raise scope.error(f"'{source}' is neither a number nor an expression of numbers and parameters.")
            self.tokens.append(match.group().strip())
            place = match.end()
        self.tokens.reverse()

    def value(self) -> float:
        try:
            result = self._comparison()
        except (ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
            raise self.scope.error(f"the expression '{self.source}' has no value: {error}.") from None
        if self.tokens or isinstance(result, complex):
            raise self._broken()
        return result

    def _broken(self) -> ReadError:
        return self.scope.error(f"the expression '{self.source}' cannot be understood.")

    def _next(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def _comparison(self) -> float:
        """A < B is the smaller, A > B the greater of two values."""
        total = self._sum()
        while self._next() in ("<", ">"):
            total = min(total, self._sum()) if self.tokens.pop() == "<" else max(total, self._sum())
        return total

    def _sum(self) -> float:
        total = self._product()
        while self._next() in ("+", "-"):
            total += self._product() if self.tokens.pop() == "+" else -self._product()
        return total

    def _product(self) -> float:
        total = self._power()
        while self._next() in ("*", "/"):
            total = total * self._power() if self.tokens.pop() == "*" else total / self._power()
        return total

    def _power(self) -> float:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._broken()
        sign = 1.0
        while self._next() in ("+", "-"):
            sign = -sign if self.tokens.pop() == "-" else sign
        base = self._atom()
        if self._next() == "**":
            self.tokens.pop()
            base = base ** self._power()
        self.depth -= 1
        return sign * base

    def _atom(self) -> float:
        token = self.tokens.pop() if self.tokens else ""
        if token == "(":
            inner = self._comparison()
            if not self.tokens or self.tokens.pop() != ")":
                raise self._broken()
            return inner
        if token[:1].isdigit() or token[:1] == ".":
            return float(token.upper().replace("D", "E"))
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise self._broken()
        name = token.upper()
        found = self._called(name) if self._next() == "(" else self.scope.parameters.get(name)
        if isinstance(found, float | int):
            return found
        if self.unknown is not None:
            return self.unknown
        raise self.scope.error(
            f"the value of '{token}' is not known here; write the model with CDWRITE, which has plain numbers."
        )

    def _called(self, name: str) -> float | None:
        """Return NAME(…): an element of an array, a function, or what the model answers."""
        self.tokens.pop()
        values = [self._comparison()]
        while self._next() == ",":
            self.tokens.pop()
            values.append(self._comparison())
        if not self.tokens or self.tokens.pop() != ")":
            raise self._broken()
        index = tuple(values)
        found = self.scope.element(name, index)
        if found is not None:
            return found
        turn = math.pi / 180.0 if self.scope.degrees else 1.0
        if name in _OF_ANGLES:
            return _OF_ANGLES[name](turn * values[0])
        if name in _ANGLES:
            return _ANGLES[name](*values) / turn
        if name in _PLAIN:
            return float(_PLAIN[name](*values))
        return self.scope.inquiry(name, index)
