"""Rigid bodies with a shape from a file: where their mass comes from, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import FloatframeError
from floatframe.hybrid.modelfile import write_model
from floatframe.userfiles import noting_files, was_read

A, B, C = 0.1, 0.2, 0.3  # m


def write_box(path: Path, unit: float = 1e-3, whole: bool = True) -> None:
    """Write a box with a corner at the origin as OBJ, in units of so many metres."""
    corners = [(x, y, z) for x in (0, A) for y in (0, B) for z in (0, C)]
    sides = [[1, 2, 4, 3], [5, 7, 8, 6], [1, 5, 6, 2], [3, 4, 8, 7], [1, 3, 7, 5], [2, 6, 8, 4]]
    lines = [f"v {x / unit} {y / unit} {z / unit}" for x, y, z in corners]
    lines += ["f " + " ".join(map(str, side)) for side in (sides if whole else sides[:-1])]
    path.write_text("\n".join(lines), encoding="utf-8")


def text(keys: str) -> str:
    return f"""
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
[parameters]
rho = 2700
[[body]]
name = "part"
{keys}
[[joint]]
name = "A"
type = "revolute"
axis = [0, 1, 0]
place = {{ body = "part" }}
against = {{ body = "ground" }}
"""


def body_of(folder: Path, keys: str, **parameters: float) -> Any:
    (folder / "model.toml").write_text(text(keys), encoding="utf-8")
    (body,) = ff.hybrid.read_model(folder / "model.toml").model.compile(parameters).model.bodies
    return body


def test_density_gives_mass_centre_and_inertia(tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj")
    body = body_of(tmp_path, 'shape = "part.obj"\nscale = "mm"\ndensity = "rho"')
    mass = 2700 * A * B * C
    # millimetres with all digits of a double: rounding only
    assert_allclose(body.mass, mass, rtol=1e-12)
    assert_allclose(body.com, [A / 2, B / 2, C / 2], rtol=1e-12)
    expected = mass / 12 * np.diag([B * B + C * C, A * A + C * C, A * A + B * B])
    assert_allclose(body.inertia, expected, atol=1e-12)
    light = body_of(tmp_path, 'shape = "part.obj"\nscale = "mm"\ndensity = "rho"', rho=1.0)
    assert_allclose(light.mass * 2700, mass, rtol=1e-12)


def test_mass_alone_is_spread_over_the_solid(tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj")
    body = body_of(tmp_path, 'shape = "part.obj"\nscale = 1e-3\nmass = 12')
    assert_allclose(body.inertia, np.diag([B * B + C * C, A * A + C * C, A * A + B * B]), rtol=1e-12, atol=1e-12)


def test_shape_is_only_drawn_where_inertia_is_given(tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj", whole=False)
    body = body_of(tmp_path, 'shape = "part.obj"\nscale = "mm"\nmass = 3\ninertia = [1, 2, 2]')
    assert_allclose(body.inertia, np.diag([1.0, 2.0, 2.0]))
    assert_allclose(body.com, 0.0)
    assert len(body.shape.triangles) == 10


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (
            'shape = "part.obj"',
            "toml:6: body 'part': 'mass' is missing, expected mass .kg., or the density of the shape",
        ),
        ('shape = "part.obj"\ndensity = 1\nmass = 2', ":10: body 'part': found mass and density, expected one of them"),
        ('shape = "part.obj"\ndensity = 0', ":9: body 'part': found a density of 0 kg/m3, expected more than zero"),
        (
            'shape = "part.obj"\nscale = "mil"\ndensity = 1',
            "scale: found 'mil', expected one of m, dm, cm, mm, um, in, ft, or a number of metres",
        ),
        ('shape = "part.obj"\nscale = "2*mil"\ndensity = 1', "unknown name 'mil'"),
        ('shape = "hole.obj"\ndensity = 1', ":8: body 'part'.*'hole.obj' is not closed: 4 of its edges"),
        ('shape = "prat.obj"\ndensity = 1', "file 'prat.obj' does not exist beside it; did you mean part.obj"),
        ('shape = "part.doc"\ndensity = 1', "format of this shape is unknown"),
        ("density = 1", ":8: body 'part': found density without a shape"),
        ("inertia = [1, 1, 1]", "'mass' is missing"),
    ],
)
def test_mistakes_are_sentences_with_their_line(keys: str, words: str, tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj")
    write_box(tmp_path / "hole.obj", whole=False)
    (tmp_path / "part.doc").write_text("", encoding="utf-8")
    with pytest.raises(FloatframeError, match=words):
        body_of(tmp_path, keys)


def test_python_writes_what_it_reads(tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj", unit=0.0254)
    model = ff.hybrid.Model(gravity=(0, 0, -9.81), name="arm")
    part = model.add(ff.hybrid.RigidBody("part", shape=tmp_path / "part.obj", density=7850, scale="in"))
    model.add(ff.hybrid.revolute("A", part.at(), model.ground.at(), axis=(0, 1, 0)))
    write_model(tmp_path / "arm.toml", model)
    assert re.search(r'^shape = "part.obj"$', (tmp_path / "arm.toml").read_text(encoding="utf-8"), re.MULTILINE)
    (again,) = ff.hybrid.read_model(tmp_path / "arm.toml").model.compile().model.bodies
    (first,) = model.compile().model.bodies
    assert again.mass == first.mass
    assert_allclose(first.mass, 7850 * A * B * C, rtol=1e-12)


def test_shape_is_an_input_and_is_drawn_from_a_run(tmp_path: Path) -> None:
    write_box(tmp_path / "part.obj")
    (tmp_path / "model.toml").write_text(text('shape = "part.obj"\nscale = "mm"\ndensity = 2700'), encoding="utf-8")
    with noting_files():
        file = ff.hybrid.read_model(tmp_path / "model.toml")
        file.model.compile().simulate(t_end=0.1, path=tmp_path / "run.h5")
        assert was_read(tmp_path / "part.obj")
    scene = ff.viewer.scene_of(ff.hybrid.Results.open(tmp_path / "run.h5"))
    (part,) = [part for part in scene.parts if part.name == "part"]
    assert_allclose(np.ptp(part.points, axis=0), [A, B, C], rtol=1e-12)
    assert len(part.edges) == 12  # of a box, without the diagonals of its sides


def test_very_fine_shapes_are_drawn_coarser() -> None:
    from floatframe.viewer.drawing.surfaces import coarser

    n = 60
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n))
    points = np.column_stack([u.ravel(), v.ravel(), 0 * u.ravel()])
    k = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.concatenate([np.stack([k, k + 1, k + n], axis=1), np.stack([k + 1, k + n + 1, k + n], axis=1)])
    places, found = coarser(points, triangles, 1000)
    assert 100 < len(found) <= 1000
    a, b, c = places[found].transpose(1, 0, 2)
    # the rim shrinks by half a cell, about 1/40 of the side
    assert_allclose(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2, 1.0, atol=0.12)
