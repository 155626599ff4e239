"""Materials of ANSYS files: MP polynomials, MPTEMP/MPDATA tables and elastic laws of TB, taken at one temperature."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import LinAlgError, inv

from floatframe.errors import ModelError
from floatframe.fem import Material
from floatframe.io.ansys.apdl import Command, Text
from floatframe.io.ansys.commands.tables import Law, symmetric
from floatframe.io.deck import cure
from floatframe.io.import_log import ImportLog

_OTHER_AXES = ("EY", "EZ", "GYZ", "GXZ", "NUYZ", "NUXZ", "PRYZ", "PRXZ")
_MOST_TEMPERATURES = 100  # of a table in ANSYS
_USED = {"EX", "PRXY", "NUXY", "GXY", "DENS", *_OTHER_AXES, "DAMP", "BETD", "ALPD", "DMPR", "DMPS"}
_DAMPING = ("DAMP", "BETD", "ALPD", "DMPR", "DMPS")
_ORTHOTROPIC = 1e-6  # relative difference from the isotropic value that counts as another material law
_POISSON = 0.3  # what ANSYS takes when none is given


@dataclass(frozen=True)
class Property:
    """Values (n,) at temperatures (n,), or coefficients of a polynomial in the temperature."""

    values: tuple[float, ...]
    temperatures: tuple[float, ...] | None = None

    def at(self, temperature: float | None) -> float:
        """Return the value at a temperature; None: the first entry of a table, the constant of a polynomial."""
        if self.temperatures is None:
            t = 0.0 if temperature is None else temperature
            return float(sum(value * t**power for power, value in enumerate(self.values)))
        if temperature is None:
            return self.values[0]
        order = np.argsort(self.temperatures)
        return float(np.interp(temperature, np.array(self.temperatures)[order], np.array(self.values)[order]))

    @property
    def varies(self) -> bool:
        return len(self.values) > 1 and (self.temperatures is None or len(set(self.values)) > 1)


@dataclass
class MaterialTable:
    """Properties by material number and label."""

    properties: dict[int, dict[str, Property]] = field(default_factory=dict)
    temperatures: dict[int, float] = field(default_factory=dict)  # of the MPTEMP table, by location from 1
    reference: float | None = None  # TREF
    uniform: float | None = None  # BFUNIF or TUNIF; TREF without them
    lines: dict[int, int] = field(default_factory=dict)
    damped: set[int] = field(default_factory=set)
    laws: dict[int, dict[str, Law]] = field(default_factory=dict)  # of TB, by material and label
    open_law: Law | None = None

    @property
    def own_temperature(self) -> float | None:
        """The temperature that the file itself gives the structure."""
        return self.reference if self.uniform is None else self.uniform

    def density(self, number: int) -> float:
        """Return the density of a material that serves as mass alone, zero if it has none."""
        found = self.properties.get(number, {}).get("DENS")
        return 0.0 if found is None else found.at(self.own_temperature)

    def material(self, number: int, temperature: float | None, log: ImportLog) -> Material:
        """Return the material at a temperature."""
        given = self.properties.get(number, {})
        line = self.lines.get(number)
        if "EX" not in given and not {"ANEL", "ELAS"} & self.laws.get(number, {}).keys():
            found = "only " + ", ".join(sorted(given)) if given else "nothing"
            raise log.error(
                f"elements use material {number}, of which the file gives {found}; add MP,EX and MP,DENS, or "
                f"{cure(log.path, number)}.",
                line,
            )
        if temperature is None and any(entry.varies for entry in given.values()):
            temperature, source = self.own_temperature, "TREF" if self.uniform is None else "BFUNIF"
            shown = "that of the first entry" if temperature is None else f"{source} = {temperature:g}"
            log.warn(
                f"material {number} depends on temperature; the temperature taken is {shown}: choose another with "
                "--option temperature=…."
            )
        value = {label: entry.at(temperature) for label, entry in given.items()}
        self._report(number, value, line, log)
        try:
            return self._elastic(number, value, temperature)
        except (ModelError, LinAlgError) as error:
            raise log.error(
                f"material {number}: {error}" if isinstance(error, LinAlgError) else str(error), line
            ) from error

    def _elastic(self, number: int, value: dict[str, float], temperature: float | None) -> Material:
        """Return the material of TB,ANEL or TB,ELAS, else of MP: isotropic if all directions are alike."""
        rho, name = value.get("DENS", 0.0), f"material {number}"
        laws = self.laws.get(number, {})
        if "DENS" in laws:
            rho = laws["DENS"].values(1, temperature)[0]
        if "ANEL" in laws:
            matrix = symmetric(laws["ANEL"].values(21, temperature), 6)
            return Material.anisotropic(inv(matrix) if laws["ANEL"].option == "1" else matrix, rho, name)
        if "ELAS" in laws:
            option = laws["ELAS"].option
            if option in ("AELS", "AELF"):
                matrix = symmetric(laws["ELAS"].values(21, temperature), 6)
                return Material.anisotropic(inv(matrix) if option == "AELF" else matrix, rho, name)
            if option in ("", "ISOT"):
                E, nu = laws["ELAS"].values(2, temperature)
                return Material(E, nu, rho, name=name)
            major = ("PRXY", "PRYZ", "PRXZ") if option != "ORTN" else ("NUXY", "NUYZ", "NUXZ")
            labels = ("EX", "EY", "EZ", "GXY", "GYZ", "GXZ", *major)
            value = dict(zip(labels, laws["ELAS"].values(9, temperature), strict=True))
        return _by_directions(value, rho, name)

    def _report(self, number: int, value: dict[str, float], line: int | None, log: ImportLog) -> None:
        if number in self.damped:
            log.skip("MP damping", f"material {number} has damping; models carry damping of elements only", line=line)
        if not value.get("DENS") and "DENS" not in self.laws.get(number, {}):
            log.warn(f"material {number} has no density: its elements have no mass.")


def _by_directions(value: dict[str, float], rho: float, name: str) -> Material:
    """Return the material of moduli by direction; what is left out is that of x, or of xy."""
    E = value["EX"]
    moduli = {axis: value.get(f"E{axis}") or E for axis in "XYZ"}
    ratio = _ratio(value, "XY", moduli)
    if ratio is None:
        ratio = E / (2.0 * value["GXY"]) - 1.0 if value.get("GXY") and len(set(moduli.values())) == 1 else _POISSON
    ratios = {"XY": ratio}
    for pair in ("YZ", "XZ"):
        own = _ratio(value, pair, moduli)
        ratios[pair] = ratio if own is None else own
    shears = {"XY": value.get("GXY") or E / (2.0 * (1.0 + ratio)) if ratio != -1.0 else 0.0}
    shears |= {pair: value.get(f"G{pair}") or shears["XY"] for pair in ("YZ", "XZ")}
    expected = [(m, E) for m in moduli.values()] + [(r, ratio) for r in ratios.values()]
    expected += [(G, E / (2.0 * (1.0 + ratio))) for G in shears.values() if ratio > -1.0]
    if all(abs(a - b) <= _ORTHOTROPIC * abs(b) for a, b in expected):
        return Material(E, ratio, rho, name=name)
    if "EZ" not in value and moduli["Y"] != E:
        # for shells alone, which take nothing across the wall but shear
        return Material.ply(E, moduli["Y"], ratio, shears["XY"], shears["XZ"], shears["YZ"], rho, name)
    return Material.orthotropic(
        moduli["X"], moduli["Y"], moduli["Z"], ratios["XY"], ratios["XZ"], ratios["YZ"],
        shears["XY"], shears["XZ"], shears["YZ"], rho, name,
    )  # fmt: skip


def _ratio(value: dict[str, float], pair: str, moduli: dict[str, float]) -> float | None:
    """Return the contraction along the second axis under a stress along the first: PR is it, NU that of the other."""
    if f"PR{pair}" in value:
        return value[f"PR{pair}"]
    minor = value.get(f"NU{pair}")
    return None if minor is None else minor * moduli[pair[0]] / moduli[pair[1]]


def mp(table: MaterialTable, text: Text, command: Command) -> None:
    """MP,Lab,MAT,C0,C1,C2,C3,C4: a polynomial in the temperature."""
    label, number = command.word(0), _material_number(text, command.field(1))
    if label not in _USED:
        return  # of heat and fields, limits, or marks such as UVID and UMID
    coefficients = [text.number(entry) for entry in command.fields[2:7]]
    while len(coefficients) > 1 and coefficients[-1] == 0.0:
        coefficients.pop()
    _store(table, text, number, label, Property(tuple(coefficients or [0.0])))


def mptemp(table: MaterialTable, text: Text, command: Command) -> None:
    """MPTEMP,STLOC,T1,…,T6 or MPTEMP,R5.0,n,STLOC,T1,…: entries of the temperature table; alone it clears it."""
    fields = command.fields[2:] if command.archived else command.fields
    if not any(fields):
        table.temperatures.clear()
        return
    if command.archived and text.integer(fields[0], "location") == 1:
        table.temperatures.clear()
    start = max(1, text.integer(fields[0], "location")) if fields[0] else len(table.temperatures) + 1
    for k, entry in enumerate(fields[1:7]):
        if entry:
            table.temperatures[start + k] = text.number(entry)


def mptgen(table: MaterialTable, text: Text, command: Command) -> None:
    """MPTGEN,STLOC,NUM,TSTRT,TINC: temperatures at equal steps, at most the hundred that a table holds."""
    start = text.integer(command.field(0), "location") or len(table.temperatures) + 1
    first, step = text.number(command.field(2)), text.number(command.field(3))
    for k in range(min(text.integer(command.field(1)), _MOST_TEMPERATURES)):
        table.temperatures[start + k] = first + k * step


def mpdata(table: MaterialTable, text: Text, command: Command) -> None:
    """MPDATA,Lab,MAT,STLOC,C1,…,C6 or MPDATA,R5.0,n,Lab,MAT,STLOC,C1,…: values at the temperatures of the table."""
    fields = command.fields[2:] if command.archived else command.fields
    if len(fields) < 4:
        raise text.error("MPDATA needs a label, a material number, a location and values.")
    label, number = fields[0].upper(), _material_number(text, fields[1])
    if label not in _USED:
        return
    start = max(1, text.integer(fields[2], "location"))
    values = [text.number(entry) for entry in fields[3:9] if entry]
    if not values:
        raise text.error(f"MPDATA,{label} of material {number} has no value.")
    earlier = table.properties.get(number, {}).get(label)
    if start > 1 and earlier is not None and earlier.temperatures is not None and len(earlier.values) == start - 1:
        values = [*earlier.values, *values]
        start = 1
    temperatures = [table.temperatures.get(start + k) for k in range(len(values))]
    if len(values) > 1 and None in temperatures:
        raise text.error(
            f"MPDATA,{label} of material {number} has {len(values)} values, but MPTEMP fewer temperatures."
        )
    known = tuple(0.0 if t is None else t for t in temperatures)
    _store(table, text, number, label, Property(tuple(values), known))


def _material_number(text: Text, entry: str) -> int:
    """Return the number of a material; none means material 1."""
    return text.integer(entry, "material number") or 1


def _store(table: MaterialTable, text: Text, number: int, label: str, entry: Property) -> None:
    if number < 1:
        raise text.error(f"material number {number} is not positive.")
    table.lines.setdefault(number, text.line)
    if label in _DAMPING and any(entry.values):
        table.damped.add(number)
    table.properties.setdefault(number, {})[label] = entry
