"""Plain English of the field: phrases that read like a translation stay out of names, comments, messages and pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# phrase (regular expression) -> what to write instead
INSTEAD = {
    r"(?<!degree of )(?<!degrees of )\bfreedoms?\b": "dof",
    r"\btold\b": "listed, reported or printed",
    r"\banew\b": "again; of runs: start a new run",
    r"\blets? go\b": "released",
    r"\b(take|takes|took|taking) hold\b": "act on, attach to or lock",
    r"\blikeness\b": "MAC or match",
    r"(?<!there )\bis no (positive |finite )?(number|integer|dof|node)\b": "must be positive, is not a …",
    r"\bgives no number\b": "evaluates to NaN",
    r"\bif nothing is said\b": "(default: …)",
    r"\bput (\w+ ){0,3}together\b": "assembled or built",
    r"\bworth to be\b": "worth running, worth reading",
    r"\btell (which|where|whether)\b": "return or show",
}

# (file, phrase) -> why it stays
EXCEPTIONS = {
    ("docs/bibliography.md", "freedoms"): "title of a paper",
}


FOLDERS = (".github", "benchmarks", "docs", "floatframe", "samples", "tests", "tools")
SUFFIXES = ("", ".css", ".js", ".md", ".py", ".toml", ".yml")
APART = ("CHANGELOG.md", "tests/test_words.py")  # keeps the words of its time; lists them


@pytest.fixture(scope="module")
def pages():
    """The text of every source file and page by its name; parts of names are words too."""
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES)
    paths = [*inside, *ROOT.glob("*.md"), ROOT / "Makefile"]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths if path.is_file()}
    texts["CONTRIBUTING.md"], _, glossary = texts["CONTRIBUTING.md"].partition("\n## Words\n")
    texts["CONTRIBUTING.md"] += glossary.partition("\n## ")[2]
    return {name: text.replace("_", " ") for name, text in texts.items() if name not in APART}


@pytest.mark.parametrize("phrase", INSTEAD)
def test_plain_words(pages, phrase):
    found = [
        f"{name}, line {text[: match.start()].count(chr(10)) + 1}: {match.group()}"
        for name, text in pages.items()
        for match in re.finditer(phrase, text, re.IGNORECASE)
        if (name, match.group()) not in EXCEPTIONS
    ]
    assert not found, f"write {INSTEAD[phrase]!r} instead:\n" + "\n".join(found)


def test_exceptions_are_needed(pages):
    for (name, phrase), reason in EXCEPTIONS.items():
        assert phrase in pages[name], f"{name} no longer has '{phrase}' ({reason}); remove the exception"
