"""Networks that several tests step: a converter, an own element, machines that networks drive."""

from __future__ import annotations

import floatframe as ff
from floatframe.network import TRANSLATION, Network, Terminal, by_difference, machine_kind, through, user_kind

R, L, K, U = 0.5, 1e-3, 0.5, 24.0  # of the motor: ohm, H, V s; V of its battery


def buck() -> Network:
    """A converter of 20 kHz; its switch opens and closes at once."""
    net = Network("buck", parameters={"T": 5e-5, "duty": 0.4})
    net.add("battery", "voltage_source", ["in"], voltage=24.0)
    net.add("S", "switch", ["in", "x"], closed="mod(t, T) < duty*T", resistance=0.01, open_resistance=1e6)
    net.add("D", "diode", ["ground", "x"], saturation=1e-9, voltage=0.03)
    net.add("L", "inductor", ["x", "out"], inductance=2e-4)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-4)
    net.add("R", "resistor", ["out", "ground"], resistance=5.0)
    return net


def top() -> ff.hybrid.Model:
    """A tumbling body in space, and a rotor on a pin in it that a motor may turn."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, 0))
    hull = model.add(h.RigidBody("hull", mass=2.0, inertia=(1.0, 2.0, 3.0), angular_velocity=(3.0, 1.0, 2.0)))
    rotor = model.add(h.RigidBody("rotor", mass=0.5, inertia=(0.1, 0.1, 0.2)))
    model.add(h.revolute("pin", rotor.at((0, 0, 0)), hull.at((0, 0, 0)), axis=(0, 0, 1)))
    return model


def spun() -> Network:
    """A torque source between hull and rotor, by way of the port."""
    net = Network("spin")
    net.add("T", "torque", ["shaft"], torque="0.5*sin(3*t)")
    net.add("top", machine_kind(top().compile(), ["pin"]), ["shaft"])
    return net


def cubic(at, out):
    """A spring whose force grows with the cube of its elongation."""
    (k,) = at.p
    gap = at.x[0] - at.x[1]
    through(out.F, k * gap**3)
    by_difference(out.K, 3.0 * k * gap**2)


ENDS = (Terminal("a", TRANSLATION), Terminal("b", TRANSLATION))


def own_oscillator(law) -> Network:
    net = Network("cubic")
    net.add("spring", user_kind("cubic_spring", ENDS, ["stiffness"], law), ["m", "ground"], stiffness=100.0)
    net.add("mass", "mass", ["m"], mass=1.0)
    net.start("m", x=1.0)
    return net


def slider_crank(torque: str = "") -> ff.hybrid.Model:
    """Crank of 0.2 m, rod of 0.6 m, slider; with a torque in joint A if one is given."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    crank = model.add(h.RigidBody("crank", mass=1.0, inertia=(0.001, 0.01, 0.01), com=(0.1, 0, 0)))
    rod = model.add(h.RigidBody("rod", mass=1.0, inertia=(0.001, 0.03, 0.03), com=(0.3, 0, 0), position=(0.2, 0, 0)))
    slider = model.add(h.RigidBody("slider", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(0.8, 0, 0)))
    model.add(h.revolute("A", crank.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 1, 0)))
    model.add(h.revolute("B", rod.at((0, 0, 0)), crank.at((0.2, 0, 0)), axis=(0, 1, 0)))
    model.add(h.revolute("C", rod.at((0.6, 0, 0)), slider.at((0, 0, 0)), axis=(0, 1, 0)))
    model.add(h.prismatic("guide", slider.at((0, 0, 0)), model.ground.at((0.8, 0, 0)), axis=(1, 0, 0)))
    if torque:
        model.add(h.joint_torque("drive", joint="A", torque=torque))
        model.add(h.StateVariable("current", rate=f"({U} - {R}*current.value - {K}*A.rate)/{L}"))
    return model


def driven() -> Network:
    net = Network("drive")
    net.add("battery", "voltage_source", ["p"], voltage=U)
    net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=R, inductance=L, constant=K)
    net.add("machine", machine_kind(slider_crank().compile(), ["A"]), ["shaft"])
    return net


def turntable(torque: str, *states: ff.hybrid.StateVariable) -> ff.hybrid.Model:
    """A disc of 0.02 kg m2 on a pin."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, 0))
    disc = model.add(h.RigidBody("disc", mass=1.0, inertia=(0.02, 0.02, 0.02)))
    model.add(h.revolute("A", disc.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 0, 1)))
    model.add(h.joint_torque("control", joint="A", torque=torque))
    for state in states:
        model.add(state)
    return model


def rubbed_table() -> ff.hybrid.Model:
    """A disc to and fro under friction that sticks."""
    model = turntable("0.1*sin(3*t)")
    model.add(ff.hybrid.joint_friction("rub", "A", 0.03, stick=True, stiffness=10.0, damping=0.2))
    return model


def rubbing() -> Network:
    net = Network("table")
    net.add("machine", machine_kind(rubbed_table().compile(), ["A"]), ["shaft"])
    net.add("air", "rotary_damper", ["shaft", "ground"], damping=1e-9)
    return net
