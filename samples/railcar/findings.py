"""The conclusions of Mikheev beside ours: what he found, what we found, whether they agree."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.samples.printing import Finding
from floatframe.samples.railcar.cases import FEWEST, MIDDLE, MOST
from floatframe.samples.railcar.runs import POINTS, TREND
from floatframe.samples.railcar.study import MATTERS, Study

#: root mean square of the frame force in the rough curve [N], as published, by forms
FRAME_FORCE = {FEWEST: 4483.0, MIDDLE: 4922.0, MOST: 5004.0}
#: difference of the accelerations with 24 and 70 forms at 100 km/h, as published: share and m/s2, by point
MORE_FORMS = {"front": (0.07, 0.122), "rear": (0.035, 0.052), "middle": (0.228, 0.355)}
LITTLE, NEARLY_EQUAL = 0.1, 0.02  # of the mean frame force, in the smooth curve
ORDER_OF_TEN = (0.05, 0.2)  # what counts as of the order of 10 %


def mean_and_spread(share: Array) -> str:
    """Write mean and standard deviation of shares in per cent, and how many there are."""
    spread = f" ± {100 * np.std(share, ddof=1):.1f}" if share.size > 1 else ""
    return f"{100 * np.mean(share):+.1f}{spread} % ({share.size} seed{'s' if share.size > 1 else ''})"


def findings(study: Study) -> list[Finding]:
    """Return the conclusions in the order of Mikheev."""
    return [*_smooth_curve(study), *_rough_curve(study), *_accelerations(study), _parts(study)]


def _smooth_curve(study: Study) -> list[Finding]:
    differences = {
        (forms, over): {name: study.smooth_difference(forms, over, which) for which, name in study.vehicles.items()}
        for forms, over in ((MOST, FEWEST), (MOST, MIDDLE))
    }
    sentences = {
        (MOST, FEWEST): ("in the smooth curve elastic modes hardly change the frame force", LITTLE),
        (MOST, MIDDLE): ("there 24 and 70 forms nearly agree", NEARLY_EQUAL),
    }
    return [
        Finding(
            sentence,
            "no figures; read off figure 3.13",
            f"largest difference between {over} and {forms} forms over the mean force: "
            + _each({name: f"{100 * share:.2g} %" for name, share in differences[forms, over].items()}),
            max(differences[forms, over].values()) < limit,
        )
        for (forms, over), (sentence, limit) in sentences.items()
    ]


def _rough_curve(study: Study) -> list[Finding]:
    """Return what 24 forms add to the frame force of the rigid body, and 70 to that of 24 on the same seeds."""
    raised = {name: study.raised(MIDDLE, which) for which, name in study.vehicles.items()}
    more = {name: study.raised(MOST, which, over=MIDDLE) for which, name in study.vehicles.items()}
    low, high = ORDER_OF_TEN
    return [
        Finding(
            f"in the rough curve modes raise the frame force (RMS above {TREND:g} Hz) by the order of 10 %",
            f"{100 * (FRAME_FORCE[MIDDLE] / FRAME_FORCE[FEWEST] - 1):+.1f} % with {MIDDLE} forms",
            _each({name: mean_and_spread(share) for name, share in raised.items()}),
            all(low < share.mean() < high for share in raised.values()),
        ),
        Finding(
            "there too, forms of higher frequency add little",
            f"{100 * (FRAME_FORCE[MOST] / FRAME_FORCE[MIDDLE] - 1):+.1f} % with {MOST} instead of {MIDDLE} forms",
            _each({name: mean_and_spread(share) for name, share in more.items()}),
            all(np.abs(share).max() < low for share in more.values()),
        ),
    ]


def _accelerations(study: Study) -> list[Finding]:
    """Return what elastic modes change in the accelerations, and 70 forms beside 24."""
    which = study.best
    top = study.speeds[-1]
    most = {point: study.excess(MOST, FEWEST, point, which) for point in POINTS}
    more = {point: float(study.excess(MOST, MIDDLE, point, which)[-1]) for point in POINTS}
    cabs = [point for point in POINTS if point != "middle"]
    elsewhere = np.array([most[cab] for cab in cabs]).max(axis=0) > most["middle"]
    but = " and ".join(f"{speed:g}" for speed, other in zip(study.speeds, elsewhere, strict=True) if other)
    return [
        Finding(
            "accelerations differ from the rigid body's by tens of per cent, most under mid-saloon",
            "up to 70 % under mid-saloon",
            f"{MOST} forms, {study.vehicles[which]}, over all speeds: "
            + _each({POINTS[p]: f"{100 * e.min():+.0f} to {100 * e.max():+.0f} %" for p, e in most.items()})
            + (f"; more under a cab at {but} km/h" if but else ""),
            bool(most["middle"].max() > 0.2 and all(most["middle"].max() > most[cab].max() for cab in cabs)),
        ),
        Finding(
            f"at {top:g} km/h 70 forms instead of 24 matter under mid-saloon, less under the cabs",
            _each({POINTS[p]: f"{100 * share:.1f} %" for p, (share, _) in MORE_FORMS.items()}),
            _each({POINTS[p]: f"{100 * share:+.1f} %" for p, share in more.items()}),
            more["middle"] > 0.15 and all(abs(more[cab]) < 0.1 for cab in cabs),
        ),
    ]


def _parts(study: Study) -> Finding:
    counts = {name: study.forms_that_matter(which) for which, name in study.vehicles.items()}
    return Finding(
        "at most half of the 70 forms matter for the acceleration under mid-saloon",
        "read off figure 3.18",
        f"parts above {100 * MATTERS:g} % of the whole: "
        + _each({name: f"{count} of {MOST}" for name, count in counts.items()}),
        max(counts.values()) <= MOST // 2,
    )


def _each(values: dict[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in values.items())
