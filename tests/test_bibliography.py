"""Works that code and pages cite are in docs/bibliography.md, and what stands there is cited."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bibliography.md"
KEYS = re.findall(r"^- \*\*\[(.+) (\d{4})\]\*\*", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
FOLDERS = ("floatframe", "docs", "tests", "benchmarks", "samples")
SUFFIXES = (".py", ".md", ".toml")
NO_AUTHORS = {"Nastran", "November", "Contact"}  # a program, a date, the last word of a title

_NAME = r"(?:El )?[A-Z][a-zéöü]+(?:[A-Z][a-z]+)?(?:-[A-Z][a-z]+)?"
_YEAR = r"((?:1[89]|20)\d\d)"
_CITED = re.compile(
    rf"\b({_NAME})(?:(?:,| and| &) {_NAME})*(?:'s?)?(?: et al\.| and others)?,? \(?{_YEAR}(?:, {_YEAR})?\b"
)


@cache
def texts() -> dict[Path, str]:
    """Return code and pages, each in one line: citations go over lines."""
    paths = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))
    return {
        path: re.sub(r"\s*\n\s*(?:#:? )?", " ", path.read_text(encoding="utf-8"))
        for path in paths
        if path.suffix in SUFFIXES and path not in (PAGE, Path(__file__))
    }


@cache
def cited() -> dict[tuple[str, str], Path]:
    """Return (first author, year) of every citation, "Katili (1993)" or "(Simo and Rifai 1990)", with a file of it."""
    found: dict[tuple[str, str], Path] = {}
    for path, text in texts().items():
        for match in _CITED.finditer(text):
            author, *years = match.groups()
            if author not in NO_AUTHORS:
                found |= {(author, year): path for year in years if year}
    return found


def test_every_citation_is_listed():
    assert {f"{key[0]} {key[1]}": str(path) for key, path in cited().items() if key not in KEYS} == {}


def test_every_work_is_listed_once_and_cited():
    assert len(set(KEYS)) == len(KEYS)
    assert [key for key in KEYS if key not in cited()] == []


def test_citations_are_found_however_they_are_written():
    text = "Wright et al. (1982); (Simo and Rifai 1990); Polach (1999, 2005); Irons' (1971); El Darwish & Johnston 1965"
    assert [match.group(1) for match in _CITED.finditer(text)] == ["Wright", "Simo", "Polach", "Irons", "El Darwish"]


def test_nothing_comes_from_a_source_without_a_name():
    nameless = re.compile(r"\b(?:of|by) the source\b|\bthe source(?:'s| gives| reports)\b", re.IGNORECASE)
    assert [path for path, text in texts().items() if nameless.search(text)] == []
