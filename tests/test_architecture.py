"""The import rule, the rooms and their doors, and the house rules, proved by parsing the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "floatframe"
SOURCES = sorted(PACKAGE.rglob("*.py"))
MOST_MODULES = 25  # of a folder

# a package imports only those to its left; so do the rooms of a package and the modules beside them
ORDER = {
    "": [
        *("version", "errors", "arrays", "wording", "listening", "userfiles", "doors", "native", "linked", "compiled"),
        *("expressions", "tomlfile"),
        *("fem", "modal", "io", "signals", "railway", "hybrid", "equations", "network", "durability", "viewer"),
        *("samples", "studio", "cli", "__main__"),
    ],
    "modal": ["factor", "lanczos", "analysis", "body", "reduction", "warmup"],
    "io": [
        *("locks", "atomic", "import_log", "units", "conversion", "format", "deck", "shapes", "native"),
        *("abaqus", "ansys", "nastran", "meshes", "results", "foreign", "mesh_file", "registry", "cards", "template"),
        "import_check",
    ],
    "io.abaqus": [
        *("deck", "properties", "constraints", "masses", "springs", "connectors", "given", "blocks", "model"),
        *("writer", "reader", "formats"),
    ],
    "io.ansys": ["apdl", "commands", "structure", "writer", "model", "binary", "macro", "formats"],
    "railway": ["profiles", "track", "contact", "running", "conicity", "assessment", "warmup"],
    "hybrid": [
        *("dense", "description", "flat", "kernels", "compile", "assembly", "export", "settings", "studies"),
        *("vehicles", "modelfile", "results", "simulation", "warmup", "system", "model", "model_file"),
        *("contributions", "deformations", "response", "coupling", "sweep", "fitting", "describe"),
    ],
    "network.kernels": ["constants", "layout", "options", "laws", "equations", "step", "waves", "legs"],
    "network": [
        *("laws", "kernels", "description", "writing", "closures", "compiled", "compiling", "factor"),
        *("equations", "schemes"),
        *(
            "settings",
            "switches",
            "stepping",
            "legs",
            "limits",
            "channels",
            "operating",
            "run",
            "simulate",
            "linear",
            "system",
            "network",
            "machine",
            "files",
            "sweeping",
            "warmup",
        ),
    ],
    "studio": [
        *("texts", "security", "numbers", "facts", "origins", "project", "child", "jobs", "memory"),
        *("actions", "commands", "studies", "forms", "document", "curves", "charts", "sweeps", "views", "picking"),
        *("thumbnails", "app", "pages", "server", "shell", "start"),
    ],
    "viewer": ["headings", "curves", "scene", "scales", "plots", "drawing", "rendering", "exports", "pages", "saving"],
}


class Import(NamedTuple):
    module: str  # dotted name of what is imported from, below floatframe
    name: str  # what is taken from it
    line: int


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Yield module, name and line of every import at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from ((str(node.module), alias.name, node.lineno) for alias in node.names)


def dotted(path: Path) -> str:
    """Return the name of a source below floatframe: "hybrid.flat.model", "hybrid.flat" for its door, "" for the top."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


NAMES = {dotted(path): path for path in SOURCES}
DOORS = {name for name, path in NAMES.items() if path.name == "__init__.py"}


@cache
def ours(path: Path) -> tuple[Import, ...]:
    """Return the imports of our own modules."""
    found = []
    for module, name, line in imported(parse(path)):
        if module.split(".")[0] == "floatframe":
            below = module.removeprefix("floatframe").lstrip(".")
            inner = f"{below}.{name}".lstrip(".")
            if inner in DOORS and name not in listed(below):  # a folder itself, nothing that its door lists
                found.append(Import(inner, "", line))
            else:
                found.append(Import(below, name, line))
    return tuple(found)


@cache
def listed(door: str) -> frozenset[str]:
    """Return what a door lists for others: its imports."""
    tree = parse(NAMES[door])
    return frozenset(name for module, name, _ in imported(tree) if module.startswith("floatframe"))


def folder(name: str) -> str:
    return name if name in DOORS else name.rpartition(".")[0]


