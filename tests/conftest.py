"""Fixtures shared by all tests."""

from __future__ import annotations

import signal

import pytest

import floatframe as ff
from tests.browsers import browser, chromium

# here once: two copies in one process would start playwright twice, which it refuses
__all__ = ["browser", "chromium"]

# background jobs of a shell ignore Ctrl-C, and so would all processes that the tests start and interrupt
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests, which run what README and the guide print, come first: at the end one worker would wait."""
    items.sort(key=lambda item: item.path.name not in ("test_readme.py", "test_docs.py"))


@pytest.fixture(scope="session")
def rendering() -> None:
    """Leave out tests that draw where drawing is impossible, with the reason."""
    if problem := ff.viewer.rendering_problem():
        pytest.skip(f"no off-screen rendering here: {problem}")


@pytest.fixture(scope="session")
def beam() -> ff.fem.FEModel:
    """A short steel beam with node sets "start" and "end"."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=steel)
