"""The text form of PRADIS: $ FRAGMENT, # BASE, # STRUCTURE with one element in a line, # DATA with its numbers.

$ FRAGMENT: example
# BASE: 1
# STRUCTURE:
spring' K (1 2; k)
mass' M (2; 0.1)
# DATA:
k = 20000
"""

from __future__ import annotations

import re

from floatframe.errors import FloatframeError
from floatframe.network.description import Structure
from floatframe.network.files.places import Places
from floatframe.network.laws import CODES, LIBRARY, Kind
from floatframe.network.writing import code_of
from floatframe.tomlfile import ModelFileError
from floatframe.wording import did_you_mean

STARTS = {"XN": "x", "VN": "v"}  # lines that give a node its start
_HEAD = re.compile(r"([$#])\s*(\w+)\s*:?\s*(.*)")
_LINE = re.compile(r"(?P<name>[^']*)'\s*(?P<code>\w+)\s*\((?P<nodes>[^;]*?)(?:;(?P<values>.*))?\)\s*;?")
_DATA = re.compile(r"(?P<name>\w+)\s*=\s*(?P<value>.+)")
_SECTIONS = ("BASE", "STRUCTURE", "DATA")


def kinds_by_code() -> dict[str, Kind]:
    """All kinds by their codes in fragments."""
    return {**{code_of(kind): kind for kind in LIBRARY.values()}, **CODES}


def read_fragment(text: str, network: Structure, places: Places) -> None:
    """Fill a network from a fragment."""
    section = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip("\ufeff \t")
        if not line:
            continue
        try:
            if head := _HEAD.fullmatch(line):
                section = _headed(head[1], head[2].upper(), head[3].strip(), network)
            elif section == "STRUCTURE":
                _element(line, number, network, places)
            elif section == "DATA":
                _number(line, network)
            else:
                raise _Wrong(f"found '{line}' before # STRUCTURE; open a section first: {', '.join(_SECTIONS)}")
        except _Wrong as error:
            places.mistakes.append(ModelFileError(places.path, number, str(error)))
        except FloatframeError as error:
            found = ModelFileError(places.path, number, str(error), subject=error.subject, field=error.field)
            places.mistakes.append(found)


class _Wrong(FloatframeError):
    """A line that is not as it should be."""


def _headed(mark: str, word: str, rest: str, network: Structure) -> str:
    """A line that opens a section; returns its name."""
    if mark == "$":
        if word != "FRAGMENT":
            raise _Wrong(f"$ {word} is not known, expected $ FRAGMENT: name")
        network.name = rest or network.name
        return ""
    if word not in _SECTIONS:
        raise _Wrong(f"# {word} is not known, expected one of {', '.join(_SECTIONS)}{did_you_mean(word, _SECTIONS)}")
    if word == "BASE":
        network.base = tuple(dict.fromkeys((*network.base, *rest.replace(",", " ").split())))
    return word


def _element(line: str, number: int, network: Structure, places: Places) -> None:
    found = _LINE.fullmatch(line)
    if found is None:
        raise _Wrong(f"found '{line}', expected an element such as: spring' K (1 2; 20000)")
    name = "_".join(found["name"].split()) or f"element_{number}"
    code, nodes = found["code"].upper(), found["nodes"].replace(",", " ").split()
    values = _split(found["values"] or "")
    if code in STARTS:
        if len(nodes) != 1 or len(values) != 1:
            raise _Wrong(f"{code} takes one node and one number: start' {code} (2; 0.5)")
        known = network.starts.get(nodes[0])
        start = {"x": known.x if known else 0.0, "v": known.v if known else 0.0, STARTS[code]: _scalar(values[0])}
        places.lines["node", nodes[0]] = lambda _: number
        network.start(nodes[0], **start)
        return
    kinds = kinds_by_code()
    if code not in kinds:
        raise _Wrong(f"element '{name}': the model {code} does not exist{did_you_mean(code, kinds)}")
    kind = kinds[code]
    names = [one.name for one in kind.values]
    if len(values) > len(names):
        raise _Wrong(f"element '{name}': {code} takes {', '.join(names) or 'no numbers'}, found {len(values)} numbers")
    places.lines["element", name] = lambda _: number
    network.add(name, kind, nodes, **{key: _scalar(value) for key, value in zip(names, values, strict=False)})


def _number(line: str, network: Structure) -> None:
    found = _DATA.fullmatch(line)
    if found is None:
        raise _Wrong(f"found '{line}', expected a number such as: k = 20000")
    network.parameters[found["name"]] = _scalar(found["value"])


def _scalar(text: str) -> float | str:
    """A number, or the expression that a text is."""
    try:
        return float(text)
    except ValueError:
        return text.strip()


def _split(text: str) -> list[str]:
    """Parts between commas that are not inside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
