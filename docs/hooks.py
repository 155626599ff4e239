"""Pages of the site that would go stale if they were written by hand; MkDocs calls the functions on_….

The command line is what `--help` says, the cards are what the readers know, the reference lists the public names, and
the texts at the top of the repository are pages here too.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PACKAGES = ("fem", "modal", "io", "signals", "railway", "hybrid", "equations", "network", "viewer", "errors")
# texts at the top of the repository, and their pages
TOP = {
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}


def command_line() -> str:
    """What every command says of itself."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from floatframe.cli.main import application

    app = application()

    def help_of(*words: str) -> str:
        said = CliRunner().invoke(app, [*words, "--help"], prog_name="floatframe", terminal_width=100)
        return f"```text\n{said.output.strip()}\n```\n"

    intro = (DOCS / "reference" / "command-line-intro.md").read_text(encoding="utf-8")
    pages = [f"## {name}\n\n{help_of(name)}" for name in get_command(app).commands]  # type: ignore[attr-defined]
    return "\n".join([intro, help_of(), *pages])


def cards() -> str:
    """What becomes of every card of other programs, as the readers themselves say."""
    from floatframe.io.cards.table import MEANING, as_markdown, card_table

    titles = {
        "ansys": "ANSYS",
        "abaqus": "Abaqus and CalculiX",
        "nastran": "Nastran",
        "meshes": "Meshes",
    }
    lines = [
        "# Cards of other programs",
        "",
        "Made from the tables by which the readers go; `floatframe cards nastran` prints the same.",
        "",
        *(f"- *{status}*: {meaning}" for status, meaning in MEANING.items()),
        "",
    ]
    for program, title in titles.items():
        lines += [f"## {title}", "", as_markdown(card_table(program))]
    return "\n".join(lines)


def public_names(package: str) -> list[str]:
    """Names that users of a package may rely on."""
    module = importlib.import_module(f"floatframe.{package}")
    own = (name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__)
    return list(getattr(module, "__all__", [name for name in own if not name.startswith("_")]))


def reference(package: str) -> str:
    """The public names of a package, each with its docstring."""
    module = importlib.import_module(f"floatframe.{package}")
    lines = [f"# ff.{package}", "", inspect.getdoc(module) or "", ""]
    for name in public_names(package):
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isroutine(inspect.unwrap(thing)):
            lines += [f"::: floatframe.{package}.{name}", ""]
        else:
            lines += [f"## {name}", "", _words_for(thing), ""]
    return "\n".join(lines)


def _words_for(thing: Any) -> str:
    """What a name stands for that is neither class nor function."""
    if inspect.ismodule(thing):
        return f"A module: {(inspect.getdoc(thing) or '').splitlines()[0]}"
    if type(thing).__module__ in ("typing", "types"):
        return f"A type: {_escaped(re.sub(r'[a-z_.]+[.](?=[A-Za-z])', '', str(thing)))}"
    text = ", ".join(map(str, thing)) if isinstance(thing, list | tuple | dict) else repr(thing)
    return f"A constant: {_escaped(text)}"


def _escaped(text: str) -> str:
    return re.sub(r"([<>_*])", r"\\\1", text)


def top_page(name: str) -> str:
    """A text from the top of the repository, with links as they are from the site; other files lose theirs."""
    text = (ROOT / name).read_text(encoding="utf-8")

    def link(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        if re.match(r"\w+:|#", target) or not target:
            return match[0]
        path = ((ROOT / name).parent / target).resolve()
        if str(path.relative_to(ROOT)) in TOP:
            return f"[{words}]({TOP[str(path.relative_to(ROOT))]}{anchor})"
        if path.is_relative_to(DOCS):
            return f"[{words}]({path.relative_to(DOCS)}{anchor})"
        return words

    return re.sub(r"\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)


def pages() -> dict[str, str]:
    """All pages that are made here, by their path in the site."""
    made = {"reference/command-line.md": command_line(), "reference/cards.md": cards()}
    made |= {f"reference/{package}.md": reference(package) for package in PACKAGES}
    return made | {page: top_page(name) for name, page in TOP.items()}


def on_config(config: Any) -> Any:
    """Let blocks ```math be drawn by formulas.py, which stands beside this file."""
    sys.path.insert(0, str(DOCS))
    try:
        formulas = importlib.import_module("formulas")
    finally:
        sys.path.remove(str(DOCS))
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {}).setdefault("custom_fences", [])
    fences.append({"name": "math", "class": "formulas", "format": formulas.fence})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files
