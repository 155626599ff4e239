"""The tracks of the study: straight, or a curve to the left behind a straight and a transition."""

from __future__ import annotations

from floatframe.railway.track import Curve, Irregularity, Straight, Track, Transition
from floatframe.samples.railcar.cases import Case
from floatframe.samples.railcar.model import AXLE

WAVELENGTHS = (1.0, 60.0)  # m; 1 m at 100 km/h is 28 Hz, above the 70th form
RADIUS, STRAIGHT, EASEMENT = 300.0, 40.0, 60.0  # m: curve, straight and transition before it
SETTLE = 5.0  # s, that pass before measuring begins, in the curve behind its transition
FADE = 20.0  # m, over which irregularities grow


def begin(case: Case) -> float:
    """Return when measuring begins [s]."""
    return SETTLE + ((STRAIGHT + EASEMENT) / case.metres_per_second if case.curved else 0.0)


def track(case: Case) -> Track:
    """Return the track of a run, as long as it needs."""
    rest = case.metres_per_second * (SETTLE + case.seconds) + 4 * AXLE
    sections: tuple[Straight | Transition | Curve, ...] = (Straight(rest),)
    if case.curved:
        sections = (Straight(STRAIGHT), Transition(EASEMENT, "bloss"), Curve(rest, RADIUS, cant=case.cant))
    rough = [
        Irregularity.of_class(quality, (quantity,), WAVELENGTHS, case.seed, fade=FADE)
        for quantity, quality in case.rough
    ]
    return Track(sections, irregularities=rough)
