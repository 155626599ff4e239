"""Histories made of channels: sums and other expressions of them, then filters.

formula = read_formula("front.left.force.y + front.right.force.y : lowpass(20)")
formula.names                     the channels and components it is made of
formula.channel(known)            its unit and components
formula.values(t, of)             (nt,) or (nt, n)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import ModelError
from floatframe.expressions import CATALOGUE, Call, Expression, Name, Node, Number, calculus, fold, parse
from floatframe.io import Channel
from floatframe.signals import Chain, read_chain

MAGNITUDE = "magnitude"  # stands for the length of a vector in place of a component
_SAME_UNIT = frozenset({"+", "-", "min", "max", "mod", "hypot", "deadband", "if"})
_KEEPS_UNIT = frozenset({"negate", "abs", "floor", "ceil"})


@dataclass(frozen=True)
class Formula:
    """An expression of channels, and what is done with its history."""

    text: str
    expression: Expression
    chain: Chain

    @property
    def names(self) -> tuple[str, ...]:
        """The channels and components it is made of; t is the time."""
        return tuple(sorted(self.expression.names - {"t"}))

    def channel(self, known: Callable[[str], Channel]) -> Channel:
        """Return name, unit and components of the history; known gives the channel of a name."""
        found = {name: _channel(name, known) for name in self.names}
        vectors = {channel.components for channel in found.values() if channel.components}
        if len(vectors) > 1:
            shapes = ", ".join(f"{name} ({channel.width})" for name, channel in found.items() if channel.components)
            raise ModelError(f"'{self.text}' mixes vectors of different components: {shapes}; take one component")
        units = {name: channel.unit for name, channel in found.items()} | {"t": "s"}
        unit = fold(calculus.expanded(self.expression.root), lambda node, of: self._unit(node, of, units))
        name = self.text.strip()
        simple = isinstance(self.expression.root, Name) and not self.chain.filters
        components = vectors.pop() if vectors else ()
        return Channel(name if simple or not components else f"({name})", unit or "", components)

    def _unit(self, node: Node, of: list[str | None], units: dict[str, str]) -> str | None:
        """Return the unit of a part of the expression; None: a plain number, which goes with every unit."""
        if isinstance(node, Number):
            return None
        if isinstance(node, Name):
            return units[node.name]
        known = [unit for unit in of[-2:] if unit is not None]
        if node.function in _SAME_UNIT:
            if len(set(known)) > 1:
                raise ModelError(
                    f"'{self.text}' puts {' and '.join(unit or 'a plain number' for unit in known)} together, which do "
                    "not go together; check the channels, or divide each by its unit"
                )
            return known[0] if known else None
        if node.function in _KEEPS_UNIT or (node.function == "*" and len(known) == 1):
            return known[0] if known else None
        if node.function == "/" and of[1] is None:
            return of[0]
        return None if not known else ""

    def values(self, t: Array, of: Callable[[str], Array], inside: BoolArray | slice = slice(None)) -> Array:
        """Return the history (nt,) or (nt, n) at times t (nt,); of gives the values of a channel or component.

        inside: the records that are looked at, as `Chain.filtered` takes them.
        """

        def value(node: Node, arguments: list[Array]) -> Array:
            if isinstance(node, Number):
                return np.full((len(t), 1), node.value)
            if isinstance(node, Name):
                return (t if node.name == "t" else _values(node.name, of)).reshape(len(t), -1)
            return np.asarray(_applied(node, arguments), dtype=float)

        with np.errstate(all="ignore"):
            found = fold(calculus.expanded(self.expression.root), value)
        if not np.isfinite(found).all():
            at = t[np.argmax(~np.isfinite(found).all(axis=1))]
            raise ModelError(f"'{self.text}' has no finite value at t = {at:g} s")
        scalar = found.shape[1] == 1
        return self.chain.filtered(t, found[:, 0] if scalar else found, inside)


def read_formula(text: str, is_name: Callable[[str], bool] = lambda name: False) -> Formula:
    """Return the history a text asks for: an expression of channels, then filters behind colons, then numbers.

    What is_name says to be a channel or component is one, whatever signs it holds.
    """
    head, colon, rest = text.partition(":")
    head = head.strip()
    try:
        made = Expression(Name(head)) if is_name(head) else parse(head, where=f"'{text}'")
        return Formula(text, made, read_chain(rest) if colon else Chain())
    except ModelError as error:
        raise ModelError(f"'{text}': {error}" if text not in str(error) else str(error)) from None


def split_numbers(text: str) -> tuple[str, Chain]:
    """Return the history that a text asks for, and the numbers wanted of it: "A.force.x:rms" is "A.force.x" and rms."""
    history, colon, last = text.rpartition(":")
    if colon and not (chain := read_chain(last)).filters:
        return history, chain
    return text, Chain()


def _channel(name: str, known: Callable[[str], Channel]) -> Channel:
    whole, _, part = name.rpartition(".")
    if part != MAGNITUDE:
        return known(name)
    return Channel(name, known(whole).unit)


def _values(name: str, of: Callable[[str], Array]) -> Array:
    whole, _, part = name.rpartition(".")
    return np.asarray(np.linalg.norm(of(whole), axis=1)) if part == MAGNITUDE else of(name)


def _applied(node: Call, arguments: list[Array]) -> Array:
    function = CATALOGUE[node.function].value
    if function is None:
        raise ModelError(f"'{node.function}' looks into a table of a model, which channels do not have")
    return np.where(*arguments) if node.function == "if" else np.asarray(function(*arguments))
