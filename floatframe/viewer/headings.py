"""Words for people from data for machines: keys become headings with units, codes become words.

Descriptions (`io.describe`, those of model files, of quality and of imports) have the keys that `--json` prints and
docs/reference/json.md lists: snake_case with the unit at the end. What people read in a terminal or a report is made
from them here and nowhere else: `frequency_hz` is shown as "frequency [Hz]".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

UNITS = {
    "hz": "Hz",
    "kg": "kg",
    "m": "m",
    "s": "s",
    "n": "N",
    "n_m": "N m",
    "n_per_m": "N/m",
    "m_per_n": "m/N",
    "per_m": "1/m",
    "m_per_s": "m/s",
    "j": "J",
    "pa": "Pa",
    "rad": "rad",
    "deg": "°",
    "m2": "m2",
    "m4": "m4",
    "m_per_s2": "m/s2",
    "rad_per_s": "rad/s",
    "per_s": "1/s",
    "kg_m2": "kg m2",
    "kg_per_m3": "kg/m3",
    "bytes": "bytes",
}  # ends of keys, and the units
MEGA = 1e-6  # people read bytes in MB

# mappings whose keys are names of users or other programs, not ours
NAMED = frozenset(
    (
        *("parameters", "settings", "simulate", "values", "tables", "laws", "participants", "read", "states"),
        *("node_sets", "element_sets", "elements_by_kind", "couplings_by_kind"),
    )
)

_HEADINGS = {
    "acceleration_m_per_s2": "acceleration left [m/s2]",
    "ambiguous_reactions": "reactions not unique",
    "area_m2": "A [m2]",
    "bending_stiffness_n_m": "D [N m]",
    "body_centre_of_mass_m": "centre of mass of the body [m]",
    "body_mass_kg": "mass of the body [kg]",
    "buckling_loads": "buckling loads, upper bounds: more modes lower them",
    "constraint_count": "constraints nlambda",
    "content": "what",
    "coordinate_count": "coordinates nq",
    "corners": "at a corner of",
    "coupling_stiffness_n": "B [N]",
    "couplings_by_kind": "couplings",
    "density_kg_per_m3": "rho [kg/m3]",
    "dof_count": "dofs",
    "free_motions": "without stiffness",
    "geometric_load_count": "geometric terms",
    "held_modes": "flexible bodies as their joints hold them",
    "highest_frequency_hz": "up to [Hz]",
    "inertia_about_centre_of_mass_kg_m2": "inertia about it [kg m2]",
    "largest_inertia_difference": "largest difference of inertia",
    "mass_difference": "their largest difference from the generalised mass",
    "mass_entry_count": "entries of the mass",
    "membrane_stiffness_n_per_m": "A [N/m]",
    "model_centre_of_mass_m": "centre of mass of the model [m]",
    "model_mass_kg": "mass of the model [kg]",
    "poisson_ratio": "nu",
    "product_moment_m4": "Iyz [m4]",
    "residual_share": "unbalanced share of the forces",
    "second_moment_y_m4": "Iy [m4]",
    "second_moment_z_m4": "Iz [m4]",
    "shear_factor_y": "ky",
    "shear_factor_z": "kz",
    "shear_stiffness_n_per_m": "S [N/m]",
    "speed_count": "speeds nv",
    "stress_correction": "static correction of stresses",
    "stress_point_count": "points with stresses",
    "stiffness_entry_count": "entries of the stiffness",
    "time_s": "t [s]",
    "torsion_constant_m4": "J [m4]",
    "uncarried_loads": "what loads at single nodes miss of their static displacement",
    "mostly_missing_count": "more than half missing",
    "median_share": "missing, median",
    "worst_share": "missing there",
    "worst_missing": "missing displacement there",
    "loads": "forces that the shapes carry least",
    "unstable_motions": "falls away",
    "youngs_modulus_pa": "E [Pa]",
}  # where the key itself, with blanks and its unit, is not what one says

_WORDS: dict[str, dict[str, str]] = {
    "content": {"eigenmodes": "eigenmodes on nodes", "matrix_model": "matrices of a structure"},
    "inertia_constants": {"consistent_mass": "of the consistent mass", "nodal": "sums over nodes"},
    "kind": {"rigid_body_motion": "rigid-body motion"},
    "mass_matrix": {
        "points": "lumped, without rotary inertia",
        "torsion": "lumped, with rotary inertia about the axes of beams alone",
        "mixed": "of several kinds, block by block",
    },
    "role": {"cut": "cut: constraint"},
}
_CODES = frozenset(["content", "kind", "support", "status", "role", "inertia_constants", "mass_matrix"])


def heading(key: str) -> str:
    """Return what people read for a key: "frequency [Hz]" for `frequency_hz`, "nodes" for `node_count`."""
    if key in _HEADINGS:
        return _HEADINGS[key]
    unit = max((end for end in UNITS if key.endswith(f"_{end}")), key=len, default="")
    if unit:
        shown = "MB" if unit == "bytes" else UNITS[unit]
        return f"{spaced(key.removesuffix(f'_{unit}'))} [{shown}]"
    if key.endswith("_count"):
        return spaced(key.removesuffix("_count")) + "s"
    return spaced(key)


def word_of(key: str, code: str) -> str:
    """Return what people read for a value that is one of a few codes, such as a kind."""
    return _WORDS.get(key, {}).get(code) or (spaced(code) if key in _CODES else code)


def for_people(content: Any) -> Any:
    """Return a description, or rows of one, with headings for keys and words for codes; names of users stay."""
    if isinstance(content, Mapping):
        return {heading(key): _value(key, value) for key, value in content.items()}
    return [for_people(row) for row in content] if isinstance(content, list) else content


def says_nothing(value: Any) -> bool:
    """Whether a value is left out: none, or an empty text, list or mapping."""
    return value is None or (isinstance(value, str | dict | list) and not value)


def spaced(key: str) -> str:
    """Return a key with blanks between its words."""
    return key.replace("_", " ")


def _value(key: str, value: Any) -> Any:
    if key in _SAID and value is not None:
        return _SAID[key](value)
    if isinstance(value, str):
        return word_of(key, value)
    if key.endswith("_bytes") and value is not None:
        return MEGA * value
    return value if key in NAMED else for_people(value)


# values of several parts that are said in a few words


def _place(place: Mapping[str, Any]) -> str:
    node = "" if place["node"] is None else f"node {place['node']} {place['node_name'] or ''}"
    return f"{place['body']} {node}".rstrip()


def _layers(layers: list[Mapping[str, Any]]) -> list[str]:
    return [f"{layer['material']} {layer['thickness_m']:g} m at {layer['angle_deg']:g}°" for layer in layers]


def _tables(tables: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"{table['row_count']} rows, {table['kind']}" for name, table in tables.items()}


def _geometric(loads: int) -> str:
    return f"of {loads} interface loads, accelerations and rotation" if loads else "none: no stiffening under load"


def _buckling(rows: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [_critical(**row) for row in rows]


def _critical(nodes: list[int], component: str | None, held_node: int | None, **rest: Any) -> dict[str, Any]:
    if component is None:
        load, held = f"compression between nodes {nodes[0]} and {nodes[1]}", "hinges there"
    else:
        load, held = f"{component} at node {nodes[0]}", "by its supports" if held_node is None else f"node {held_node}"
    return {"load": load, "held": held, **rest}


def _damping(damping: Mapping[str, Any]) -> str:
    if damping["kind"] == "none":
        return "none"
    if damping["kind"] == "rayleigh":
        return f"alpha M + beta K, alpha = {damping['alpha_per_s']:g} 1/s, beta = {damping['beta_s']:g} s"
    least, most = 100 * damping["smallest_ratio"], 100 * damping["largest_ratio"]
    size = f"{most:g} %" if least == most else f"{least:g} to {most:g} %"
    whose = "free body" if damping["modes_of"] == "free" else "body as its joints hold it"
    return f"{size} of critical, modes of the {whose}"


_SAID: dict[str, Callable[[Any], Any]] = {
    "against": _place,
    "buckling_loads": _buckling,
    "checkpoint_record": lambda record: f"after record {record}",
    "components": " ".join,
    "damping": _damping,
    "dofs": " ".join,
    "geometric_load_count": _geometric,
    "held_by": lambda joints: ", ".join(joints) or "nothing",
    "laws": lambda laws: "; ".join(f"{key} = {law}" for key, law in laws.items()) or "-",
    "layers": _layers,
    "place": _place,
    "mechanisms_checked": lambda done: "yes" if done else "no: `floatframe info --mechanisms` looks for them",
    "places": lambda places: " / ".join(map(_place, places)),
    "problems": lambda problems: [problem["text"] for problem in problems],
    "redundant_constraints": lambda rows: [f"row {row['row']} of '{row['joint']}'" for row in rows],
    "tables": _tables,
}
