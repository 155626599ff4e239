"""The linear equations as a state space, x' = A x + B u, y = C x + D u, for control design and fast simulation.

States are the independent coordinates of the model, their rates and its state variables. What prescribes a motion acts
by its acceleration too, which is then the input; displacement and rate of the motion are two further states.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError, WriteError
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.response.equations import LinearSystem, linear_system
from floatframe.hybrid.response.modes import standard_form
from floatframe.hybrid.response.ports import ORDERS, Port, listed
from floatframe.hybrid.response.states import state_at
from floatframe.io import complete_file

SUFFIXES = (".mat", ".npz", ".json")
FORMAT = "floatframe-statespace/1"
EVEN = 1e-9  # differences of time steps, over the step, that are rounding


@short_repr
@dataclass(frozen=True)
class StateSpace:
    """x' = A x + B u, y = C x + D u: changes of states, inputs and outputs about a state of a model."""

    A: Array  # (n, n)
    B: Array  # (n, m)
    C: Array  # (p, n)
    D: Array  # (p, m)
    states: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    name: str = "model"

    @property
    def poles(self) -> AnyArray:
        """Eigenvalues (n,) [1/s], by modulus."""
        values = np.linalg.eigvals(self.A)
        return np.asarray(values[np.argsort(np.abs(values), kind="stable")])

    def response(self, frequency: Array) -> AnyArray:
        """Outputs per unit input (nf, p, m) at frequency (nf,) [Hz]."""
        eye = np.eye(len(self.A))
        solved = [np.linalg.solve(2j * np.pi * f * eye - self.A, self.B) for f in np.asarray(frequency)]
        return np.array([self.C @ one + self.D for one in solved])

    def simulate(
        self, t: Array, u: Array, start: Array | None = None, hold: Literal["linear", "zero"] = "linear"
    ) -> Array:
        """Return outputs (nt, p) for inputs u (nt, m) at equal steps of t (nt,) [s].

        Between two times inputs are straight lines ("linear") or keep the value of the first ("zero"); for such inputs
        the outputs are exact. start: states (n,) at the first time, by default zero.
        """
        import scipy.linalg

        t, u = np.asarray(t, dtype=float), np.asarray(u, dtype=float)
        u = u[:, None] if u.ndim == 1 else u
        n, m = self.B.shape
        if t.ndim != 1 or len(t) < 2 or u.shape != (len(t), m):
            raise ModelError(f"state space: t has shape {t.shape} and u {u.shape}, expected (nt,) and (nt, {m})")
        h = (t[-1] - t[0]) / (len(t) - 1)
        if not h > 0.0 or np.abs(np.diff(t) - h).max() > EVEN * h + 4e-16 * np.abs(t).max():
            raise ModelError("state space: the times must rise by equal steps; resample the inputs first")
        if hold not in ("linear", "zero"):
            raise ModelError(f"state space: hold is '{hold}', expected linear or zero")
        # the exponential of states, inputs and slopes of inputs together has all integrals over a step
        whole = np.zeros((n + 2 * m, n + 2 * m))
        whole[:n, :n], whole[:n, n : n + m] = h * self.A, h * self.B
        whole[n : n + m, n + m :] = np.eye(m)
        step = scipy.linalg.expm(whole)[:n]
        keep, first, rise = step[:, :n], step[:, n : n + m], step[:, n + m :]
        x = np.zeros(n) if start is None else np.array(start, dtype=float)
        change = np.diff(u, axis=0) if hold == "linear" else np.zeros((len(t) - 1, m))
        driven = u[:-1] @ first.T + change @ rise.T
        states = np.empty((len(t), n))
        states[0] = x
        for k, one in enumerate(driven):
            x = keep @ x + one
            states[k + 1] = x
        return np.asarray(states @ self.C.T + u @ self.D.T)

    def to_scipy(self) -> Any:
        """Return it as a `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace as SignalStateSpace

        return SignalStateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:
        """Return it as a `control.StateSpace` with its names, which have _ for every dot there."""
        try:
            import control
        except ImportError as error:
            raise ModelError(
                "state space: the package control is not installed; run: pip install 'floatframe[control]'"
            ) from error
        names = {
            "states": _undotted(self.states),
            "inputs": _undotted(port.name for port in self.inputs),
            "outputs": _undotted(port.name for port in self.outputs),
        }
        return control.ss(self.A, self.B, self.C, self.D, name=_undotted([self.name])[0], **names)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write A, B, C, D with all names and units: plant.mat for MATLAB and Octave, .npz for NumPy, .json."""
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise WriteError(f"'{path}': a state space is written as {', '.join(SUFFIXES)}, not '{path.suffix}'.")
        words = {
            "states": list(self.states),
            "inputs": [port.name for port in self.inputs],
            "input_units": [port.unit for port in self.inputs],
            "outputs": [port.name for port in self.outputs],
            "output_units": [port.unit for port in self.outputs],
        }
        matrices: dict[str, Any] = {"A": self.A, "B": self.B, "C": self.C, "D": self.D}
        with complete_file(path) as temporary, open(temporary, "wb") as file:
            if suffix == ".json":
                numbers = {key: value.tolist() for key, value in matrices.items()}
                text = json.dumps({"format": FORMAT, "name": self.name, **words, **numbers}, indent=1, allow_nan=False)
                file.write(text.encode())
            elif suffix == ".npz":
                arrays: dict[str, Any] = {key: np.array(value, dtype=str) for key, value in words.items()}
                np.savez(file, **matrices, **arrays)
            else:
                from scipy.io import savemat

                cells = {key: np.array(value, dtype=object) for key, value in words.items()}
                savemat(file, {**matrices, **cells, "name": self.name})
        return path


