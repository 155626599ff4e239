"""The part of an element's law that has a potential: the terms of its own coordinate alone, at rate zero.

    -k*angle - c*rate + torque*sin(t)     ->  -k*angle
    (k*elongation + c*rate)*2             ->  k*elongation*2

A term of the rate, of time or of other coordinates takes or gives energy; so does a constant, as of a motor.
"""

from __future__ import annotations

from floatframe.errors import ModelError
from floatframe.expressions import Call, Expression, Node, Number

OWN = frozenset(("angle", "displacement", "elongation", "length", "penetration"))
_TRIED = (1.0, -0.37, 1e-3)  # values of the coordinate at which a law must be a number when nothing moves


def static_part(law: Expression) -> Expression | None:
    """The terms of a law that have a potential, None if there are none, the law itself if they are all."""
    if not law.names & OWN:
        return None
    kept: list[Node] = []
    terms = _terms(law.root)
    for sign, term in terms:
        names = Expression(term).names
        if not names & OWN or not names <= OWN | {"rate"}:
            continue
        still = Expression(term).substitute({"rate": 0.0}).simplified()
        if still.names & OWN and _is_number(still):
            kept.append(still.root if sign > 0 else Call("negate", (still.root,)))
    if not kept:
        return None
    if len(kept) == len(terms) and law.names <= OWN:
        return law
    total = kept[0]
    for term in kept[1:]:
        total = Call("+", (total, term))
    return Expression(total, law.where)


def _terms(root: Node) -> list[tuple[int, Node]]:
    """The terms of a sum with their signs."""
    waiting, found = [(1, root)], []
    while waiting:
        sign, node = waiting.pop()
        match node:
            case Call("+", (x, y)):
                waiting += [(sign, y), (sign, x)]
            case Call("-", (x, y)):
                waiting += [(-sign, y), (sign, x)]
            case Call("negate", (x,)):
                waiting.append((-sign, x))
            case Number(0.0):
                pass
            case _:
                found.append((sign, node))
    return found


def _is_number(law: Expression) -> bool:
    """Whether a law at rest is a number anywhere; tables always are."""
    if law.tables:
        return True
    for value in _TRIED:
        try:
            law.evaluate(dict.fromkeys(law.names, value))
        except ModelError:
            continue
        return True
    return False
