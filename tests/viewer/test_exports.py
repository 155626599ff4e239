"""Moving scenes in glTF and VTU, read back by other programs: trimesh, pygltflib, VTK."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.viewer.scene import Carrier, Harmonic, Part, Scene

Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # from our axes to those of glTF


def numbers(document, accessor):
    """Return the rows of an accessor."""
    view = document.bufferViews[document.accessors[accessor].bufferView]
    data = document.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[document.accessors[accessor].type]
    kind = "<f4" if document.accessors[accessor].componentType == 5126 else "<u4"
    return np.frombuffer(data, kind).reshape(-1, width)


def rotation(q):
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def played(document, k):
    """Return where all points are at key k of the animation, by names of meshes, as a player of glTF works it out."""
    nodes, (animation,) = document.nodes, document.animations
    state = {}
    for channel in animation.channels:
        rows = numbers(document, animation.samplers[channel.sampler].output)
        count = len(numbers(document, animation.samplers[channel.sampler].input))
        state[channel.target.node, channel.target.path] = rows.reshape(count, -1)[k]
    found = {}

    def walk(number, A, b):
        node = nodes[number]
        R = rotation(state.get((number, "rotation"), node.rotation or (0, 0, 0, 1)))
        scale = np.asarray(state.get((number, "scale"), node.scale or (1, 1, 1)))
        A, b = A @ (R * scale), A @ np.asarray(state.get((number, "translation"), node.translation or (0, 0, 0))) + b
        if node.mesh is not None:
            mesh = document.meshes[node.mesh]
            points = numbers(document, mesh.primitives[0].attributes.POSITION).astype(float)
            weights = state.get((number, "weights"), mesh.weights or [])
            for weight, target in zip(weights, mesh.primitives[0].targets or [], strict=True):
                points = points + weight * numbers(document, target["POSITION"])
            found.setdefault(node.name, []).append(points @ A.T + b)
        for child in node.children or []:
            walk(child, A, b)

    walk(document.scenes[0].nodes[0], np.eye(3), np.zeros(3))
    return found


def test_run_in_gltf_moves_as_the_scene_does(machine_folder, tmp_path):
    pygltflib = pytest.importorskip("pygltflib")
    result = ff.hybrid.Results.open(machine_folder / "run.h5")
    path = ff.viewer.gltf(result, tmp_path / "run.glb", amplitude=2.0)
    document = pygltflib.GLTF2().load(str(path))
    scene = ff.viewer.scene_of(result)
    (clip,) = scene.clips
    k = len(clip.t) // 3
    (animation,) = document.animations
    t = numbers(document, animation.samplers[0].input).ravel()
    np.testing.assert_allclose(t, clip.t - clip.t[0], atol=1e-6)
    moment = (clip.t[k] - clip.t[0]) / (clip.t[-1] - clip.t[0])
    expected = scene.positions(scene.state(clip, moment, 2.0))
    shown = played(document, k)
    names = [part.name for part in scene.parts if part.faces or len(part.lines)]
    assert {"rod", "springs", "joints"} <= shown.keys()
    assert set(shown) == set(names)
    # nodes stand in the order of the carriers
    for part, places in sorted(zip(scene.parts, expected, strict=True), key=lambda one: one[0].carrier):
        drawn = shown[part.name].pop(0)
        # single precision, and the pose of a flexible body without its shear, of second order in small turns
        np.testing.assert_allclose(drawn, places @ Y_UP.T, atol=2e-4 * scene.size)


def test_mode_in_gltf_swings_as_the_scene_does(tmp_path):
    pygltflib = pytest.importorskip("pygltflib")
    shapes = np.zeros((1, 3, 3))
    shapes[0, 1:, 2] = 1.0, 3.0
    bar = Part("bar", np.eye(3), (np.array([[0, 1, 2]]),), anchor=np.arange(3))
    shift = np.hstack([np.zeros((3, 3)), np.array([[0.1j], [0.2], [0.0]])])
    clip = Harmonic("mode 1", (np.array([1.0 + 0.5j]),), 2.0, pose=shift[None])
    scene = Scene((bar,), (Carrier("b", shapes),), (clip,), title="bar")
    document = pygltflib.GLTF2().load(str(ff.viewer.gltf(scene, tmp_path / "mode.glb", amplitude=0.3)))
    for k in (0, 5, 13, 24):
        (places,) = scene.positions(scene.state(clip, k / 24, scene.scale(clip, 0.3)))
        np.testing.assert_allclose(played(document, k)["bar"][0], places @ Y_UP.T, atol=1e-6)


def test_glb_is_whole_and_other_readers_open_it(machine_folder, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "run.glb"
    assert run(["view", str(machine_folder / "run.h5"), "--save", str(path)]) == 0
    content = path.read_bytes()
    assert struct.unpack_from("<4sII", content) == (b"glTF", 2, len(content))
    opened = trimesh.load(path)
    assert len(opened.geometry) >= 4
    # our own reader of shapes turns it back to z upwards
    surface = ff.io.read_shape(path)
    scene = ff.viewer.scene_of(ff.hybrid.Results.open(machine_folder / "run.h5"))
    faced = [points for part, points in zip(scene.parts, scene.positions(scene.rest), strict=True) if part.faces]
    np.testing.assert_allclose(surface.points.max(axis=0), np.concatenate(faced).max(axis=0), atol=1e-3 * scene.size)


def test_series_for_paraview_holds_places_displacement_and_colours(machine_folder, tmp_path):
    import pyvista

    path = tmp_path / "run.pvd"
    assert run(["view", str(machine_folder / "run.h5"), "--save", str(path)]) == 0
    scene = ff.viewer.scene_of(ff.hybrid.Results.open(machine_folder / "run.h5"))
    (clip,) = scene.clips
    sets = ET.parse(path).findall(".//DataSet")
    np.testing.assert_allclose([float(one.get("timestep")) for one in sets], clip.t, atol=1e-9)
    k = len(sets) // 2
    grid = pyvista.read(tmp_path / sets[k].get("file"))
    moment = (clip.t[k] - clip.t[0]) / (clip.t[-1] - clip.t[0])
    state = scene.state(clip, moment)
    places = np.concatenate(scene.positions(state))
    # single precision
    np.testing.assert_allclose(grid.points, places, atol=1e-6 * scene.size)
    start = np.concatenate(scene.positions(scene.state(clip, 0.0)))
    np.testing.assert_allclose(grid.point_data["displacement"], places - start, atol=1e-6 * scene.size)
    colours = grid.point_data["deformation from joints [m]"]
    assert np.nanmax(colours) == pytest.approx(scene.peak(scene.values(clip, state)).value, rel=1e-5)
    assert grid.n_cells == sum(len(g) for part in scene.parts for g in (*part.faces, part.lines))


def test_series_replaces_its_own_frames_and_no_others(beam, tmp_path):
    modes = ff.modal.eigenmodes(beam, n=7)
    for _ in range(2):
        ff.viewer.save(beam, tmp_path / "mode.pvd", mode=7, modes=modes)
    assert len(list((tmp_path / "mode-frames").iterdir())) == 24
    (tmp_path / "mode-frames/notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ff.WriteError, match="holds other files than an earlier series"):
        ff.viewer.save(beam, tmp_path / "mode.pvd", mode=7, modes=modes)
    assert (tmp_path / "mode-frames/notes.txt").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mode-frames", "mode.pvd"]
