"""What stands around the code: dependencies, workflows and templates, citation, changelog."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import floatframe as ff

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
YAML = sorted([*ROOT.glob(".github/**/*.yml"), *ROOT.glob("*.cff"), ROOT / ".pre-commit-config.yaml"])

# import names that differ from the name of the package, and packages that another one brings along
IMPORTED = {
    "imageio_ffmpeg": "imageio-ffmpeg",
    "sksundae": "scikit-sundae",
    "trame_plotly": "trame-plotly",
    "trame_vuetify": "trame-vuetify",
    "vtkmodules": "vtk",
    "webview": "pywebview",
}
BROUGHT = {
    **dict.fromkeys(("PIL", "cycler", "mpl_toolkits"), "matplotlib"),
    "markupsafe": "jinja2",
    "wslink": "trame",
}
OF_THE_READER = {"IPython"}  # who reads a notebook has it


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[]", requirement)[0] for requirement in requirements}


def imported_packages() -> set[str]:
    """Return the packages that the library and the samples import, also by `import_module`."""
    found: set[str] = set()
    for path in (*(ROOT / "floatframe").rglob("*.py"), *(ROOT / "samples").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"^ *(?:from (?=[\w.]+ import )|import )(\w+)", text, flags=re.MULTILINE))
        found |= set(re.findall(r"import_module\(f?\"(\w+)", text))
    return found - set(sys.stdlib_module_names) - OF_THE_READER - {"floatframe"}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    extras = PROJECT["optional-dependencies"]
    declared = names(
        [
            *PROJECT["dependencies"],
            *extras["movie"],
            *extras["sundials"],
            *extras["cluster"],
            *extras["equations"],
            *extras["control"],
            *extras["studio"],
            *extras["window"],
        ]
    )
    assert {IMPORTED.get(name, BROUGHT.get(name, name)) for name in imported_packages()} == declared


def test_every_extra_that_a_sentence_names_is_there():
    for path in (*(ROOT / "floatframe").rglob("*.py"), *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        named = re.findall(r"floatframe\[([\w,]+)\]", path.read_text(encoding="utf-8"))
        assert {extra for group in named for extra in group.split(",")} <= set(PROJECT["optional-dependencies"]), path


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yaml_is_sound(path):
    assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_workflows_run_on_every_system_and_python_that_we_name():
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    matrix = yaml.safe_load(text)["jobs"]["tests"]["strategy"]["matrix"]
    assert {system.split("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    promised = [re.match(r".* :: (3\.\d+)$", line) for line in PROJECT["classifiers"]]
    assert matrix["python"] == [found[1] for found in promised if found]
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"


@pytest.mark.parametrize("path", sorted(ROOT.glob(".github/workflows/*.yml")), ids=lambda path: path.name)
def test_workflows_have_jobs_whose_steps_call_what_is_there(path):
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for job in jobs.values():
        assert job["runs-on"]
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            command = step.get("run", "")
            assert set(re.findall(r"\bmake ([\w-]+)", command)) <= targets
            assert all((ROOT / tool).is_file() for tool in re.findall(r"tools/[\w-]+", command))


def test_citation_is_that_of_the_latest_release():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    version, date = re.findall(r"^## (\d[\w.]*) – (\d{4}-\d\d-\d\d)$", CHANGELOG, flags=re.MULTILINE)[0]
    assert (citation["version"], citation["date-released"], citation["license"]) == (version, date, PROJECT["license"])


def test_changelog_has_the_unreleased_on_top_and_dated_releases_below():
    headings = re.findall(r"^## (.*)$", CHANGELOG, flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    assert ff.__version__ in {heading.split()[0] for heading in headings[1:]}
    kinds = set(re.findall(r"^### (.*)$", CHANGELOG, flags=re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_helpers_of_tests_live_outside_of_test_modules():
    borrowed = re.compile(r"^ *(?:from|import) (?:tests\.[\w.]*)?test_\w+", flags=re.MULTILINE)
    for path in (ROOT / "tests").rglob("*.py"):
        assert not borrowed.search(path.read_text(encoding="utf-8")), path
