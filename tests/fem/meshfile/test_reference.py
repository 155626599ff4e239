"""The manual of mesh files names every key, from the tables that read them."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from floatframe.errors import FloatframeError
from floatframe.fem.meshfile.features import FEATURES
from floatframe.fem.meshfile.parts import PARTS
from floatframe.fem.meshfile.reference import START, reference
from tests.fem.meshfile.mesh_text import mesh

DOCS = Path(__file__).parents[3] / "docs"


def test_the_manual_ends_with_the_reference_of_all_keys():
    text = (DOCS / "reference" / "mesh-file.md").read_text(encoding="utf-8")
    # to renew it, write what reference() returns behind its first line
    assert text[text.index(START) :] == reference()


@pytest.mark.parametrize("kinds", [PARTS, FEATURES], ids=["parts", "features"])
def test_required_keys_are_those_without_a_default_in_python(kinds):
    for name, kind in kinds.items():
        parameters = inspect.signature(kind.make).parameters
        for key, rule in kind.keys.items():
            if key in parameters:
                assert rule.required == (parameters[key].default is inspect.Parameter.empty), f"{name}, {key}"


def test_the_mistake_of_the_manual_is_reported_as_it_prints_it(tmp_path):
    text = (DOCS / "how-to" / "mesh-files.md").read_text(encoding="utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    printed = text.partition("```text\n")[2].partition("\n```")[0]
    with pytest.raises(FloatframeError) as caught:
        mesh(tmp_path, example.replace('"SHS 80x5"', '"SHS 80x60x5"'), head="")
    assert str(caught.value).removeprefix(f"{tmp_path}/").replace("mesh.toml", "trolley.toml") == printed
