"""The import rule and the house rules, proved by parsing the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "floatframe"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# a package imports only those to its left; `floatframe` itself is the list of public names
ORDER = ["floatframe", "errors", "arrays", "fem", "modal", "io", "signals", "hybrid", "viewer", "samples", "cli"]


class Import(NamedTuple):
    module: str  # dotted name
    name: str | None  # what is taken from it
    line: int


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(tree: ast.AST) -> Iterator[Import]:
    """Yield every import at any depth, `from floatframe import fem` as the module floatframe.fem."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, None, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            for alias in node.names:
                if node.module == "floatframe" and alias.name in ORDER:
                    yield Import(f"floatframe.{alias.name}", None, node.lineno)
                else:
                    yield Import(str(node.module), alias.name, node.lineno)


def house(path: Path) -> str:
    """Return the package (or module) of the house that a source file belongs to."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "floatframe" if first == "__init__" else first


def part(module: str) -> str:
    """Return the house member a dotted module name belongs to."""
    return module.split(".")[1] if "." in module else "floatframe"


def ours(path: Path) -> list[Import]:
    return [found for found in imports(parse(path)) if found.module.split(".")[0] == "floatframe"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_packages_import_only_those_to_their_left(path):
    own = ORDER.index(house(path))
    wrong = [f"line {i.line}: {i.module}" for i in ours(path) if ORDER.index(part(i.module)) > own]
    # the public names load on first use, errors at once
    if house(path) == "floatframe":
        wrong = [text for text in wrong if not text.endswith("floatframe.errors")]
    assert not wrong


def test_every_source_belongs_to_the_house():
    assert {house(path) for path in SOURCES} <= set(ORDER)


@pytest.mark.parametrize("path", sorted((PACKAGE / "hybrid").rglob("*.py")), ids=lambda path: path.name)
def test_hybrid_takes_only_the_reduced_body_and_never_sees_an_fe_model(path):
    taken = [(i.module, i.name) for i in ours(path) if part(i.module) in ("fem", "modal")]
    assert all(part(module) == "modal" and name == "ReducedBody" for module, name in taken), taken


def test_scene_needs_numpy_only():
    tree = parse(PACKAGE / "viewer" / "scene.py")
    typing_only = [n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    at_type_checking = {i for node in typing_only for i in imports(node)}
    roots = {i.module.split(".")[0] for i in set(imports(tree)) - at_type_checking}
    assert roots <= {"numpy"} | set(sys.stdlib_module_names)
    assert {i.module.split(".")[0] for i in at_type_checking} <= {"floatframe"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_library_leans_on_neither_samples_nor_benchmarks_nor_tests(path):
    """Samples come right of the library in the import order: only commands reach them."""
    foreign = {i.module.split(".")[0] for i in imports(parse(path))} & {"samples", "benchmarks", "tests"}
    assert not foreign


@pytest.mark.parametrize("module", ["floatframe", "floatframe.cli"])
def test_import_pulls_in_nothing_heavy(module):
    heavy = {"scipy", "numba", "pyvista", "matplotlib", "h5py", "vtk", "vtkmodules", "meshio", "numpy"}
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_library_neither_prints_nor_asserts_nor_executes_text(path):
    found = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Assert):
            found.append(f"line {node.lineno}: assert; raise a FloatframeError instead")
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            found.append(f"line {node.lineno}: bare except; name the error")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "eval", "exec"):
            found.append(f"line {node.lineno}: {node.func.id}()")
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [f"line {i.line}: {i.module}" for i in imports(node) if i.module in ("pickle", "dill", "marshal")]
    assert not found


def test_modules_import_each_other_in_no_circle():
    """Also not for types only: what needs each other's types belongs together or needs a common base."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    names = {name: path for name, path in names.items() if not name.endswith("__init__")}
    needs = {
        name: {target for i in ours(path) for target in (i.module, f"{i.module}.{i.name}") if target in names}
        for name, path in names.items()
    }
    # modules whose needs are all met leave one after another; what remains goes round in a circle
    while leaving := {name for name, wanted in needs.items() if not wanted & needs.keys()}:
        needs = {name: wanted for name, wanted in needs.items() if name not in leaving}
    assert not needs
