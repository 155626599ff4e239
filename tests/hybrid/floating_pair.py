"""Two free bodies in random motion with one force element between them: what it reports and what it does to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h


@dataclass(frozen=True)
class Motion:
    """Position, axes, velocity and angular velocity of a place, world axes."""

    p: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray

    def seen_from(self, b: Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Position, rotation, velocity, angular velocity relative to b, in the axes of b."""
        arm = self.p - b.p
        velocity = self.v - b.v - np.cross(b.w, arm)
        return b.R.T @ arm, b.R.T @ self.R, b.R.T @ velocity, b.R.T @ (self.w - b.w)


class Pair:
    """Bodies a and b with a place on each, all of it random."""

    def __init__(self, seed: int, apart: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.model = h.Model()
        self.bodies, self.places, self.motions = [], [], []
        for name in "ab":
            R, local = Rotation.random(rng=rng).as_matrix(), Rotation.random(rng=rng).as_matrix()
            p, v, w, point = apart * rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
            body = h.RigidBody(
                name, 2.0, (1, 1, 1), position=p, rotation=R, velocity=v, angular_velocity=w, com=rng.normal(size=3)
            )
            self.bodies.append(self.model.add(body))
            self.places.append(body.at(point, local))
            turning, arm = R @ w, R @ point
            self.motions.append(Motion(p + arm, R @ local, v + np.cross(turning, arm), turning))

    def add(self, make, *arguments, **keywords):
        """Add an element between the places, compile and evaluate."""
        self.model.add(make("F", *self.places, *arguments, **keywords))
        return Outcome(self.model)


class Outcome:
    """One evaluation of the forces at the start state, or at another one."""

    def __init__(self, model: h.Model) -> None:
        self.system = model.compile()
        self.state = self.system.start
        self.evaluate()

    def evaluate(self, state=None):
        from floatframe.hybrid.kernels.system import APPLIED, VELOCITY

        self.state = state or self.state
        self.now = self.system.evaluation(self.state)(self.state.t, self.state.q, VELOCITY | APPLIED, self.state.v)
        self.report = self.now.data.forces[-1]
        return self

    def loads(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Force on a body and its moment about the world's origin."""
        link = self.now.data.links[self.system.index.tree.carriers[body].link]
        return link["load"].copy(), link["load_torque"] + np.cross(link["p"], link["load"])

    def check(self, force, torque, place: Motion) -> None:
        """The wrench on a (world axes, at its place), its opposite on b, and the power in both ways of counting."""
        scale = np.abs(force).max() + np.abs(torque).max()
        # rounding of a few dozen operations
        close = {"rtol": 1e-11, "atol": 1e-12 * scale}
        np.testing.assert_allclose(self.report["force"], force, **close)
        np.testing.assert_allclose(self.report["torque"], torque, **close)
        on_a, on_b = self.loads(0), self.loads(1)
        np.testing.assert_allclose(on_a[0], force, **close)
        np.testing.assert_allclose(on_a[1], torque + np.cross(place.p, force), **close)
        np.testing.assert_allclose(on_b[0], -on_a[0], **close)
        np.testing.assert_allclose(on_b[1], -on_a[1], **close)
        self.check_power()

    def check_power(self) -> None:
        """What the element reports is what its generalised forces do."""
        done = -self.now.residual @ self.state.v
        assert abs(done - self.report["power"]) <= 1e-11 * np.abs(self.now.residual) @ np.abs(self.state.v)
