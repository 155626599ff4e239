"""A cart on two wheels with motors, and a castor that carries nothing: constant torques, constant accelerations."""

from __future__ import annotations

from floatframe import hybrid as h

MASS, TURN, WHEEL, SPIN, ACROSS, R, HALF = 8.0, 0.5, 0.6, 0.004, 0.003, 0.1, 0.25
LEFT, RIGHT = 0.3, 0.5  # N m


def cart(parameters: dict[str, float] | None = None) -> h.Model:
    model = h.Model(gravity=(0, 0, 0), parameters={"r": R, "left": LEFT, "right": RIGHT, **(parameters or {})})
    frame = model.add(h.RigidBody("cart", MASS, (TURN, TURN, TURN)))
    model.add(h.planar("plane", frame.at(), model.ground.at()))
    for side, y in (("left", HALF), ("right", -HALF)):
        wheel = model.add(h.RigidBody(f"{side}_wheel", WHEEL, (ACROSS, SPIN, ACROSS), position=(0, y, 0)))
        model.add(h.revolute(f"{side}_axle", wheel.at(), frame.at((0, y, 0)), axis=(0, 1, 0)))
        model.add(h.joint_torque(f"{side}_motor", f"{side}_axle", side))
        place, ground = frame.at((0, y, 0)), model.ground.at()
        model.add(h.wheel(f"{side}_tyre", place, ground, radius="r", joint=f"{side}_axle"))
    return model


def accelerations() -> tuple[float, float]:
    """Of the speed [m/s2] and of the turn [rad/s2]."""
    mass = MASS + 2.0 * WHEEL + 2.0 * SPIN / R**2
    inertia = TURN + 2.0 * (WHEEL * HALF**2 + ACROSS) + 2.0 * SPIN * HALF**2 / R**2
    return (LEFT + RIGHT) / R / mass, (RIGHT - LEFT) * HALF / R / inertia
