"""Pages of the user guide that would go stale if they were written by hand; MkDocs calls the functions on_….

The tutorial is that of the README, the command line is what `--help` says, the reference lists the public names.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGES = ("fem", "modal", "io", "hybrid", "viewer")


def tutorial() -> str:
    """The README up to the end of its five minutes, with links as they are from here."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start, end = text.index("## Start"), text.index("## Python")
    text = text[start:end].replace("](docs/", "](").replace("](#models-from-other-programs)", "](import.md)")
    return "# Getting started\n\n" + text


def command_line() -> str:
    """What every command says of itself."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from floatframe.cli.main import app

    def help_of(*words: str) -> str:
        said = CliRunner().invoke(app, [*words, "--help"], prog_name="floatframe", terminal_width=100)
        return f"```text\n{said.output.strip()}\n```\n"

    intro = (Path(__file__).parent / "command-line-intro.md").read_text(encoding="utf-8")
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


def reference(package: str) -> str:
    """The public names of a subpackage, each with its docstring."""
    module = importlib.import_module(f"floatframe.{package}")
    lines = [f"# ff.{package}", "", inspect.getdoc(module) or "", ""]
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            lines += [f"::: {thing.__module__}.{thing.__qualname__}", ""]
        else:
            lines += [f"## {name}", "", f"A constant: {_shortened(thing)}", ""]
    return "\n".join(lines)


def _shortened(thing: Any) -> str:
    text = ", ".join(map(str, thing)) if isinstance(thing, list | tuple | dict) else repr(thing)
    return re.sub(r"([<>_*])", r"\\\1", text)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "getting-started.md", content=tutorial()))
    files.append(File.generated(config, "command-line.md", content=command_line()))
    files.append(File.generated(config, "cards.md", content=cards()))
    for package in PACKAGES:
        files.append(File.generated(config, f"api/{package}.md", content=reference(package)))
    return files


def on_page_markdown(markdown: str, **_given: Any) -> str:
    """Lead links to the tutorial in the README, which is outside of the guide, to its page in the guide."""
    return markdown.replace("](../README.md#start)", "](getting-started.md)")
