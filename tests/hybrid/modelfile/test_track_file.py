"""Tracks from files: all tables and keys, every mistake with its line."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff

LINE = """\
format = "floatframe-track/1"
name = "branch"

[parameters]
radius = 300.0
easing = "radius/4"

[track]
gauge = 1.432
rounding = 4.0

[[track.section]]
type = "straight"
length = 100.0

[[track.section]]
type = "transition"
length = "easing"
kind = "cosine"
ramp = "linear"

[[track.section]]
type = "curve"
length = 325.0
radius = "-radius"
cant = 0.12
widening = 0.01

[[track.gradient]]
at = 300.0
slope = 0.008
radius = 5000.0

[[track.irregularity]]
type = "class"
quality = "ERRI low"
quantities = ["vertical", "lateral"]
wavelengths = [3, "easing"]
seed = 4
fade = 10.0

[[track.irregularity]]
type = "spectrum"
quantity = "gauge"
numerator = [1e-8]
denominator = [0.01, 1.0]

[[track.irregularity]]
type = "spectrum"
quantity = "cross_level"
file = "psd.csv"
two_sided = true

[[track.irregularity]]
type = "measured"
file = "rails.csv"
beyond = "zero"

[[track.irregularity]]
type = "fault"
kind = "joint"
at = 200.0
depth = 0.004
length = 1.5
rail = "left"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "psd.csv").write_text("wavenumber [1/m],density\n0.005,1e-4\n0.5,1e-7\n")
    (tmp_path / "rails.csv").write_text("s,left_vertical [mm]\n" + "".join(f"{s},{s % 3}\n" for s in range(60)))
    (tmp_path / "line.csv").write_text("km,radius,cant [mm]\n0,0,0\n0.1,0,0\n0.16,400,60\n0.3,400,60\n")
    return tmp_path


def read(folder, text):
    path = folder / "branch.toml"
    path.write_text(text, encoding="utf-8")
    return ff.hybrid.read_track(path)


def test_a_file_gives_the_track_that_python_gives(folder):
    track = read(folder, LINE)
    r = ff.railway
    sections = [r.Straight(100.0), r.Transition(75.0, "cosine", "linear"), r.Curve(325.0, -300.0, 0.12, 0.01)]
    irregularities = [
        r.Irregularity.of_class("ERRI low", ("vertical", "lateral"), (3.0, 75.0), seed=4, fade=10.0),
        r.Irregularity({"gauge": r.Spectrum((1e-8,), (0.01, 1.0))}),
        r.Irregularity({"cross_level": r.SpectrumTable([0.005, 0.5], [1e-4, 1e-7], two_sided=True, cycles=True)}),
        r.read_measured(folder / "rails.csv", "zero"),
        r.Fault("joint", 200.0, 0.004, 1.5, "left"),
    ]
    gradients = [r.Gradient(300.0, 0.008, 5000.0)]
    same = r.Track(sections, gradients, irregularities=irregularities, gauge=1.432, rounding=4.0)
    assert track.name == "branch"
    s = np.linspace(0.0, 500.0, 77)
    assert_allclose(track.frame(s).p, same.frame(s).p, atol=1e-12)
    assert_allclose(track.frame(s).gauge, same.frame(s).gauge)
    assert (track.rails.values == same.rails.values).all()
    assert track.irregularity([200.0])[0, 1] < track.irregularity([200.0])[0, 3] - 3e-3


def test_tables_of_kilometres(folder):
    alone = ff.hybrid.read_track(folder / "line.csv")
    named = read(folder, 'format = "floatframe-track/1"\n[track]\nkilometres = "line.csv"\n')
    shaped = read(
        folder, 'format = "floatframe-track/1"\n[track]\nkilometres = { file = "line.csv", shape = "cosine" }\n'
    )
    assert (alone.length, named.length) == (300.0, 300.0)
    assert_allclose(
        [track.frame(115.0).cant for track in (alone, named, shaped)], [0.015, 0.015, 0.00878680], rtol=1e-6
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("length = 100.0", "length = -100.0", 14, "a straight: found length -100 m, expected more than 0"),
        ('kind = "cosine"', 'kinds = "cosine"', 19, "'kinds' is not a key of a transition; did you mean kind?"),
        ('radius = "-radius"', "radius = 5.0", 25, "section 3, curve: found a radius of 5 m"),
        ("cant = 0.12", "cant = 120", 26, "found a cant of 120 m, expected 0.3 m at most"),
        ('length = "easing"', 'length = "easy"', 18, "length: unknown name 'easy'"),
        ("ERRI low", "ERRI medium", 36, "unknown class 'ERRI medium'; did you mean"),
        ('type = "fault"', 'type = "break"', 60, "expected one of class, spectrum"),
        ('beyond = "zero"', "", 54, "cover 0 … 59 m, the track 0 … 500 m"),
        ('"rails.csv"', '"rail.csv"', 56, "did you mean rails.csv"),
        ("denominator = [0.01, 1.0]\n", "", 42, "expected numerator and denominator, omega and density, or file"),
        ("[track]", "[trakc]", None, "did you mean track?"),
        ("rounding = 4.0", "rounding = -4", 10, "found rounding -4 m"),
        ("floatframe-track/1", "floatframe-track/9", 1, 'expected format = "floatframe-track/1"'),
        ("slope = 0.008", "slope = true", 31, "slope is true, expected a number"),
        ('easing = "radius/4"', 'easing = "radios/4"', 6, "unknown parameter 'radios'"),
    ],
)
def test_mistakes_have_their_lines(folder, old, new, line, words):
    assert old in LINE
    with pytest.raises(ff.FloatframeError) as caught:
        read(folder, LINE.replace(old, new, 1))
    place = f"branch.toml:{line}: " if line else "branch.toml:"
    found = [str(problem) for problem in caught.value.problems]
    assert any(place in text and words in text for text in found), found


def test_all_mistakes_at_once(folder):
    with pytest.raises(ff.FloatframeError) as caught:
        read(folder, LINE.replace("length = 325.0", "length = 0").replace("slope = 0.008", 'slope = "up"'))
    assert len(caught.value.problems) == 2


def test_a_mistake_in_a_file_that_the_track_names_is_reported_once(tmp_path):
    """With the line that names it and its own."""
    (tmp_path / "measured.csv").write_text("s,left_y\n0,0\n100,0\n", encoding="utf-8")
    path = tmp_path / "model.toml"
    path.write_text(
        'format = "floatframe-model/1"\n[[track.section]]\ntype = "straight"\nlength = 50\n[[track.irregularity]]\n'
        'type = "measured"\nfile = "measured.csv"\n[[body]]\nname = "B"\nmass = 1\ninertia = [1, 1, 1]\n',
        encoding="utf-8",
    )
    with pytest.raises(ff.FloatframeError, match="unknown column 'left_y'") as report:
        ff.hybrid.read_model(path).model.compile()
    words = str(report.value)
    assert words.count("model.toml") == 1
    assert words.count("measured.csv") == 1
