"""What a running wheel is given and what it answers, as one record that lies among other numbers in memory."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from floatframe.native import Record, array, bundle
from floatframe.railway.contact import CONTACT, MOST_PATCHES, MOTION, PATCH, WORK
from floatframe.railway.track import FRAME, STATION

#: the folder that a room of kernels has to name which reads or writes visits
RUNNING_FOLDER = Path(__file__).parent


class Report(NamedTuple):
    """A channel of a running wheel."""

    name: str
    unit: str
    width: int  # 1, or one value for every patch from the inside outward, zero where there is none


_EACH = MOST_PATCHES
#: what is reported of a wheel; forces act on the rail, y outward from the middle of the track, z down
REPORTS = (
    Report("distance", "m", 1),  # along the track
    Report("Y", "N", 1),  # outward, in the plane of the track
    Report("Q", "N", 1),  # across that plane, down
    Report("Y_Q", "", 1),  # Y / Q, 0 where Q is not positive
    Report("wear", "N", 1),  # wear number: energy lost per metre rolled, creep forces and moment by creepages and spin
    Report("lateral", "m", 1),  # of the centre of the rolling circle from the middle of the track, to the left
    Report("normal", "N", _EACH),
    Report("on_rail", "m", _EACH),  # place on the rail's profile, outward
    Report("on_wheel", "m", _EACH),  # outward from the rolling circle
    Report("contact_angle", "rad", _EACH),  # negative toward the flange
    Report("creep_along", "", _EACH),
    Report("creep_across", "", _EACH),
    Report("spin", "1/m", _EACH),
)
#: how many of them are numbers of the whole wheel, which come first, and how many lists of its patches
OF_WHEEL = sum(one.width == 1 for one in REPORTS)
OF_PATCHES = len(REPORTS) - OF_WHEEL

#: what a wheel and its track are like
SETUP = np.dtype(
    [
        ("side", float),  # 1 left, -1 right
        ("gauge_point", float),  # y of the rail's inner side on its profile [m]
        ("top", float),  # z of the rail's top on its profile [m]
        ("rail_distance", float),  # to which the cant refers [m]
        ("first", float),  # where the track begins and ends [m]
        ("last", float),
        ("rail_start", float),  # of the table of irregularities [m]
        ("rail_step", float),
        ("damping", float),  # share that the normal force grows by per speed of penetration [s/m]
        ("across", float),  # flexibility of the rail's support, outward and down [m/N]
        ("down", float),
    ],
    align=True,
)

#: a wheel at a moment; all of it numbers of 8 bytes, so that it lies in a workspace of numbers
VISIT = np.dtype(
    [
        ("p", float, 3),  # centre of the rolling circle, world axes [m]
        ("R", float, (3, 3)),  # axes of the wheel, y along the axle to the left
        ("v", float, 3),  # [m/s]
        ("w", float, 3),  # [rad/s]
        ("force", float, 3),  # of the rail on the wheel at the centre of the rolling circle, world axes [N]
        ("torque", float, 3),  # [N m]
        ("distance", float),  # along the track [m]; before, that of some moment before
        ("lateral", float),  # of the centre from the middle of the track, to the left [m]
        ("penetration", float),  # of the deepest patch [m]
        ("rate", float),  # its rate [m/s]
        ("push", float),  # sum of the normal forces [N]
        ("stored", float),  # elastic energy of the contact and the rail [J]
        ("storing", float),  # its rate [W]
        ("margin", float),  # from the rail's middle to the nearer end of the wheel's profile [m]
        ("travel", float),  # speed that creepages refer to [m/s]
        ("trouble", float),  # 0, OFF_THE_RAIL, OFF_THE_TRACK or BELOW_THE_RAIL
        ("report", float, sum(one.width for one in REPORTS)),
        ("rails", float, 4),
        ("slopes", float, 4),
        ("frame", FRAME),
        ("motion", MOTION),
        ("patches", PATCH, MOST_PATCHES),
        ("work", float, WORK),
    ],
    align=True,
)
OFF_THE_RAIL, OFF_THE_TRACK, BELOW_THE_RAIL = 1.0, 2.0, 3.0


#: where things lie in a visit, counted in numbers
FIELDS = {name: place // 8 for name, (_dtype, place, *_title) in (VISIT.fields or {}).items()}
VISIT_SIZE = VISIT.itemsize // 8


class Setup(NamedTuple):
    """A wheel on a track, as the kernel reads it."""

    setup: np.ndarray  # SETUP
    contact: np.ndarray  # CONTACT
    wheel: np.ndarray  # tables of the profiles
    rail: np.ndarray
    stations: np.ndarray  # of the track
    irregularities: np.ndarray  # (n, 8)


SETUP_KIND = bundle(
    Setup,
    lasting=False,
    setup=Record(SETUP),
    contact=Record(CONTACT),
    wheel=array(float),
    rail=array(float),
    stations=STATION,
    irregularities=array(float, 2),
)
VISIT_KIND = Record(VISIT)
