"""The user guide works as printed: its Python prints what stands behind it, its commands run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from floatframe.cli.main import run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TEXTS = {str(page.relative_to(DOCS)): page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))}

# what stands before the code of a page that speaks of a run
BEFORE = {
    "how-to/looking.md": """
import floatframe as ff
from floatframe.hybrid import read_model
file = read_model(SAMPLES + "/pendulum/double_pendulum.toml")
system = file.model.compile()
result = system.simulate(t_end=0.2, step=1e-2, path="run.h5")
""",
}

TOO_LONG = {"how-to/sweeps.md"}  # minutes; the tests of sweeps run smaller ones


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXTS[page], flags=re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> list[str]:
    return [page for page in TEXTS if blocks(page, language)]


def environment() -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize("page", sorted(set(pages_with("python")) - TOO_LONG))
def test_python_prints_what_the_page_says(page, tmp_path):
    code = "\n".join(blocks(page, "python"))
    before = f"SAMPLES = {str(ROOT / 'samples')!r}\n" + BEFORE.get(page, "")
    options = {"cwd": tmp_path, "env": environment(), "capture_output": True, "text": True, "check": False}
    done = subprocess.run([sys.executable, "-c", f"{before}\n{code}"], **options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)


@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_run(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "SAMPLES").symlink_to(ROOT / "samples")
    # a model file that is shown says in its first line how it is called
    for text in blocks(page, "toml"):
        if name := re.match(r"# (\w+\.toml)\n", text):
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
    for command in re.findall(r"^\$ (.*)$", "\n".join(blocks(page, "console")), flags=re.MULTILINE):
        # in this process, which is quicker; those of the README run in a shell
        program, *words = shlex.split(command)
        assert program == "floatframe"
        assert run(words) == 0, f"{command}\n{capfd.readouterr().err}"
        for written in re.findall(r"(?:-o|--save|--write|--csv) (\S+)", command):
            assert (tmp_path / written).exists(), command


def test_the_site_builds_without_a_warning(tmp_path, monkeypatch):
    """Links and anchors between pages, the menu, every public name: --strict makes a warning an error."""
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    site = tmp_path / "site"
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(site), strict=True))
    built = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    drawn = sum(text.count('<div class="formulas">') for text in built.values())
    assert drawn == sum(len(blocks(page, "math")) for page in TEXTS) > 0
    # pages fetch nothing from the network; links that a reader may follow are of another kind
    for page, text in built.items():
        assert not re.search(r"(src=.|<link rel=.stylesheet. href=.)https?://", text), page


def test_every_page_named_in_the_code_is_there():
    named = {
        (path, page)
        for folder in ("floatframe", "samples", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for page in re.findall(r"docs/[\w/.-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert named
    assert not [(path, page) for path, page in named if not (ROOT / page).is_file()]


def test_every_file_named_in_a_page_is_there():
    top = {page.name: page.read_text(encoding="utf-8") for page in ROOT.glob("*.md") if page.name != "CHANGELOG.md"}
    texts = {**TEXTS, **top}
    pattern = r"`((?:floatframe|tests|docs|benchmarks)/[\w/.-]*)`"
    named = {(page, path) for page, text in texts.items() for path in re.findall(pattern, text)}
    assert named
    assert not [(page, path) for page, path in named if not (ROOT / path).exists()]


def test_every_code_block_is_run_or_says_what_it_is():
    # text: output; math: formulas; toml, ini: files; sh: commands that need the reader's files, or that other tests run
    known = {"python", "console", "text", "toml", "ini", "sh", "math"}
    for page, text in TEXTS.items():
        opened = re.findall(r"^\s*```(\w*)$", text, flags=re.MULTILINE)[::2]
        assert set(opened) <= known, page
