"""Changes of a TOML text that leave everything around them as the user wrote it: order, comments, blanks.

Every change is proved: the new text must have the content of the old one with the change made to it.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from floatframe.errors import WriteError
from floatframe.tomlfile.lines import TomlPath, toml_places

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def literal(value: Any) -> str:
    """Return a value as it stands in a file; tables in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)  # inf and nan are called so in TOML too
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(name)} = {literal(one)}" for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    signs = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(signs.get(s, s if s.isprintable() else f"\\u{ord(s):04x}") for s in str(value)) + '"'


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else literal(name)


def with_value(text: str, table: TomlPath, key: str, value: Any) -> str:
    """Return the text with a key of a table, ("body", 0) or ("parameters",), at a value."""
    places, path = toml_places(text), (*table, key)
    if path in places.pairs:
        span = places.pairs[path]
        changed = text[: span.value] + literal(value) + text[span.end :]
    elif any(part[: len(path)] == path for part, _ in places.headers) or any(
        p[: len(path)] == path for p in places.pairs
    ):
        # written as a table of its own, [body.place] or place.point = …: it goes, and comes back in one line
        return with_value(without_value(text, table, key), table, key, value)
    else:
        changed = _inserted(text, table, f"{_key(key)} = {literal(value)}\n")

    def change(content: Any) -> None:
        _found(content, table, make=True)[key] = value

    return _proved(text, changed, change, path)


def without_value(text: str, table: TomlPath, key: str) -> str:
    """Return the text without a key of a table."""
    path = (*table, key)
    places = toml_places(text)
    # what stands inside an inline table goes with the line of that
    lines = [_line(text, span.start, span.end) for own, span in places.pairs.items() if own[: len(path)] == path]
    lines += [_block(text, own) for own, _ in places.headers if own[: len(path)] == path]
    changed = _cut(text, lines)

    def change(content: Any) -> None:
        _found(content, table).pop(key, None)

    return _proved(text, changed, change, path)


def with_table(text: str, name: str, values: Mapping[str, Any], after: Sequence[str] = ()) -> str:
    """Return the text with one more [[name]], behind the others or behind the last of the tables `after`."""
    lines = [f"[[{_key(name)}]]", *(f"{_key(key)} = {literal(value)}" for key, value in values.items())]
    headers = toml_places(text).headers
    for wanted in ((name,), after):
        mine = [path for path, _ in headers if path[0] in wanted]
        if mine:
            place = _block(text, mine[-1])[1]
            break
    else:
        place = len(text)
    before = text[:place].rstrip("\n")
    rest = text[place:].lstrip("\n")
    changed = "\n\n".join(filter(None, (before, "\n".join(lines), rest)))
    changed += "" if changed.endswith("\n") else "\n"

    def change(content: Any) -> None:
        content.setdefault(name, []).append(dict(values))

    return _proved(text, changed, change, (name,))


def without_table(text: str, name: str, index: int) -> str:
    """Return the text without one of the tables [[name]], and without what stands in it."""
    path = (name, index)
    owned = [own for own, _ in toml_places(text).headers if own[:2] == path]
    changed = _cut(text, [_block(text, own) for own in owned])

    def change(content: Any) -> None:
        del content[name][index]
        if not content[name]:
            del content[name]

    return _proved(text, changed, change, path)


def _proved(old: str, new: str, change: Callable[[Any], None], path: TomlPath) -> str:
    """Return the new text if its content is what was wanted."""
    wanted = copy.deepcopy(tomllib.loads(old))
    try:
        change(wanted)
        right = _same(tomllib.loads(new), wanted)
    except (tomllib.TOMLDecodeError, LookupError, TypeError):
        right = False
    if not right:
        raise WriteError(f"{'.'.join(map(str, path))} could not be put into the text as it is written; edit the text")
    return new


def _same(a: Any, b: Any) -> bool:
    """Whether contents are equal; nan equals itself, the order of keys does not count."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b) or (a != a and b != b)


def _found(content: Any, table: TomlPath, make: bool = False) -> Any:
    for part in table:
        if make and isinstance(content, dict) and isinstance(part, str):
            content.setdefault(part, {})
        content = content[part]
    return content


def _inserted(text: str, table: TomlPath, line: str) -> str:
    """Put a line behind the last pair of a table, behind its header, or in a table of its own at the end."""
    places = toml_places(text)
    # pairs inside inline tables stand inside the pairs of the table itself
    ends = [span.end for path, span in places.pairs.items() if path[:-1] == table]
    heads = [start for path, start in places.headers if path == table]
    if not ends and not heads:
        whole = text.rstrip("\n")
        return f"{whole}\n\n[{'.'.join(_key(str(part)) for part in table)}]\n{line}"
    place = _line(text, *([max(ends)] * 2 if ends else [heads[-1]] * 2))[1]
    gap = "" if place == 0 or text[place - 1] == "\n" else "\n"
    return text[:place] + gap + line + text[place:]


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole lines around a piece, with their end."""
    stop = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if stop < 0 else stop + 1


def _block(text: str, path: TomlPath) -> tuple[int, int]:
    """Return a table from its header to the next one; comments right above that belong to the next."""
    headers = toml_places(text).headers
    number = next(k for k, (own, _) in enumerate(headers) if own == path)
    start = _line(text, headers[number][1], headers[number][1])[0]
    if number + 1 == len(headers):
        return start, len(text)
    end = _line(text, headers[number + 1][1], headers[number + 1][1])[0]
    while (above := text.rfind("\n", 0, end - 1) + 1) > start and text[above:end].lstrip().startswith("#"):
        end = above
    return start, end


def _cut(text: str, pieces: Sequence[tuple[int, int]]) -> str:
    """Return the text without pieces, which may overlap."""
    kept, place = "", 0
    for start, end in sorted(pieces):
        kept += text[place : max(start, place)]
        place = max(place, end)
    return kept + text[place:]
