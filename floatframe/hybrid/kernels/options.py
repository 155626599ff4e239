"""How kernels are compiled: as one room of `floatframe.native`, for arrays of the types below.

Every system has arrays of the same types, so that each kernel is compiled once.
"""

from __future__ import annotations

from pathlib import Path

from floatframe.hybrid.kernels import collocation, layout, order, stepping
from floatframe.hybrid.kernels.probes import PROBE
from floatframe.native import TRUTH, Record, Room, array, bundle
from floatframe.railway import KERNEL_FOLDER, RUNNING_FOLDER

_ROOM = Room(Path(__file__).parent, KERNEL_FOLDER, RUNNING_FOLDER)
#: a kernel that Python calls, a large one that several of them call, a function that only kernels call
entry, piece, inner = _ROOM.entry, _ROOM.piece, _ROOM.part
#: a function whose sums may be reordered
reordered = _ROOM.reordered
#: the same, where the turns of innermost loops have nothing to do with each other
apart = _ROOM.apart

FLOATS, MATRIX, WHOLES = array(float), array(float, 2), array(int)
TABLES = bundle(
    layout.Tables,
    links=layout.LINK,
    dofs=layout.DOF,
    flexible=layout.FLEXIBLE,
    markers=layout.MARKER,
    coordinates=layout.COORDINATE,
    rows=layout.ROW,
    spare=layout.ROW,
    terms=layout.TERM,
    forces=layout.FORCE,
    sensors=layout.SENSOR,
    states=layout.STATE,
    held=layout.HELD,
    gravity=FLOATS,
    pool=FLOATS,
    code=WHOLES,
    constants=FLOATS,
    begin=WHOLES,
    table_begin=WHOLES,
    table_x=FLOATS,
    table_coefficients=MATRIX,
)
DATA = bundle(
    layout.Data,
    links=layout.LINK_DATA,
    dofs=layout.DOF_DATA,
    markers=layout.MARKER_DATA,
    coordinates=layout.COORDINATE_DATA,
    rows=layout.ROW_DATA,
    spare=layout.ROW_DATA,
    forces=layout.FORCE_DATA,
    pool=FLOATS,
    slots=FLOATS,
    stack=FLOATS,
    memory=FLOATS,
)
WORK = bundle(
    stepping.Work,
    q=FLOATS,
    v=FLOATS,
    x=FLOATS,
    lam=FLOATS,
    residual=FLOATS,
    M=MATRIX,
    G=MATRIX,
    delta=FLOATS,
    correction=FLOATS,
    shifted=FLOATS,
    lam_step=FLOATS,
    places=MATRIX,
    sliding=stepping.SLIDING_STEP,
    rubs=MATRIX,
    answers=MATRIX,
    grips=MATRIX,
    coordinates=stepping.COORDINATE_STEP,
    dofs=stepping.DOF_STEP,
    multipliers=stepping.MULTIPLIER_STEP,
    states=stepping.STATE_STEP,
    held=stepping.HELD_STEP,
    history=MATRIX,
    points=MATRIX,
    contacts=stepping.CONTACT_STEP,
    sticking=stepping.STICKING_STEP,
    events=stepping.EVENT_STEP,
    traits=Record(stepping.TRAITS),
    A=MATRIX,
    rhs=FLOATS,
    rows=stepping.DENSE_ROW,
    tree_links=stepping.TREE_LINK,
    tree_dofs=stepping.TREE_DOF,
    fronts=order.FRONT,
    open=order.OPEN,
    steps=order.ROW_STEP,
    lists=WHOLES,
    numbers=FLOATS,
    bodies=order.JOINTED,
    kq=MATRIX,
    kv=MATRIX,
    kz=MATRIX,
    slopes=MATRIX,
    eliminated=MATRIX,
    power=FLOATS,
    gains=MATRIX,
    exchanged=FLOATS,
    invariants=stepping.INVARIANT_STEP,
    projection=MATRIX,
    switches=FLOATS,
)
# records are passed once and may be large
KEPT = bundle(
    stepping.Kept,
    lasting=False,
    t=FLOATS,
    q=MATRIX,
    v=MATRIX,
    x=MATRIX,
    lam=MATRIX,
    memory=MATRIX,
    counters=stepping.COUNTERS,
)
STEPPING, FORMULA, PROBES = Record(stepping.STEPPING), Record(stepping.FORMULA), array(PROBE)
#: the arguments of most kernels: a system, its workspace, an integration
SYSTEM = TABLES, DATA, WORK, STEPPING
#: those of kernels that take steps
STEPS = *SYSTEM, FORMULA, FLOATS, TRUTH, KEPT
_ROWS = array(stepping.DENSE_ROW)
COLLOCATION = bundle(
    collocation.Collocation,
    x=MATRIX,
    lam=MATRIX,
    v=MATRIX,
    d=MATRIX,
    rate=MATRIX,
    dx=MATRIX,
    dlam=MATRIX,
    place=FLOATS,
    power=FLOATS,
    rho=MATRIX,
    drho=MATRIX,
    x_last=MATRIX,
    lam_last=MATRIX,
    rho_last=MATRIX,
    mass=MATRIX,
    rows=MATRIX,
    stiffness=MATRIX,
    damping=MATRIX,
    real=MATRIX,
    real_rows=_ROWS,
    complex=MATRIX,
    imaginary=MATRIX,
    complex_rows=_ROWS,
    rhs=FLOATS,
    complex_rhs=FLOATS,
    imaginary_rhs=FLOATS,
    rounding=FLOATS,
)
