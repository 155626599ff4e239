"""All kinds of elements by name, and by the codes of the text form."""

from __future__ import annotations

from collections.abc import Sequence

from floatframe.errors import ModelError
from floatframe.network.laws import control, electrics, heat, hydraulics, mechanics, orientation
from floatframe.network.laws.kind import Input, Internal, Kind, Law, Parameter, Terminal

LIBRARY: dict[str, Kind] = {
    kind.name: kind
    for module in (mechanics, electrics, heat, hydraulics, control, orientation)
    for kind in module.KINDS
}
CODES: dict[str, Kind] = {kind.code: kind for kind in LIBRARY.values() if kind.code}


def user_kind(
    name: str,
    terminals: Sequence[Terminal],
    parameters: Sequence[str],
    law: Law,
    *,
    inputs: Sequence[str] = (),
    internals: Sequence[str] = (),
    linear: bool = False,
    timed: bool = True,
) -> Kind:
    """Return a kind of a user's own: a law(at, out) of NumPy arrays, plain or compiled by `numba.njit`.

    Parameters
    ----------
    name
        That elements name it by.
    terminals
        Where it joins nodes: Terminal("a", TRANSLATION), …
    parameters, inputs, internals
        Names of its numbers, of what may be an expression, of unknowns of its own.
    law
        Adds flows and Jacobians of n elements to `out`, see `At` and `Out`; `check_law` compares the two.
    linear, timed
        Whether the Jacobians are constant and the flows affine; whether the flows depend on t.
    """
    if name in LIBRARY:
        raise ModelError(f"kind '{name}' exists in the library; choose another name for the kind of your own")
    if wrong := [one for one in terminals if not isinstance(one, Terminal)]:
        found = f"kind '{name}': found {wrong[0]!r} among its terminals"
        raise ModelError(f'{found}, expected Terminal("a", TRANSLATION), …')
    if not callable(law):
        raise ModelError(f"kind '{name}': law is {law!r}, expected a function law(at, out)")
    return Kind(
        name,
        "a user's element",
        tuple(terminals),
        tuple(Parameter(one, "", "") for one in parameters),
        law,
        tuple(Input(one, "", "") for one in inputs),
        tuple(Internal(one, "") for one in internals),
        linear=linear,
        timed=timed,
    )
