"""Random parameters: distributions against theory, samples that a seed repeats, statistics of the measures."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import floatframe as ff
from floatframe import hybrid
from floatframe.errors import ModelError
from floatframe.hybrid.sweep.random_values import distribution

MANY = 4000
LOG_SPREAD = np.sqrt(np.log1p(0.3**2))
THEORY = {
    "uniform(2, 5)": scipy.stats.uniform(2, 3),
    "normal(10, 3)": scipy.stats.norm(10, 3),
    "lognormal(10, 3)": scipy.stats.lognorm(LOG_SPREAD, scale=10 / np.sqrt(1 + 0.3**2)),
    "triangular(1, 2, 4)": scipy.stats.triang(1 / 3, loc=1, scale=3),
}


@pytest.mark.parametrize("text", THEORY)
def test_samples_have_their_distribution(text):
    values = distribution("mass", text).draw("mass", 1, MANY)
    # the largest gap of the two distribution functions; a right one exceeds this once in 10^4 seeds
    assert scipy.stats.kstest(values, THEORY[text].cdf).statistic < 2.2 / np.sqrt(MANY)
    if text.startswith("lognormal"):
        # mean and deviation are those of the values, within four standard errors
        assert np.mean(values) == pytest.approx(10.0, abs=4 * 3 / np.sqrt(MANY))
        assert np.std(values) == pytest.approx(3.0, rel=0.15)


def test_samples_depend_on_seed_and_name_alone():
    one = distribution("mass", "normal(0, 1)")
    np.testing.assert_array_equal(one.draw("mass", 1, 5), one.draw("mass", 1, 50)[:5])
    assert set(one.draw("mass", 1, 50)).isdisjoint(one.draw("mass", 2, 50))
    assert set(one.draw("mass", 1, 50)).isdisjoint(one.draw("length", 1, 50))
    pair = np.array([one.draw("mass", 1, MANY), one.draw("length", 1, MANY)])
    assert abs(np.corrcoef(pair)[0, 1]) < 4 / np.sqrt(MANY)


def oscillator() -> hybrid.Model:
    model = hybrid.Model(gravity=(0, 0, -9.81), parameters={"mass": 1.0, "stiffness": 100.0})
    block = model.add(hybrid.RigidBody("block", "mass", inertia=(1, 1, 1)))
    model.add(hybrid.prismatic("slide", block.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(hybrid.joint_force("spring", "slide", "-stiffness*displacement"))
    return model


def test_statistics_of_a_rest_position(tmp_path):
    """A block hangs lower by m g / k: the statistics of what is measured are those of its mass."""
    asked = {"vary": {"mass": "normal(2, 0.1)", "stiffness": [100.0, 400.0]}, "study": "equilibrium"}
    model, path = oscillator(), tmp_path / "random.h5"
    result = hybrid.sweep(
        model, **asked, measure="slide.displacement", samples=hybrid.Samples(8, seed=5), workers=2, path=path
    )
    mass = result.samples["mass"]
    assert isinstance(mass, np.ndarray)
    assert result.shape == (2, 8)
    assert result.points[9] == {"stiffness": 400.0, "sample": 2.0, "mass": mass[1]}
    for one, stiffness in zip(result.statistics(), (100.0, 400.0), strict=True):
        rest = -mass * 9.81 / stiffness
        assert (one.point, one.column.name, one.count) == ({"stiffness": stiffness}, "slide.displacement", 8)
        # Newton's method stops at 1e-9 of the forces
        assert one.mean == pytest.approx(rest.mean(), rel=1e-8)
        assert one.standard_deviation == pytest.approx(rest.std(ddof=1), rel=1e-6)
        assert one.percentiles[95] == pytest.approx(np.quantile(rest, 0.95), rel=1e-8)
    kept = ff.io.read(path)
    assert kept.points == result.points
    np.testing.assert_array_equal(kept.samples["mass"], mass)
    more = hybrid.sweep(
        model,
        **asked,
        measure="slide.displacement",
        samples=hybrid.Samples(12, seed=5),
        workers=1,
        path=path,
        resume=True,
    )
    np.testing.assert_array_equal(more["slide.displacement"][:, :8], result["slide.displacement"])
    np.testing.assert_array_equal(more.seconds.reshape(2, 12)[:, :8], result.seconds.reshape(2, 8))
    with pytest.raises(ModelError, match="begun with seed 5, found 6"):
        hybrid.sweep(
            model,
            **asked,
            measure="slide.displacement",
            samples=hybrid.Samples(12, seed=6),
            workers=1,
            path=path,
            resume=True,
        )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"vary": {"mass": "normal(1, 0.1)"}}, "give the number of samples"),
        ({"vary": {"mass": [1.0]}, "samples": 10}, "samples of nothing"),
        ({"vary": {"mass": "gauss(1, 0.1)"}, "samples": 10}, "distribution 'gauss' does not exist"),
        ({"vary": {"mass": "normal(1)"}, "samples": 10}, r"expected the numbers normal\(mean, standard deviation\)"),
        ({"vary": {"mass": "normal(1, -1)"}, "samples": 10}, "expected a positive standard deviation"),
        ({"vary": {"mass": "uniform(2, 1)"}, "samples": 10}, "expected low < high"),
        ({"vary": {"mass": "normal(1, 0.1)"}, "samples": 0}, "samples is 0"),
    ],
    ids=str,
)
def test_requests_that_make_no_sense(asked, sentence):
    with pytest.raises(ModelError, match=sentence):
        hybrid.sweep(oscillator(), **asked, study="equilibrium", measure="slide.displacement", workers=1)


def test_a_seed_is_not_negative():
    with pytest.raises(ModelError, match="seed is -1"):
        hybrid.Samples(10, seed=-1)
