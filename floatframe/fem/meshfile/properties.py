"""Materials and beam sections of a mesh file: by name from the library, or by their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from floatframe.fem.meshfile import values as v
from floatframe.fem.meshfile.context import Context, Late, checked
from floatframe.fem.properties import LIBRARY, BeamSection, Material, standard_material, standard_section
from floatframe.tomlfile import Key, Spot, read_keys, shown, text
from floatframe.wording import did_you_mean


def material(spot: Spot) -> Late:
    """A material: its name in [materials] or in the library, or { E, nu, rho }."""
    if isinstance(spot.value, dict):
        return _given_material(spot)
    text(spot)

    def value(context: Context) -> Material:
        if spot.value in context.materials:
            return context.materials[spot.value]
        if spot.value in LIBRARY:
            return standard_material(spot.value)
        near = did_you_mean(spot.value, [*context.materials, *LIBRARY])
        raise spot.error(
            f"material '{spot.value}' is neither in [materials] nor in the library{near}", missing=spot.value
        )

    return value


def _given_material(spot: Spot) -> Late:
    given = read_keys(spot, MATERIAL, "a material")
    if "like" not in given and "E" not in given:
        raise spot.error("expected E, Young's modulus [N/m2], or like, a material of the library", "E")

    def value(context: Context) -> Material:
        values = {key: late(context) for key, late in given.items()}
        base = values.pop("like", None)
        name = spot.key
        return checked(
            spot, lambda: Material(**values, name=name) if base is None else replace(base, **values, name=name)
        )

    return value


@dataclass(frozen=True)
class Shape:
    """A kind of section: the call that makes it and its keys."""

    make: Callable[..., BeamSection]
    keys: Mapping[str, Key]


def section(spot: Spot) -> Late:
    """A section: its name in [sections], a standard profile such as "IPE 200", or { type, … }."""
    if isinstance(spot.value, dict):
        return _given_section(spot)
    text(spot)

    def value(context: Context) -> BeamSection:
        if spot.value in context.sections:
            return context.sections[spot.value]
        if not any(letter.isdigit() for letter in spot.value):
            v.named(spot, context.sections, "section")
        return checked(spot, lambda: standard_section(spot.value))

    return value


def _given_section(spot: Spot) -> Late:
    kind = spot.value.get("type")
    if not isinstance(kind, str) or kind not in SHAPES:
        near = did_you_mean(kind, SHAPES) if isinstance(kind, str) else f"; expected one of {', '.join(SHAPES)}"
        found = spot.inside("type") if "type" in spot.value else spot
        raise found.error(f"the type of a section is {shown(kind) if kind else 'missing'}{near}", "type")
    given = read_keys(spot, {**SECTION_KEYS, **SHAPES[kind].keys}, f"a section of type {kind}")

    def value(context: Context) -> BeamSection:
        values: dict[str, Any] = {key: late(context) for key, late in given.items() if key != "type"}
        shear = values.pop("shear", True)
        made = checked(spot, lambda: SHAPES[kind].make(**values, name=spot.key))
        return made if shear else made.without_shear()

    return value


def _constants(**values: Any) -> BeamSection:
    if "shear_centre" in values:
        values["shear_centre"] = tuple(values["shear_centre"].tolist())
    return BeamSection(**values)


def _profile(profile: str, name: str) -> BeamSection:
    return replace(standard_section(profile), name=name)


def _sizes(**meanings: str) -> dict[str, Key]:
    return {name: Key(f"{meaning} [m]".strip(), v.positive, required=True) for name, meaning in meanings.items()}


MATERIAL = {
    "like": Key("a material whose values are taken where none are given here", material),
    "E": Key("Young's modulus [N/m2]", v.positive),
    "nu": Key("Poisson's ratio", v.number, default="0.3"),
    "rho": Key("density [kg/m3]", v.number, default="0"),
}
SECTION_KEYS = {
    "type": Key("the kind of section", v.word, required=True),
    "shear": Key("false: beams do not deform by shear (Euler–Bernoulli)", v.flag, default="true"),
}
_OUTER = {"width": "along local y", "height": "along local z"}
_WALLS = {"web_thickness": "of the web", "flange_thickness": "of the flanges"}
_NU = {"nu": Key("Poisson's ratio, for the shear factor", v.number, default="0.3")}
_CONSTANTS = {
    **{name: Key(f"{meaning} about the centroid", v.number, required=True) for name, meaning in (
        ("Iy", "∫z² dA [m4]"), ("Iz", "∫y² dA [m4]"),
    )},
    "A": Key("area [m2]", v.number, required=True),
    "J": Key("torsion constant [m4]", v.number, required=True),
    "Iyz": Key("∫yz dA [m4]", v.number, default="0"),
    "ky": Key("shear factor along y (default: no shear)", v.number),
    "kz": Key("shear factor along z (default: no shear)", v.number),
    "shear_centre": Key("its y and z seen from the centroid [m]", v.numbers, default="[0, 0]"),
    "y_max": Key("greatest distance of material along y, for stresses [m]", v.number, default="0"),
    "z_max": Key("the same along z [m]", v.number, default="0"),
    "Wt": Key("torque over the greatest shear stress [m3]", v.number),
}  # fmt: skip
SHAPES = {
    "profile": Shape(_profile, {"profile": Key('its name: "IPE 200", "RHS 120x80x5"', v.word, required=True)}),
    "rectangle": Shape(BeamSection.rectangle, {**_sizes(**_OUTER), **_NU}),
    "circle": Shape(BeamSection.circle, {**_sizes(diameter=""), **_NU}),
    "tube": Shape(BeamSection.tube, {**_sizes(diameter="outer", thickness="of the wall"), **_NU}),
    "box": Shape(
        BeamSection.box,
        {
            **_sizes(**_OUTER, thickness="of the walls along z"),
            "flange_thickness": Key("of those along y [m] (default: the same)", v.positive),
        },
    ),
    "i_section": Shape(BeamSection.i_section, _sizes(**_OUTER, **_WALLS)),
    "channel": Shape(BeamSection.channel, _sizes(**_OUTER, **_WALLS)),
    "angle": Shape(BeamSection.angle, _sizes(**_OUTER, thickness="of the legs")),
    "constants": Shape(_constants, _CONSTANTS),
}
