"""`floatframe warmup` compiles the solver of large models."""

from __future__ import annotations

from floatframe.fem.assembly import assemble
from floatframe.modal import warmup
from floatframe.modal.factor import is_small


def test_the_model_of_the_warm_up_is_a_large_one(monkeypatch):
    """Small ones are solved by SuperLU and would compile nothing."""
    solved = []
    monkeypatch.setattr(warmup, "eigenmodes", lambda fe, **options: solved.append(fe))
    monkeypatch.setattr(warmup, "reduce", lambda fe, **options: solved.append(fe))
    warmup.warm_up()
    assert len(solved) == 2
    assert not any(is_small(assemble(fe, quantity)) for fe in solved for quantity in ("stiffness", "mass"))
