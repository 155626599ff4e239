"""*IF, *ELSEIF, *ELSE and *ENDIF of ANSYS input: which commands count."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from floatframe.errors import ReadError

_COMPARE: dict[str, Callable[[float, float], bool]] = {
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

    number(text): the value of a number, parameter or expression; warn(sentence): tells the user of a doubt.
    """

    def __init__(self, number: Callable[[str], float], warn: Callable[[str], None]) -> None:
        self._number, self._warn = number, warn
        self._open: list[str] = []

    @property
    def active(self) -> bool:
        """Whether commands count here."""
        return all(state == _NOW for state in self._open)

    def take(self, name: str, fields: Sequence[str]) -> bool:
        """Follow a command of branching (fields without its name); return whether it was one."""
        if name == "*IF":
            self._begin(fields)
        elif name in ("*ELSEIF", "*ELSE"):
            if self._open:
                holds = self._open[-1] == _LATER and (name == "*ELSE" or self._holds(fields))
                # after a branch that was taken all others are passed over
                self._open[-1] = _NOW if holds else _LATER if self._open[-1] == _LATER else _NEVER
        elif name == "*ENDIF":
            if self._open:
                self._open.pop()
        else:
            return False
        return True

    def _begin(self, fields: Sequence[str]) -> None:
        if not any(word.upper() == "THEN" for word in fields):
            if self.active:
                self._warn(f"*IF,{','.join(fields)} may jump to another line; it is passed over.")
        elif not self.active:
            self._open.append(_NEVER)
        else:
            self._open.append(_NOW if self._holds(fields) else _LATER)

    def _holds(self, fields: Sequence[str]) -> bool:
        """Whether VAL1,Oper1,VAL2 holds, or its union by AND, OR or XOR with VAL3,Oper2,VAL4."""
        holds = self._compares(fields[:3])
        join = fields[3].upper() if len(fields) > 3 else ""
        return _JOIN[join](holds, self._compares(fields[4:7])) if join in _JOIN else holds

    def _compares(self, fields: Sequence[str]) -> bool:
        try:
            return bool(_COMPARE[fields[1].upper()](self._number(fields[0]), self._number(fields[2])))
        except (ReadError, KeyError, IndexError):
            self._warn(f"the condition {','.join(fields)} is not understood and counts as false.")
            return False
