"""The tables of the study: records by caption, for the report and for the terminal."""

from __future__ import annotations

import numpy as np

from floatframe.samples.ballast_cleaner.findings import MIDDLE, TABLE, findings
from floatframe.samples.ballast_cleaner.measures import POINTS, REGIMES, UNIT
from floatframe.samples.ballast_cleaner.study import PHASES, Study
from floatframe.samples.printing import Records, conclusions, printed_tables


def parts(study: Study) -> Records:
    """Return table 3.5 of Mikheev beside ours; factors are ours over published."""
    rows = []
    for phase, published in TABLE.items():
        closer = study.closer[phase]
        for name, (amplitude, rms) in published.items():
            k = closer.modes[name]
            ours, our_rms = (1e3 * float(found[k]) for found in (closer.parts.numbers.peak, closer.parts.numbers.rms))
            rows.append(
                {
                    "φ [°]": round(phase),
                    "mode": name,
                    "frequency [Hz]": round(float(closer.parts.frequency[k]), 2),
                    "amplitude [mm]": round(ours, 2),
                    "published": amplitude,
                    "factor": round(ours / amplitude, 2),
                    "RMS [mm]": round(our_rms, 2),
                    "published RMS": rms,
                    "factor of RMS": round(our_rms / rms, 2),
                    "share [%]": round(100 * float(closer.parts.numbers.rms_share[k]), 1),
                }
            )
    return rows


def factors(study: Study) -> str:
    """Return how far apart table 3.5 and ours are, in a sentence."""
    rows = parts(study)
    amplitude, rms = ([float(row[name]) for row in rows] for name in ("factor", "factor of RMS"))
    return (
        f"Of the six parts in table 3.5 ours have {min(amplitude):.2f} to {max(amplitude):.2f} times the published "
        f"amplitude and {min(rms):.2f} to {max(rms):.2f} times the published root mean square."
    )


def all_parts(study: Study, phase: float, most: int = 8) -> Records:
    """Return the largest parts at one phase."""
    found = study.closer[phase].parts
    rows = sorted(found.rows(), key=lambda row: -float(row["rms"] or 0.0))[:most]
    return [
        {
            "mode": row["mode"],
            "frequency [Hz]": "" if row["frequency_hz"] is None else f"{row['frequency_hz']:.2f}",
            "amplitude [mm]": round(1e3 * float(row["amplitude"] or 0.0), 3),
            "RMS [mm]": round(1e3 * float(row["rms"] or 0.0), 3),
            "share [%]": round(100 * float(row["share"] or 0.0), 1),
        }
        for row in rows
    ]


def regimes(study: Study) -> Records:
    """Return the largest vertical vibration of every point over the grid, by regime."""
    return [
        {"regime": regime, "quantity": f"{quantity} [{unit}]"}
        | {f"point {point}": round(float(np.nanmax(study.grid(regime, point, quantity))), 2) for point in POINTS}
        for quantity, unit in UNIT.items()
        for regime in REGIMES
    ]


def speed(study: Study) -> Records:
    """Return how fast the sweep was, nothing of a study that did not measure it."""
    if not study.elapsed:
        return []
    cases = len(study.sweep.states)
    return [
        {
            "cases": cases,
            "workers": study.workers,
            "seconds": round(study.elapsed, 1),
            "cases per minute": round(60 * cases / study.elapsed),
        }
    ]


def all_tables(study: Study) -> dict[str, Records]:
    """Return all tables by caption."""
    close = {f"Parts of modes at point {MIDDLE}, φ = {phase:.0f}°": all_parts(study, phase) for phase in PHASES}
    found = {
        "Conclusions": conclusions(findings(study)),
        f"Table 3.5: three modes of the machine at point {MIDDLE} in run-down, α = 0°": parts(study),
        **close,
        "Largest vertical vibration over all φ and α": regimes(study),
        "The sweep": speed(study),
    }
    return {caption: records for caption, records in found.items() if records}


def printed(study: Study) -> str:
    """Return all tables as text."""
    return printed_tables(all_tables(study))
