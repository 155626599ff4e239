"""Hybrid multibody models: rigid and flexible subsystems, joints, forces, equilibrium, simulation.

Names load on first use: the compiled kernels behind some of them cost a moment to import.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "model": ["Model"],
    "model_file": ["ModelFile", "is_model_file", "read_model", "read_model_text"],
    "model_source": ["ModelFileError"],
    "model_write": ["write_model"],
    "subsystems": ["Instance", "Subsystem"],
    "bodies": ["FlexibleBody", "RigidBody"],
    "places": ["Ground", "Place"],
    "damping": ["ModalDamping", "Rayleigh"],
    "equilibrium": ["Equilibrium", "find_equilibrium"],
    "linear": ["Linear"],
    "tables": ["Table", "read_table"],
    "expression": ["Expression", "parse"],
    "holding": ["HeldModes", "held_modes"],
    "joints": [
        "Joint",
        "Relation",
        "Step",
        "cylindrical",
        "distance",
        "fixed",
        "free",
        "gear",
        "general",
        "motion",
        "planar",
        "point_on_line",
        "point_on_plane",
        "prismatic",
        "rack",
        "relation",
        "revolute",
        "rotate",
        "screw",
        "spherical",
        "translate",
        "universal",
    ],
    "elements": [
        "Force",
        "bump_stop",
        "bushing",
        "contact_plane",
        "friction",
        "joint_force",
        "joint_friction",
        "joint_torque",
        "point_force",
        "point_torque",
        "spring",
        "user_force",
    ],
    "stages": ["Stage"],
    "state": ["State"],
    "system": ["System"],
    "recording": ["MemoryWriter", "Record"],
    "results": ["Status"],
    "deformations": ["deformation"],
    "run_system": ["Results", "system_of"],
    "sweeps": ["SweepResult", "sweep"],
    "sweep_grid": ["parse_vary"],
    "signals": ["Peak", "Signal", "bandpass", "detrend", "highpass", "lowpass", "peak", "resample", "rms"],
    "spectra": [
        "PowerDensity",
        "Spectrogram",
        "Spectrum",
        "TransferFunction",
        "psd",
        "spectrogram",
        "spectrum",
        "transfer_function",
    ],
    "contributions": ["ModeContributions", "mode_contributions", "node_contributions"],
    "elements_rail": ["wheel_rail"],
    "flat": ["FlatBody", "FlatForce", "FlatJoint", "FlatModel", "FlatPlace", "FlatRelation", "FlatStage", "FlatStep"],
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"floatframe.hybrid.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.hybrid' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
