"""*IF, *ELSEIF, *ELSE and *ENDIF of ANSYS input: which commands count."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from floatframe.errors import ReadError

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "LT": operator.lt,
    "GT": operator.gt,
    "LE": operator.le,
    "GE": operator.ge,
    "ABLT": lambda a, b: abs(a) < abs(b),
    "ABGT": lambda a, b: abs(a) > abs(b),
}
_JOIN: dict[str, Callable[[bool, bool], bool]] = {"AND": operator.and_, "OR": operator.or_, "XOR": operator.xor}
_NOW, _LATER, _NEVER = "this branch counts", "none has counted yet", "one has counted, or the whole block does not"


class Branches:
    """The open *IF blocks, outermost first.

    value(text): that of a number, parameter, expression or text; warn(sentence): a doubt that the user should see.
    """

    def __init__(self, value: Callable[[str], float | str], warn: Callable[[str], None]) -> None:
        self._value, self._warn = value, warn
        self._open: list[str] = []

    @property
    def active(self) -> bool:
        """Whether commands count here."""
        return all(state == _NOW for state in self._open)

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return len(self._open)

    def cut(self, depth: int) -> None:
        """Leave blocks, as jumps do, until this many are open."""
        del self._open[depth:]

    def take(self, name: str, fields: Sequence[str]) -> str | None:
        """Follow a command of branching (fields without its name).

        Return None if it was none, else what it requests: CYCLE, EXIT, STOP, a :LABEL, or nothing.
        """
        if name == "*IF":
            return self._begin(fields)
        if name in ("*ELSEIF", "*ELSE"):
            if self._open:
                holds = self._open[-1] == _LATER and (name == "*ELSE" or self._holds(fields))
                # after a branch that was taken all others are passed over
                self._open[-1] = _NOW if holds else _LATER if self._open[-1] == _LATER else _NEVER
        elif name == "*ENDIF":
            if self._open:
                self._open.pop()
        else:
            return None
        return ""

    def _begin(self, fields: Sequence[str]) -> str:
        words = [word.upper() for word in fields]
        if "THEN" in words:
            self._open.append(_NEVER if not self.active else _NOW if self._holds(fields) else _LATER)
            return ""
        action = next((word for word in words[3:] if word.startswith(":") or word in ("CYCLE", "EXIT", "STOP")), "")
        return action if action and self.active and self._holds(fields) else ""

    def _holds(self, fields: Sequence[str]) -> bool:
        """Whether VAL1,Oper1,VAL2 holds, or its union by AND, OR or XOR with VAL3,Oper2,VAL4."""
        holds = self._compares(fields[:3])
        join = fields[3].upper() if len(fields) > 3 else ""
        return _JOIN[join](holds, self._compares(fields[4:7])) if join in _JOIN else holds

    def _compares(self, fields: Sequence[str]) -> bool:
        try:
            return bool(_COMPARE[fields[1].upper()](self._value(fields[0]), self._value(fields[2])))
        except (ReadError, KeyError, IndexError, TypeError):
            self._warn(f"the condition {','.join(fields)} is not understood and counts as false.")
            return False
