"""The tables of the study: records by caption, for the report and for the terminal."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.samples.printing import Records, conclusions, printed_tables
from floatframe.samples.railcar.cases import CANT, CURVE_SPEED, FEWEST, FORMS, MIDDLE, MOST, VARIANTS
from floatframe.samples.railcar.findings import FRAME_FORCE, findings
from floatframe.samples.railcar.runs import POINTS, TREND
from floatframe.samples.railcar.study import Study

TRENDS = (0.5, 1.0, 1.5, 2.0, 3.0)  # Hz: what may count as a trend of the frame force


def frequencies(study: Study) -> Records:
    """Return the frequencies of the body on its springs (table 3.3 of Mikheev)."""
    return [
        {"form": name, "ours [Hz]": round(ours, 3), "published [Hz]": given}
        | {"difference [%]": round(100 * (ours / given - 1), 1)}
        for name, (ours, given) in study.frequencies.items()
    ]


def accelerations(study: Study, curved: bool) -> Records:
    """Return the root mean squares of the vertical accelerations on rough track."""
    return [
        {"point": where, "vehicle": name, "forms": forms} | _by_speed(study, study.rms(forms, point, which, curved), 3)
        for point, where in POINTS.items()
        for which, name in study.vehicles.items()
        for forms in FORMS
    ]


def excesses(study: Study) -> Records:
    """Return how the accelerations on straight track differ from those of the rigid body [%]."""
    return [
        {"point": where, "vehicle": name, "forms": forms}
        | _by_speed(study, 100 * study.excess(forms, FEWEST, point, which), 1)
        for point, where in POINTS.items()
        for which, name in study.vehicles.items()
        for forms in (MIDDLE, MOST)
    ]


def curve_forces(study: Study, smooth: bool) -> Records:
    """Return the frame force of the front wheelset in the curve [kN]: its mean if smooth, else its root mean square."""
    rows = []
    for which, name in study.vehicles.items():
        for forms in FORMS:
            runs = [study.run(forms, speed, which, curved=True, smooth=smooth) for speed in study.speeds]
            values = [run.mean_force() if smooth else run.force_rms() for run in runs]
            rows.append({"vehicle": name, "forms": forms} | _by_speed(study, np.array(values) / 1e3, 3))
    return rows


def seeds(study: Study) -> Records:
    """Return the root mean square of the frame force in the rough curve at 80 km/h for all seeds."""
    rows = []
    for which, name in study.vehicles.items():
        for forms in FORMS:
            force, raised = study.force_rms(forms, which), 100 * study.raised(forms, which)
            row = {"vehicle": name, "forms": forms, "seeds": force.size, "RMS [N]": round(float(force.mean()))}
            row |= _statistics(raised) if forms != FEWEST else {}
            published = FRAME_FORCE[forms]
            row |= {"published RMS [N]": round(published)}
            row |= {"published change [%]": round(100 * (published / FRAME_FORCE[FEWEST] - 1), 1)}
            rows.append(row)
    return rows


def trends(study: Study) -> Records:
    """Return how 24 forms change the frame force whatever is taken as its trend."""
    return [
        {"vehicle": name, "trend below [Hz]": trend}
        | {"RMS with 6 forms [N]": round(float(study.force_rms(FEWEST, which, trend=trend).mean()))}
        | _statistics(100 * study.raised(MIDDLE, which, trend=trend))
        for which, name in study.vehicles.items()
        for trend in TRENDS
        if study.raised(MIDDLE, which).size > 1
    ]


def variants(study: Study) -> Records:
    """Return how 24 forms change the frame force under other conditions, on guided wheelsets."""
    return [
        {"conditions": name, "RMS with 6 forms [N]": round(float(study.force_rms(FEWEST, False, change).mean()))}
        | _statistics(100 * study.raised(MIDDLE, False, change))
        for name, change in VARIANTS.items()
        if study.raised(MIDDLE, False, change).size > 1
    ]


def cant(study: Study) -> Records:
    """Return the mean frame forces of both wheelsets in the smooth curve without and with cant."""
    canted = study.canted()
    if canted is None:
        return []
    flat = study.run(MIDDLE, CURVE_SPEED, rolling=True, curved=True, smooth=True)
    return [
        {"cant [mm]": round(1e3 * height), "front [kN]": round(run.mean_force("front") / 1e3, 2)}
        | {"rear [kN]": round(run.mean_force("rear") / 1e3, 2)}
        for height, run in ((0.0, flat), (CANT, canted))
    ]


def all_tables(study: Study) -> dict[str, Records]:
    """Return all tables by caption."""
    speed, forms = f"{CURVE_SPEED:g} km/h", f"{MIDDLE} forms"
    return {
        "conclusions of Mikheev and ours": conclusions(findings(study)),
        "frequencies of the body on its springs, wheelsets at rest (table 3.3)": frequencies(study),
        "straight rough track: vertical acceleration, RMS [m/s²] (figure 3.16)": accelerations(study, curved=False),
        "straight rough track: difference of that RMS from the rigid body's [%]": excesses(study),
        "R = 300 m, rough: vertical acceleration, RMS [m/s²]": accelerations(study, curved=True),
        "R = 300 m, smooth: mean frame force of the front wheelset [kN]": curve_forces(study, smooth=True),
        f"R = 300 m, rough: frame force above {TREND:g} Hz, RMS [kN], one seed": curve_forces(study, smooth=False),
        f"R = 300 m, rough, {speed}: frame force above {TREND:g} Hz over all seeds": seeds(study),
        f"the same with {forms} and other limits of the trend": trends(study),
        f"the same with {forms} on guided wheelsets under other conditions": variants(study),
        f"R = 300 m, smooth, {speed}, {forms}, rolling wheels: mean frame force and cant": cant(study),
    }


def printed(study: Study) -> str:
    """Return all tables as text."""
    return printed_tables(all_tables(study))


def _by_speed(study: Study, values: Array, digits: int) -> dict[str, float]:
    return {f"{speed:g} km/h": round(float(x), digits) for speed, x in zip(study.speeds, values, strict=True)}


def _statistics(percent: Array) -> dict[str, float]:
    """Return mean, standard deviation, least and most of changes [%]."""
    found = {"change, mean [%]": np.mean(percent)}
    if percent.size > 1:
        found |= {"spread [%]": np.std(percent, ddof=1), "least [%]": percent.min(), "most [%]": percent.max()}
    return {name: round(float(value), 1) for name, value in found.items()}