def way(source: str, target: str) -> tuple[str, str, str]:
    """Return the folder that two modules share, and the room or module in it that each belongs to."""
    from_parts, to_parts = source.split("."), target.split(".")
    depth = 0
    while depth < min(len(from_parts), len(to_parts)) and from_parts[depth] == to_parts[depth]:
        depth += 1
    return ".".join(from_parts[:depth]), ".".join(from_parts[depth : depth + 1]), ".".join(to_parts[depth : depth + 1])


def test_packages_and_rooms_import_only_those_to_their_left():
    wrong = []
    for path in SOURCES:
        own = dotted(path)
        for i in ours(path):
            shared, left, right = way(own, i.module)
            if shared in ORDER and left and right and ORDER[shared].index(right) > ORDER[shared].index(left):
                wrong.append(f"{own} line {i.line}: {i.module}")
    assert not wrong


def test_the_order_names_every_package_and_room():
    for shared, order in ORDER.items():
        inside = {name.removeprefix(shared).lstrip(".").split(".")[0] for name in NAMES if name.startswith(shared)}
        own = {part for part in inside if part.startswith("_") and part != "__main__"}
        assert inside - {""} - own == set(order), shared


def test_others_go_through_the_door():
    """What lies in another folder is taken from that folder, and only what it lists."""
    wrong = []
    for path in SOURCES:
        own = dotted(path)
        for i in ours(path):
            shared, _, right = way(folder(own), i.module)
            door = f"{shared}.{right}".lstrip(".")
            if not right or door not in DOORS:
                continue  # a module beside the importing one, or in a folder around it
            if door == "samples":
                continue  # folders of users' files; commands run them
            if i.module != door:
                wrong.append(f"{own} line {i.line}: {i.module} is behind the door {door}")
            elif i.name and i.name not in listed(door):
                wrong.append(f"{own} line {i.line}: {door} does not list {i.name}")
    assert not wrong


def test_modules_do_not_use_the_door_of_their_own_room():
    """It leads out: a module that a door lists and that imports from it goes round in a circle."""
    wrong = [
        f"{dotted(path)} line {i.line}: {i.module}"
        for path in SOURCES
        for i in ours(path)
        if i.module and dotted(path).startswith(f"{i.module}.") and f"{i.module}.{i.name}" not in NAMES
    ]
    assert not wrong


def test_every_room_says_what_it_is_for():
    for door in DOORS:
        text = ast.get_docstring(parse(NAMES[door])) or ""
        if door.count("."):
            assert all(word in text for word in ("In: ", "Out: ", "Open `")), door
        assert text, door


def test_folders_stay_small():
    sizes = Counter(path.parent for path in SOURCES)
    assert not {str(place): size for place, size in sizes.items() if size > MOST_MODULES}


def test_rooms_import_each_other_in_no_circle():
    """Also not for types only: what needs each other's types belongs together or needs a common base."""
    for shared in DOORS:
        needs: dict[str, set[str]] = {}
        for path in SOURCES:
            own = dotted(path)
            if own == shared or not own.startswith(shared):
                continue
            for i in ours(path):
                common, left, right = way(own, i.module)
                if common == shared and left and right:
                    needs.setdefault(left, set()).add(right)
        # those whose needs are all met leave one after another; what remains goes round in a circle
        while leaving := {name for name, wanted in needs.items() if not wanted & needs.keys()}:
            needs = {name: wanted for name, wanted in needs.items() if name not in leaving}
        assert not needs, shared


def test_hybrid_takes_only_the_reduced_body_and_never_sees_an_fe_model():
    taken = {
        (i.module, i.name)
        for path in SOURCES
        if dotted(path).split(".")[0] == "hybrid"
        for i in ours(path)
        if i.module.split(".")[0] in ("fem", "modal")
    }
    assert taken == {("modal", "ReducedBody")}


