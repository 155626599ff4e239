"""What each velocity coordinate of a system is, in the user's words."""

from __future__ import annotations

from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.kernels import FREE, SPHERICAL

_TURNS = ("rotation about x", "rotation about y", "rotation about z")
_SHIFTS = ("displacement along x", "displacement along y", "displacement along z")


def coordinate_names(system: CompiledSystem) -> list[str]:
    """Return a name for each velocity coordinate (nv,): a joint's coordinate, a floating body's motion, a body's mode.

    Of several of a kind in a joint, each has its number in the joint, as in carry.coordinate[2]: "displacement 2".
    """
    names = [f"coordinate {k + 1}" for k in range(system.nv)]
    links, tree = system.tables.links, system.index.tree
    for number, body in enumerate(system.model.bodies):
        link = links[tree.carriers[number].link]
        if int(link["kind"]) == FREE:
            _put(names, int(link["iv"]), [f"{what} of body '{body.name}'" for what in _SHIFTS + _TURNS])
    for number, iv in tree.particles.items():
        _put(names, iv, [f"{what} of body '{system.model.bodies[number].name}'" for what in _SHIFTS])
    for number, coordinates in tree.joint_coordinates.items():
        if number < 0:
            continue
        joint = system.model.joints[number]
        for k, (_, iv) in enumerate(coordinates):
            kind = int(links[system.tables.dofs[iv]["link"]]["kind"])
            if kind in (SPHERICAL, FREE):
                parts = _TURNS if kind == SPHERICAL else _SHIFTS + _TURNS
                _put(names, iv, [f"{what} in joint '{joint.name}'" for what in parts])
            else:
                what = joint.coordinates[k] if k < len(joint.coordinates) else "coordinate"
                what += f" {k + 1}" if joint.coordinates.count(what) > 1 else ""
                names[iv] = f"{what} of joint '{joint.name}'"
    for number, flexible in system.index.flexible_of.items():
        record = system.tables.flexible[flexible]
        body_name = system.model.bodies[number].name
        _put(names, int(record["iv"]), [f"mode {k + 1} of body '{body_name}'" for k in range(int(record["n"]))])
    return names


def _put(names: list[str], start: int, words: list[str]) -> None:
    names[start : start + len(words)] = words
