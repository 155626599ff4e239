"""A slider-crank of rigid bodies."""

from __future__ import annotations

from floatframe import hybrid


def slider_crank() -> hybrid.Model:
    """A slider-crank with a motor, a sticking guide and a flywheel in a cut joint whose angle only a channel counts."""
    model = hybrid.Model(gravity=(0, -9.81, 0))
    crank = model.add(hybrid.RigidBody("crank", mass=2.0, inertia=(0.01, 0.2, 0.2), com=(0.1, 0, 0)))
    rod = model.add(hybrid.RigidBody("rod", mass=1.0, inertia=(0.01, 0.1, 0.1), com=(0.5, 0, 0), position=(0.3, 0, 0)))
    slider = model.add(hybrid.RigidBody("slider", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(1.3, 0, 0)))
    ground = model.ground
    model.add(hybrid.revolute("A", crank.at(), ground.at(), axis=(0, 0, 1)))
    model.add(hybrid.revolute("B", rod.at(), crank.at((0.3, 0, 0)), axis=(0, 0, 1)))
    model.add(hybrid.cylindrical("C", rod.at((1, 0, 0)), slider.at(), axis=(0, 0, 1)))
    model.add(hybrid.prismatic("guide", slider.at(), ground.at((1.3, 0, 0)), axis=(1, 0, 0)))
    model.add(hybrid.joint_torque("motor", joint="A", torque="30 - 2*rate"))
    model.add(hybrid.joint_friction("rub", "guide", force=2.0, stick=True, stiffness=1e5, damping=100.0))
    return model