def test_scene_needs_numpy_only():
    tree = parse(PACKAGE / "viewer" / "scene.py")
    typing_only = [n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    at_type_checking = {i for node in typing_only for i in imported(node)}
    roots = {module.split(".")[0] for module, _, _ in set(imported(tree)) - at_type_checking}
    assert roots <= {"numpy"} | set(sys.stdlib_module_names)
    assert {module.split(".")[0] for module, _, _ in at_type_checking} <= {"floatframe"}


def test_library_leans_on_neither_samples_nor_benchmarks_nor_tests():
    """Samples come right of the library in the import order: only commands reach them."""
    roots = {module.split(".")[0] for path in SOURCES for module, _, _ in imported(parse(path))}
    assert not roots & {"samples", "benchmarks", "tests"}


@pytest.mark.parametrize("module", ["floatframe", "floatframe.cli"])
def test_import_pulls_in_nothing_heavy(module):
    heavy = {"scipy", "numba", "pyvista", "matplotlib", "h5py", "vtk", "vtkmodules", "meshio", "numpy"}
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)


def test_library_neither_prints_nor_asserts_nor_executes_text():
    found = []
    for path in SOURCES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Assert):
                found.append(f"{path} line {node.lineno}: assert; raise a FloatframeError instead")
            if isinstance(node, ast.ExceptHandler) and node.type is None:
                found.append(f"{path} line {node.lineno}: bare except; name the error")
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id in ("print", "eval", "exec"):
                found.append(f"{path} line {node.lineno}: {called.id}()")
        for module, _, line in imported(parse(path)):
            if module in ("pickle", "dill", "marshal"):
                found.append(f"{path} line {line}: {module}")
    assert not found


def test_the_function_comes_before_the_room_of_its_name():
    """Importing the room must not hide the function: the import system names every submodule on its package."""
    code = (
        "import floatframe.modal.lanczos.solver, floatframe.hybrid.sweep.sweep, floatframe as ff;"
        "print(ff.modal.lanczos.__name__, ff.hybrid.sweep.__name__, ff.modal.lanczos.__class__.__name__)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["lanczos", "sweep", "function"]


def test_the_map_names_files_that_exist():
    named = set(re.findall(r"`(floatframe/[\w/.]+)`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    assert len(named) > 20
    assert not {name for name in named if name != "floatframe/samples" and not (ROOT / name).exists()}


def test_the_map_lists_the_rooms_in_their_order():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|[^|]*\|(.*)\|$", text, re.MULTILINE)
    rooms = {package: re.findall(r"`(\w+)`", listed) for package, listed in rows}
    for package in set(ORDER) & set(rooms):
        folders = [part for part in ORDER[package] if f"{package}.{part}" in DOORS]
        assert rooms[package] == folders, package
    assert {"modal", "io", "hybrid", "viewer"} <= set(ORDER) & set(rooms)


MOST_PARAMETERS = 12
COMPILED = ("kernel", "inner", "reordered", "entry", "piece")  # kernels take arrays one by one


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield all functions and methods with their dotted names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{inside}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{inside}{node.name}.")


def test_public_functions_take_at_most_a_dozen_parameters():
    """Those that need more take an object with the rest, or are two functions."""
    crowded = []
    for path in SOURCES:
        for name, function in functions(parse(path)):
            decorators = {ast.unparse(one).partition("(")[0] for one in function.decorator_list}
            if any(part.startswith("_") for part in name.split(".")) or decorators & set(COMPILED):
                continue
            given = function.args
            names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            count = len([name for name in names if name not in ("self", "cls")])
            if count > MOST_PARAMETERS:
                crowded.append(f"{path.relative_to(ROOT)}: {name} takes {count}")
    assert not crowded


def listed_parameters(docstring: str) -> list[str]:
    """Return the names in the list of parameters of a docstring, those of one line too."""
    _, _, after = docstring.partition("Parameters\n----------\n")
    heads = [line for line in after.splitlines() if line and not line.startswith(" ")]
    return [name.strip("* ") for line in heads for name in line.split(",")]


def test_lists_of_parameters_name_all_that_a_function_takes():
    wrong, count = [], 0
    for path in SOURCES:
        for name, function in functions(parse(path)):
            listed = listed_parameters(ast.get_docstring(function) or "")
            given = function.args
            taken = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
            names = {one.arg for one in taken} - {"self", "cls"}
            count += bool(listed)
            if listed and set(listed) != names:
                wrong.append(f"{path.relative_to(ROOT)}: {name}: {sorted(set(listed) ^ names)}")
    assert not wrong
    assert count >= 15
