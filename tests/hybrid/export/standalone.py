"""Exported code run without the program: C through a shared library, Python as a module of its own."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess

import numpy as np
import pytest


def compiled(path, folder):
    """accelerations(t, q, v, z, angles) -> a, lambda, z_rate and coordinate_rates(q, v) of exported C."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    library = folder / f"{path.stem}.so"
    flags = ("-std=c99", "-O0", "-ffp-contract=off", "-Wall", "-Werror", "-shared", "-fPIC")
    subprocess.run([compiler, *flags, str(path), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def place(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def c_accelerations(library, name, system, state, angles):
    a, lam, rates = np.zeros(system.nv), np.zeros(system.nlambda), np.zeros(system.nz)
    z = state.memory[system.tables.states["memory"]]
    inputs = [place(np.ascontiguousarray(x)) for x in (state.q, state.v, z, angles)]
    function = getattr(library, f"{name}_accelerations")
    assert function(ctypes.c_double(state.t), *inputs, place(a), place(lam), place(rates)) == 0
    return a, lam, rates


def imported(path):
    """Exported Python as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def c_angles(library, name, q, angles):
    """Measured angles at q, near those last known."""
    now = np.array(angles)
    getattr(library, f"{name}_angles")(place(np.ascontiguousarray(q)), place(now))
    return now
