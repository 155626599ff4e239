"""A vehicle described in the frame that runs along the track, and in world axes: the same motion."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h, railway

SPEED, DISTANCE = 15.0, 12.0
BOGIE = h.Bogie(
    mass=2615.0,
    inertia=(1722.0, 1476.0, 3067.0),
    height=0.6,
    half_base=1.28,
    half_width=1.0,
    wheelset=h.Wheelset(1500.0, (900.0, 100.0, 900.0), 0.46, contact={"law": "polach"}),
    primary=h.Springs((6e6, 3.9e6, 1.2e6), (1.5e4, 2e3, 4e3)),
    load=5000.0 * 9.81,
)


@pytest.fixture(scope="module")
def beam() -> ff.modal.ReducedBody:
    """A beam of 6 m and 2.4 t whose lowest frequencies are some Hz."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.5, 0.1)
    fe = ff.fem.beam_line((-3, 0, 0), (3, 0, 0), n=12, section=section, material=steel)
    return ff.modal.reduce(fe, interface=[1, 7, 13], n_modes=4)


def vehicle(track: railway.Track, beam: ff.modal.ReducedBody, moving: bool) -> h.System:
    model = h.Model(gravity=(0, 0, -9.81), track=track)
    bogie = h.add_bogie(model, "bogie", BOGIE, h.Run(DISTANCE, SPEED))
    start = railway.on_track(track, DISTANCE, height=1.2, speed=SPEED)
    body = model.add(h.FlexibleBody("body", beam, damping=0.02, **start))
    up = 1.2 - bogie.wheelsets[0].height
    preload = [0, 0, float(beam.inertia.m) * 9.81, 0, 0, 0]
    stiff, soft = [3e5, 3e5, 9e5, 5e5, 5e5, 5e5], [2e4, 2e4, 3e4, 3e4, 3e4, 3e4]
    place = bogie.frame.at((0, 0, up))
    model.add(h.bushing("secondary", body.node(7), place, stiffness=stiff, damping=soft, preload=preload))
    if moving:
        frame = h.add_track_frame(model, f"{DISTANCE} + {SPEED}*t")
        boxes = [parts.box.at() for parts in bogie.wheelsets]
        h.carried(model, frame, body.node(7), bogie.frame.at(), *boxes)
    return model.compile()


def test_moving_frame_and_world_axes_give_one_motion(beam):
    track = railway.Track(
        sections=[railway.Straight(20.0), railway.Transition(30.0), railway.Curve(100.0, 300.0, cant=0.1)],
        gradients=[railway.Gradient(30.0, 0.01, radius=500.0)],
    )
    systems = [vehicle(track, beam, moving) for moving in (False, True)]
    results = [
        system.simulate(t_end=4.0, method="generalised-alpha", step=1e-3, record=h.Record(every=0.02))
        for system in systems
    ]
    # the flexible body hangs on the last link of the moving frame
    record = systems[1].tables.flexible[0]
    frame = systems[1].index.tree.carriers[[body.name for body in systems[1].model.bodies].index("track_frame")]
    assert systems[1].tables.links[record["link"]]["parent"] == frame.link
    world, carried = results
    assert world["bogie_front_left.distance"][-1] > 70.0  # in the curve
    # steps of 1 ms change positions by 1e-3 m where the start shakes; the two descriptions differ by the tolerance
    # of Newton's method, 1e-6 of the motion in a step
    for channel, allowed in (
        ("bogie_front_left.Q", 5.0),
        ("bogie_front_right.Y", 5.0),
        ("bogie.position", 1e-6),
        ("body.node[13].position", 1e-6),
        ("body.modal", 1e-5 * float(np.abs(world["body.modal"]).max())),
    ):
        assert np.abs(world[channel] - carried[channel]).max() < allowed, channel