def state_space_of(
    system: CompiledSystem,
    inputs: Sequence[str] | str,
    outputs: Sequence[str] | str,
    state: State | str | None = None,
) -> StateSpace:
    """Return the state space of a system near a state between named inputs and outputs.

    Parameters
    ----------
    system
        The compiled system.
    inputs, outputs
        Names, see `linear_system`; a prescribed motion is an input by its acceleration, whichever way it is named.
    state
        The state about which motions are small, or "start", "equilibrium" or "steady" (default: the equilibrium, for
        wheels on a track steady rolling).
    """
    linear = linear_system(system, state_at(system, state), listed(inputs), listed(outputs))
    return as_state_space(linear, system.model.name)


def as_state_space(linear: LinearSystem, name: str = "model") -> StateSpace:
    """Return linear equations as a state space."""
    A, B = standard_form(linear)
    C = linear.C[0] + linear.C[1] @ A
    D = linear.D + linear.C[1] @ B
    n, m = len(A), len(linear.inputs)
    led = np.flatnonzero([linear.led[:, j].any() or B[1:, :, j].any() or D[1:, :, j].any() for j in range(m)])
    count, force = len(led), np.setdiff1d(np.arange(m), led)
    size = n + 2 * count
    wide, read = np.zeros((size, size + m)), np.zeros((len(C), size + m))
    wA, wB, wC, wD = wide[:, :size], wide[:, size:], read[:, :size], read[:, size:]
    scale = linear.scale
    wA[:n, :n] = scale[:, None] * A / scale
    wC[:, :n] = C / scale
    wB[:n, force], wD[:, force] = scale[:, None] * B[0][:, force], D[0][:, force]
    # displacement and rate of what is moved are states behind the others
    at, rate = np.arange(n, n + count), np.arange(n + count, size)
    wA[:n, at], wA[:n, rate] = scale[:, None] * B[0][:, led], scale[:, None] * B[1][:, led]
    wA[at, rate] = 1.0
    wB[:n, led], wB[rate, led] = scale[:, None] * B[2][:, led], 1.0
    wC[:, at], wC[:, rate], wD[:, led] = D[0][:, led], D[1][:, led], D[2][:, led]
    motions = [_motion(linear.inputs[j], linear.order[j]) for j in led]
    ports = list(linear.inputs)
    for j, port in zip(led, motions, strict=True):
        ports[j] = Port(port.name + ORDERS[2], f"{port.unit}/s2")
    states = (*linear.states, *(port.name for port in motions), *(port.name + ORDERS[1] for port in motions))
    return StateSpace(wA.copy(), wB.copy(), wC.copy(), wD.copy(), states, tuple(ports), linear.outputs, name)


def _undotted(names: Iterable[str]) -> list[str]:
    """Names for the package control, which keeps the dot for systems in systems."""
    return [name.replace(".", "_") for name in names]


def _motion(port: Port, order: int) -> Port:
    """The displacement of a prescribed motion that was named by it, its rate or its acceleration."""
    return Port(port.name.removesuffix(ORDERS[order]), port.unit.removesuffix(("", "/s", "/s2")[order]))
