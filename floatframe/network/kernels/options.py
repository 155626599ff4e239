"""How kernels of networks are compiled: as one room of `floatframe.native` with the machine of expressions."""

from __future__ import annotations

from pathlib import Path

from floatframe.hybrid import run_inside
from floatframe.native import Record, Room, array, bundle
from floatframe.network.kernels import layout

_HERE = Path(__file__).parent
_ROOM = Room(_HERE, _HERE.parent / "laws", Path(run_inside.__code__.co_filename).parent)
#: a kernel that Python calls, a function that only kernels call
entry, inner = _ROOM.entry, _ROOM.part

FLOATS, MATRIX, WHOLES = array(float), array(float, 2), array(int)
TABLES = bundle(
    layout.Tables,
    entries=layout.ENTRY,
    stored=layout.ENTRY,
    offset=FLOATS,
    stored_offset=FLOATS,
    weight=WHOLES,
    elements=layout.ELEMENT,
    parameters=FLOATS,
    inputs=FLOATS,
    drives=layout.DRIVE,
    shares=layout.SHARE,
    slopes=layout.SLOPE,
    places=WHOLES,
    small=FLOATS,
    groups=WHOLES,
    by_speed=WHOLES,
    by_place=WHOLES,
    times=FLOATS,
    waves=WHOLES,
    events=WHOLES,
    code=WHOLES,
    constants=FLOATS,
    begin=WHOLES,
    table_begin=WHOLES,
    table_x=FLOATS,
    table_coefficients=MATRIX,
)
BEHIND = bundle(layout.Behind, y=MATRIX, alpha=FLOATS, before=MATRIX, older=FLOATS, largest=MATRIX, event_values=FLOATS)
WORK = bundle(
    layout.Work,
    y=MATRIX,
    x0=FLOATS,
    a0=FLOATS,
    predicted=FLOATS,
    residual=FLOATS,
    J=MATRIX,
    pivots=WHOLES,
    change=FLOATS,
    tolerance=FLOATS,
    sizes=FLOATS,
    slots=FLOATS,
    stack=FLOATS,
    inputs=FLOATS,
    wave_values=FLOATS,
    event_values=FLOATS,
)
BLOCK = bundle(layout.Block, kind=WHOLES, t=FLOATS, h=FLOATS, y=array(float, 3), counters=array(int, 2), work=FLOATS)
NUMBERS = Record(layout.NUMBERS)
