"""Control: signals and states of expressions, for motors and valves; what uses them names them."""

from __future__ import annotations

from floatframe.network.laws.kind import At, Input, Internal, Kind, Out, Parameter


def state(at: At, out: Out) -> None:
    """value' = rate: the internal unknown is the value."""
    out.F[0] += at.a[0] - at.s[0]
    out.M[0, 0] += 1.0
    out.S[0, 0] -= 1.0


def signal(at: At, out: Out) -> None:
    """value = expression: the internal unknown is the value."""
    out.F[0] += at.v[0] - at.s[0]
    out.D[0, 0] += 1.0
    out.S[0, 0] -= 1.0


KINDS = (
    Kind(
        "state",
        "a variable whose rate is given, such as the integral of a controller",
        (),
        (Parameter("start", "", "value at the start", 0.0),),
        state,
        (Input("rate", "1/s", "its rate"),),
        (Internal("value", "", 1e-6, "start"),),
        linear=True,
    ),
    Kind(
        "signal",
        "a variable whose value is given",
        (),
        (),
        signal,
        (Input("value", "", "its value"),),
        (Internal("value", "", 1e-6),),
        linear=True,
    ),
)
