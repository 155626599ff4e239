"""Names of stress channels: what they mean without a system at hand.

BODY.element[12].von_mises            the greatest of the element's corners and places [Pa]
BODY.element[12].stress, strain       mean of its corners: xx yy zz xy yz zx, body axes
BODY.element[12].node[5].stress       at one corner of it
BODY.element[12].node[5].Mz           section force there, element axes
BODY.node[5].von_mises, stress, strain    mean of the elements that meet there
BODY.node[5].top.stress               of shells: top or bottom; of beams: fibre[1], fibre[2] …
"""

from __future__ import annotations

import re

from floatframe.io import Channel

COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
BODY = r"(?P<body>(?:(?! - )[^\[\]()+*/<>=:])+)"  # whatever cannot be an expression
FORCES = {
    **dict.fromkeys(("N", "Vy", "Vz", "Fx", "Fy", "Fz"), "N"),
    **dict.fromkeys(("T", "Mz"), "N m"),
    **dict.fromkeys(("Nx", "Ny", "Nxy", "Qx", "Qy"), "N/m"),
    **dict.fromkeys(("Mx", "My", "Mxy"), "N m, N m/m"),  # of beams and springs; of shells per length
}
STRESS = re.compile(
    BODY
    + r"(?:\.element\[(?P<element>\d+)\])?(?:\.node\[(?P<node>[^\[\]]+)\])?"
    + r"(?:\.(?P<place>top|bottom|fibre\[\d+\]))?"
    + rf"\.(?P<what>von_mises|stress|strain|{'|'.join(FORCES)})"
)


def stress_channel(name: str) -> Channel | None:
    """The channel of a stress as its name alone shows, if it is one."""
    match = STRESS.fullmatch(name)
    if match is None or not (match["element"] or match["node"]):
        return None
    what = match["what"]
    if what in FORCES:
        return Channel(name, FORCES[what]) if match["element"] and match["node"] and not match["place"] else None
    if what == "von_mises":
        return Channel(name, "Pa")
    return Channel(name, "Pa" if what == "stress" else "", COMPONENTS)
