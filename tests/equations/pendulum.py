"""Pendulums of links one below the other: a ball joint to the ground, hinges with crossed axes between links."""

from __future__ import annotations

from floatframe import hybrid as h


def pendulum(n: int = 5, length: float = 0.5) -> h.System:
    """A pendulum of n links of 1 kg, hanging."""
    model = h.Model(gravity=(0, 0, -9.81))
    above = model.ground.at((0, 0, 0))
    for k in range(n):
        link = model.add(
            h.RigidBody(
                f"link{k + 1}",
                mass=1.0,
                inertia=(0.03, 0.03, 0.02),
                com=(0, 0, -length / 2),
                position=(0, 0, -k * length),
            )
        )
        top = link.at((0, 0, 0))
        if k == 0:
            model.add(h.spherical("ball", top, above))
        else:
            model.add(h.revolute(f"hinge{k}", top, above, axis=(0, 1, 0) if k % 2 else (1, 0, 0)))
        above = link.at((0, 0, -length))
    return model.compile()


def swinging(system: h.System) -> h.State:
    """A start away from rest."""
    moved = system.move(system.start, [0.5, 0.9, 0.0, 0.6, -0.4, 0.5, 0.3][: system.nv])
    return h.State(0.0, moved.q, [0.2, 0.3, 0.5, 0.0, 0.4, 0.0, 0.0][: system.nv], moved.memory)


def energy(system: h.System, state: h.State) -> float:
    """Kinetic and potential energy: ½ vᵀ M v, and the work of the weights."""
    now = system.moving(state).data.links
    links = system.tables.links
    height = sum(
        link["mass"] * here["p"][2] + (here["R"] @ link["moment"])[2] for link, here in zip(links, now, strict=True)
    )
    return float(0.5 * state.v @ system.mass_matrix(state) @ state.v + 9.81 * height)
