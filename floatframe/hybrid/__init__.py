"""Hybrid multibody models: rigid and flexible subsystems, joints, forces, equilibrium, simulation.

Names load on first use: the compiled kernels behind some of them cost a moment to import.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "model": ["Model"],
    "model_file": ["ModelFile", "is_model_file", "read_model", "read_model_text"],
    "modelfile.source": ["ModelFileError"],
    "modelfile.writer": ["write_model"],
    "description.subsystems": ["Instance", "Subsystem"],
    "description.bodies": ["FlexibleBody", "RigidBody"],
    "description.places": ["Ground", "Place"],
    "description.damping": ["ModalDamping", "Rayleigh"],
    "studies.equilibrium": ["Equilibrium", "find_equilibrium"],
    "studies.linear": ["Linear"],
    "expressions.tables": ["Table", "read_table"],
    "expressions.expression": ["Expression", "parse"],
    "studies.holding": ["HeldModes", "held_modes"],
    "description.joints": [
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
    "description.forces": [
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
    "description.stages": ["Stage"],
    "assembly.state": ["State"],
    "system": ["System"],
    "results.recording": ["MemoryWriter", "Record"],
    "results.results": ["Status"],
    "deformations": ["deformation"],
    "run_system": ["Results", "system_of"],
    "sweep.sweep": ["SweepResult", "sweep"],
    "sweep.grid": ["parse_vary"],
    "signals.histories": ["Peak", "Signal", "bandpass", "detrend", "highpass", "lowpass", "peak", "resample", "rms"],
    "signals.spectra": [
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
    "description.rail": ["wheel_rail"],
    "flat.model": [
        "FlatBody",
        "FlatForce",
        "FlatJoint",
        "FlatModel",
        "FlatPlace",
        "FlatRelation",
        "FlatStage",
        "FlatStep",
    ],
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        parent = "floatframe" if _HOME[name].startswith("signals.") else "floatframe.hybrid"
        return getattr(importlib.import_module(f"{parent}.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.hybrid' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
