"""Every link of README, user guide and other texts leads to a file that is there, and to a heading in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "samples").rglob("*.md"))
}
CODE = re.compile(r"^\s*```.*?^\s*```$", flags=re.DOTALL | re.MULTILINE)
# [words](target), ![picture](target), [![picture](target)](target), "title" after a target
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")


def links(text: str) -> list[str]:
    """Return the targets of links that do not go to the network."""
    found = LINK.findall(re.sub(r"`[^`\n]*`", "", CODE.sub("", text)))
    return [target for target in found if not re.match(r"(https?|mailto):", target)]


def anchors(text: str) -> set[str]:
    """Return the names by which GitHub and MkDocs know the headings of a page; those used twice get -1 or _1."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", CODE.sub("", text), flags=re.MULTILINE):
        word = re.sub(r"[^\w\s-]", "", re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
        name = re.sub(r"\s", "-", word)
        found.add(name if name not in found else f"{name}-1")
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def missing(target: str, folder: Path, text: str) -> str:
    """Return what a link from a page in a folder leads to in vain, "" if it is there."""
    path, _, anchor = target.partition("#")
    file = folder / path if path else None
    if file is not None and not file.exists():
        return f"{target}: no file {path}"
    if not anchor:
        return ""
    there = text if file is None else file.read_text(encoding="utf-8")
    return "" if anchor in anchors(there) else f"{target}: no heading #{anchor}"


@pytest.mark.parametrize("page", TEXTS)
def test_links_lead_to_files_and_headings(page):
    text = TEXTS[page]
    wrong = [missing(target, (ROOT / page).parent, text) for target in links(text)]
    assert not [sentence for sentence in wrong if sentence]


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "page.md").write_text(
        "# One page\n\n```sh\n# no heading\n```\n## `code` and (more)\n", encoding="utf-8"
    )
    text = '[a](page.md) [b](page.md#one-page) ![c](page.md#code-and-more "title") [d](https://x.org/y) `[e](no.md)`'
    assert [missing(target, tmp_path, text) for target in links(text)] == ["", "", ""]
    for target in ("pages.md", "page.md#no-heading", "#one-page"):
        assert missing(target, tmp_path, text)
