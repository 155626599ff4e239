"""What cannot be laid is refused in one sentence that names it; what is rough to ride on is warned of."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import FloatframeError
from floatframe.railway.track import (
    Curve,
    Fault,
    Gradient,
    Irregularity,
    Kilometres,
    Measured,
    Spectrum,
    SpectrumTable,
    Straight,
    Track,
    Transition,
    read_kilometres,
    read_measured,
    read_spectrum,
)

S = np.linspace(0.0, 80.0, 81)
WAVES = Irregularity.of_class("FRA 4")


@pytest.mark.parametrize(
    ("make", "words", "field"),
    [
        (lambda: Straight(-5.0), "length -5 m, expected more than 0", "length"),
        (lambda: Transition(0.0), "length 0 m, expected more than 0", "length"),
        (lambda: Transition(10.0, "clotoid"), "did you mean clothoid", "kind"),
        (lambda: Transition(10.0, ramp="steep"), "linear, cosine, bloss", "ramp"),
        (lambda: Curve(10.0, 0.0), "expected a radius other than 0", "radius"),
        (lambda: Gradient(0.0, 10.0), "0.01 for 10 ‰", "slope"),
        (lambda: Track(), "neither of sections and a table", "sections"),
        (lambda: Track([Curve(10.0, -5.0)]), "radius of 5 m, expected at least 14.35 m", "sections.0.radius"),
        (lambda: Track([Straight(9.0), Curve(9.0, 300.0, 0.1)]), "cant jumps from 0 to 0.1 m at 9 m", "sections.1"),
        (lambda: Track([Straight(9.0), Straight(9.0, widening=0.01)]), "gauge jumps from 1.435 to 1.445", "sections.1"),
        (lambda: Track([Transition(9.0), Curve(9.0, 300.0, 120.0)]), "cant is given in metres", "sections.1.cant"),
        (lambda: Track([Transition(9.0), Transition(9.0)]), "both transitions", "sections.0"),
        (
            lambda: Track([Straight(900.0)], [Gradient(100.0, 0.01, 9e3), Gradient(150.0, 0.0, 9e3)]),
            "begins at 105 m, before the last one ends at 145 m",
            "gradients.1",
        ),
        (lambda: Track([Straight(9.0)], gauge=-1.0), "gauge -1 m", "gauge"),
        (lambda: Track([Straight(9.0)], cant_about="rail"), "centre, low rail", "cant_about"),
        (lambda: Kilometres([0.0, 10.0, 5.0], [0.0, 0.0, 0.0]), "row 3: the distance 5 m follows 10 m", "s"),
        (lambda: Kilometres([0.0, 10.0], [0.0]), "found 1 values of curvature, expected 2", "curvature"),
        (lambda: Track(kilometres=Kilometres([0.0, 10.0], [0.2, 0.2])), "radius of 5 m", "kilometres"),
        (lambda: Irregularity.of_class("FRA 9"), "unknown class 'FRA 9'; did you mean FRA", "quality"),
        (lambda: Irregularity.of_class("FRA 4", ["roll"]), "unknown quantity 'roll'", "quantities"),
        (lambda: Irregularity.of_class("FRA 4", wavelengths=(100.0, 3.0)), "the shortest and longest", "wavelengths"),
        (lambda: Irregularity.of_class("FRA 4", seed=-1), "whole number from 0", "seed"),
        (lambda: Spectrum((), (1.0,)), "coefficients of Ω⁰", "numerator"),
        (lambda: SpectrumTable([1.0, 0.5], [1.0, 1.0]), "positive and increasing", "omega"),
        (lambda: Fault("hole", 0.0, 0.1, 1.0), "dip, joint, switch", "kind"),
        (lambda: Fault("switch", 0.0, 0.1, 1.0), "blade at one rail", "rail"),
        (lambda: Measured(S, {"vertical": S[:5]}), "shape (5,), expected (81,)", "values"),
        (
            lambda: Track([Straight(90.0)], irregularities=[WAVES, Measured(S, {"vertical": 0 * S})]).rails,
            "cover 0 … 80 m, the track 0 … 90 m; give a longer record",
            "irregularities.1.beyond",
        ),
        (
            lambda: Track([Straight(90.0)], irregularities=[Fault("dip", 91.0, 0.01, 1.0)]).rails,
            "the dip at 91 m is outside the track, which goes from 0 to 90 m",
            "irregularities.0.at",
        ),
        (
            lambda: Track([Straight(80.0)], irregularities=[Measured(S, {"vertical": 1.5 + 0 * S})]).rails,
            "have a vertical of 1.5 m, expected 0.5 m at most; they are given in metres",
            "irregularities.0",
        ),
        (lambda: Track([Straight(90.0)], irregularities=[WAVES], step=0.5).rails, "expected 0.191 m or less", "step"),
    ],
)
def test_refused_in_one_sentence(make, words, field):
    with pytest.raises(FloatframeError) as caught:
        make()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (read_kilometres, "km,radius\n0,0\n0.2,0\n0.1,300\n", ":4: the distance 100 m follows 200 m"),
        (read_kilometres, "km,radius\n0,0\n0.2,\n0.3,x\n", ":4: found '0.3,x', expected 2 numbers"),
        (read_kilometres, "km,radius\n0,0\n0.2,nan\n", ":3: found '0.2,nan', expected 2 numbers"),
        (read_kilometres, "km,raduis\n0,0\n1,0\n", ":1: unknown column 'raduis'; did you mean radius?"),
        (read_kilometres, "s,cant\n0,0\n1,0\n", "expected one of 'curvature' and 'radius'"),
        (read_kilometres, "s,radius,cant [inch]\n0,0,0\n1,0,0\n", "unknown unit 'inch' of column 'cant'"),
        (read_kilometres, "s,radius,cant\n0,0,0\n1,0,\n", ":3: cant is empty"),
        (read_kilometres, "s,radius\n0,0\n", "found 1 rows, expected headings and two rows"),
        (read_measured, "s,vertical\n0,0\n1,0\n1,0\n2,0\n", ":4: the distance 1 m follows 1 m"),
        (read_measured, "vertical\n0\n1\n", "expected one of 's' and 'km'"),
        (read_spectrum, "omega\n0\n1\n", "expected omega or wavenumber, and density"),
    ],
)
def test_files_with_mistakes(tmp_path, read, text, words):
    path = tmp_path / "line.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FloatframeError) as caught:
        read(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_files_in_other_units(tmp_path):
    path = tmp_path / "line.csv"
    path.write_text(
        "# a line\nkm;radius [m];cant [mm];gauge [mm];gradient [‰]\n0;;0;1435;0\n0,1;-500;-90;1440;5\n", "utf-8"
    )
    found = read_kilometres(path)
    np.testing.assert_allclose(found.s, [0.0, 100.0])
    np.testing.assert_allclose(found.curvature, [0.0, -2e-3])
    np.testing.assert_allclose(found.cant, [0.0, -0.09])
    np.testing.assert_allclose(found.widening, [0.0, 5e-3], atol=1e-15)
    np.testing.assert_allclose(found.gradient, [0.0, 5e-3])


def test_jumps_of_curvature_and_gradient_are_warned_of():
    with pytest.warns(UserWarning, match="curvature jumps at 50 m; a transition"):
        Track([Straight(50.0), Curve(50.0, 300.0)])
    with pytest.warns(UserWarning, match="gradient jumps at 20 m; a vertical radius"):
        Track([Straight(50.0)], [Gradient(20.0, 0.01)])
    bends = [Transition(50.0), Curve(50.0, 300.0, 0.1), Transition(40.0), Curve(50.0, -300.0, 0.1), Transition(50.0)]
    with pytest.warns(UserWarning, match="middle has a kink at 120 m"):
        Track(bends, cant_about="low rail")
