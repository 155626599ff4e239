"""What is in a model file and where its parts are in a state, with the keys of `--json` (docs/reference/json.md)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State, ambiguous_joints, held_modes
from floatframe.hybrid.description import COORDINATE_UNITS, matrix_to_quaternion
from floatframe.hybrid.flat import FlatForce, FlatJoint, FlatModel, FlatPlace
from floatframe.hybrid.model_file import ModelFile

if TYPE_CHECKING:
    from floatframe.hybrid.studies import Equilibrium, Linear

_SHOWN = 3  # modes of a body as it is held


def describe_model_file(file: ModelFile, system: CompiledSystem) -> dict[str, Any]:
    """What is in a model file and in the system compiled from it."""
    flat = system.model
    record = file.record
    return {
        "content": "hybrid_model",
        "name": flat.name,
        "file": str(file.path),
        "sha256": file.sha256,
        "part_files": [str(path) for path in file.parts],
        "gravity_m_per_s2": flat.gravity.tolist(),
        "mass_kg": float(sum(body.mass for body in flat.bodies)),
        "coordinate_count": system.nq,
        "speed_count": system.nv,
        "constraint_count": system.nlambda,
        "dof_count": system.ndof,
        "redundant_constraints": [{"joint": row.joint, "row": row.row} for row in system.redundant],
        "ambiguous_reactions": list(ambiguous_joints(system)),
        "parameters": dict(flat.parameters),
        "bodies": [
            {
                "body": body.name,
                "kind": "rigid" if body.reduced is None else "flexible",
                "mass_kg": body.mass,
                "mode_count": 0 if body.reduced is None else body.reduced.nmode,
                "highest_frequency_hz": None if body.reduced is None else _highest(body.reduced.frequency),
                "damping": body.damping_given and dict(body.damping_given),
            }
            for body in flat.bodies
        ],
        "held_modes": _held(system),
        "joints": [_joint(system, number, joint) for number, joint in enumerate(flat.joints)],
        "relations": [{"relation": one.name, "equation": f"{_sum(one.terms)} = {one.value}"} for one in flat.relations],
        "constraints": [
            {
                "constraint": one.name,
                "kind": one.kind,
                "level": [("velocity" if row.of_speeds else "position") for row in one.rows],
                "equation": f"{one.rows[0].law} = 0" if one.a is None else None,
            }
            for one in flat.constraints
        ],
        "forces": [_force(flat, force) for force in flat.forces],
        "state_variables": [
            {"state": one.name, "rate": str(one.rate), "start": one.start, "unit": one.unit or None}
            for one in flat.states
        ],
        "signals": [{"signal": one.name, "value": str(one.value), "unit": one.unit or None} for one in flat.signals],
        "tables": {
            name: {"row_count": int(np.size(table.x)), "kind": table.kind} for name, table in flat.tables.items()
        },
        "record": {
            "every_s": record.every,
            "start_s": record.start if math.isfinite(record.start) else None,
            "channels": list(record.channels),
        },
        "simulate": dict(file.simulate),
    }


def _held(system: CompiledSystem) -> list[dict[str, Any]]:
    """The lowest modes of flexible bodies held by their joints, with the damping that results."""
    found = []
    for number in system.index.flexible_of:
        name = system.model.bodies[number].name
        modes = held_modes(system, name)
        for k in range(min(_SHOWN, len(modes.frequency))):
            found.append(
                {
                    "body": name,
                    "held_by": list(modes.joints),
                    "mode": k + 1,
                    "frequency_hz": float(modes.frequency[k]),
                    "damping_ratio": float(modes.ratio[k]),
                }
            )
    return found


def describe_state(system: CompiledSystem, state: State) -> dict[str, Any]:
    """Where bodies, joints and force elements are: positions and attitudes in the world, coordinates, forces."""
    from floatframe.hybrid.kernels import ALL_FORCES

    now = system.evaluation(state)(state.t, state.q, ALL_FORCES, state.v)
    data, index = now.data, system.index
    bodies = []
    for number, body in enumerate(system.model.bodies):
        carrier = index.tree.carriers[number]
        link = data.links[carrier.link]
        R = link["R"] @ carrier.pose.R
        entry: dict[str, Any] = {
            "body": body.name,
            "position_m": _numbers(link["p"] + link["R"] @ carrier.pose.p),
            "quaternion": _numbers(matrix_to_quaternion(R)),
        }
        if body.reduced is not None:
            entry["deflection_m"] = _deflection(system, number, state)
        bodies.append(entry)
    joints = []
    for number, joint in enumerate(system.model.joints):
        for k, kind in enumerate(joint.coordinates):
            where = index.numbers.coordinates.get((number, k))
            steps = index.tree.joint_coordinates.get(number, ())
            if where is None and k >= len(steps):
                continue  # nothing measures this coordinate of a cut joint
            value = state.q[steps[k][0]] if k < len(steps) else data.coordinates[where]["value"]
            joints.append(
                {"joint": joint.name, "coordinate": kind, "value": float(value), "unit": COORDINATE_UNITS[kind]}
            )
    forces = [
        {
            "force": force.name,
            "value": float(values["value"]),
            "unit": _force_unit(system.model, force),
            "elongation": float(values["elongation"]),
        }
        for force, values in zip(system.model.forces, data.forces, strict=True)
    ]
    return {"time_s": state.t, "bodies": bodies, "joints": joints, "forces": forces}


def describe_equilibrium(system: CompiledSystem, found: Equilibrium) -> dict[str, Any]:
    """An equilibrium: whether it is stable, and where everything rests."""
    return {
        "content": "equilibrium",
        "name": system.model.name,
        "stable": found.stable,
        "unstable_motions": list(found.unstable),
        "free_motions": list(found.free),
        "residual_share": found.residual,
        "acceleration_m_per_s2": found.acceleration,
        "corners": list(found.corners),
        "iteration_count": found.iterations,
        "ambiguous_reactions": list(found.ambiguous),
        **describe_state(system, found.state),
        "states": system.values(found.state),
        "reactions": _reactions(system, found),
    }


def _reactions(system: CompiledSystem, found: Equilibrium) -> list[dict[str, Any]]:
    """What every joint carries at rest: force and torque on its place, world axes."""
    from floatframe.hybrid.results import available
    from floatframe.hybrid.sweep import at_rest, measures  # bring the files of runs and sweeps

    wanted = [f"{joint.name}.{part}" for joint in system.model.joints for part in ("force", "torque")]
    known = available(system)
    numbers = {
        channel.name: value
        for channel, value in at_rest(
            system, found, measures(system, [name for name in wanted if name in known])
        ).items()
    }
    return [
        {
            "joint": joint.name,
            "force_n": [numbers[f"{joint.name}.force.{axis}"] for axis in "xyz"],
            "torque_n_m": [numbers[f"{joint.name}.torque.{axis}"] for axis in "xyz"],
        }
        for joint in system.model.joints
        if f"{joint.name}.force.x" in numbers
    ]


def describe_linear(linear: Linear, n: int) -> list[dict[str, Any]]:
    """The first n modes, each with the bodies that move most."""
    modes = []
    for k in range(min(n, len(linear.frequency))):
        main = np.argsort(-linear.kinetic[:, k], kind="stable")[:3]
        kinds = {"rigid_body_motion": linear.rigid[k], "unstable": linear.unstable[k]}
        kinds["no_oscillation"] = linear.eigenvalues[k].imag == 0.0
        modes.append(
            {
                "mode": k + 1,
                "frequency_hz": float(linear.frequency[k]),
                "damping_ratio": float(linear.damping[k]),
                "kind": next((kind for kind, fits in kinds.items() if fits), "oscillation"),
                "strain_energy_share": float(linear.elastic[:, k].sum()),
                "participants": {linear.bodies[b]: float(linear.kinetic[b, k]) for b in main},
                "states": {linear.states[j]: float(linear.state_shares[j, k]) for j in linear.main_states(k)},
            }
        )
    return modes


def _joint(system: CompiledSystem, number: int, joint: FlatJoint) -> dict[str, Any]:
    flat = system.model
    cut = number in system.index.cut_joints
    return {
        "joint": joint.name,
        "type": joint.kind,
        "place": _place(flat, joint.a),
        "against": _place(flat, joint.b),
        "role": "cut" if cut else "tree",
        "coordinates": list(joint.coordinates),
    }


def _force_unit(flat: FlatModel, force: FlatForce) -> str:
    if force.joint:
        kind = next(joint.coordinates[force.coordinate] for joint in flat.joints if joint.name == force.joint)
        return "N m" if kind == "angle" else "N"
    return {"bushing": "N, N m"}.get(force.kind, "N m" if "tx" in force.expressions else "N")


def _force(flat: FlatModel, force: FlatForce) -> dict[str, Any]:
    places = () if force.joint else (force.a, force.b)
    return {
        "force": force.name,
        "type": force.kind,
        "joint": force.joint or None,
        "places": [_place(flat, place) for place in places if place is not None],
        "unit": _force_unit(flat, force),
        "laws": {key: str(law) for key, law in force.expressions.items()},
    }


def _place(flat: FlatModel, place: FlatPlace) -> dict[str, Any]:
    body = flat.bodies[place.body] if place.body >= 0 else None
    if body is None or place.node is None or body.reduced is None:
        return {"body": "ground" if body is None else body.name, "node": None, "node_name": None}
    return {"body": body.name, "node": place.node, "node_name": body.reduced.name_of(place.node) or None}


def _sum(terms: tuple[tuple[str, int, float], ...]) -> str:
    """Write terms as one does by hand: `slide[0] - 0.2 axle[0]`."""
    text = ""
    for joint, k, factor in terms:
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        size = "" if abs(factor) == 1 else f"{abs(factor):g} "
        text += f"{sign}{size}{joint}[{k}]"
    return text


def _highest(frequency: Array) -> float | None:
    known = frequency[np.isfinite(frequency)]
    return float(known.max()) if known.size else None


def _deflection(system: CompiledSystem, number: int, state: State) -> float:
    """The largest displacement of a node of a flexible body in its frame [m]."""
    reduced = system.model.bodies[number].reduced
    record = system.tables.flexible[system.index.flexible_of[number]]
    if reduced is None or not int(record["n"]):
        return 0.0
    w = state.q[int(record["iq"]) : int(record["iq"]) + int(record["n"])]
    moved = (reduced.shapes @ w).reshape(-1, 6)[:, :3]
    return float(np.linalg.norm(moved, axis=1).max())


def _numbers(values: Array) -> list[float]:
    # no minus before a zero
    return [float(value) + 0.0 for value in np.where(np.abs(values) < 1e-15, 0.0, values)]
