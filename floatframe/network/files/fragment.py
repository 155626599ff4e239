"""The text form of PRADIS: $ FRAGMENT, # BASE, # STRUCTURE with one element in a line, # DATA with its numbers.

$ FRAGMENT: example
# BASE: 1
# STRUCTURE:
spring' K (1 2; k)
mass' M (2; 0.1)
# DATA:
k = 20000

Names of elements and numbers may have several words, which are joined by underscores.
"""

from __future__ import annotations

import re

from floatframe.errors import FloatframeError
from floatframe.network.description import Structure
from floatframe.network.files.places import Places
from floatframe.network.files.recognised import is_fragment
from floatframe.network.laws import CODES, LIBRARY, Kind
from floatframe.network.writing import code_of
from floatframe.tomlfile import ModelFileError, shown
from floatframe.wording import did_you_mean

STARTS = {"XN": "x", "VN": "v"}  # lines that give a node its start
_HEAD = re.compile(r"([$#])\s*(\w+)\s*:?\s*(.*)")
_LINE = re.compile(r"(?P<name>[^']*)'\s*(?P<code>\w+)\s*\((?P<nodes>[^;]*?)(?:;(?P<values>.*))?\)\s*;?")
_DATA = re.compile(r"(?P<name>[^\W\d]\w*)\s*=(?!=)\s*(?P<value>[^=\s].*)")
# between two words of a name, such as: Масса тела
_GAP = re.compile(r"\b(?!(?:and|or|not)\b)([^\W\d]\w*)[ \t]+(?!(?:and|or|not)\b)(?=\w)")
_SECTIONS = ("BASE", "STRUCTURE", "DATA")
_UNKNOWN = "?"
_NODE = re.compile(r"\w+(?:[.\-]\w+)*")


def kinds_by_code() -> dict[str, Kind]:
    """All kinds by their codes in fragments."""
    return {**{code_of(kind): kind for kind in LIBRARY.values()}, **CODES}


def read_fragment(raw: bytes, network: Structure, places: Places) -> None:
    """Fill a network from a fragment."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = raw.count(b"\n", 0, error.start) + 1
        raise ModelFileError(places.path, broken, "the text is not UTF-8; save the file in that encoding") from None
    if not is_fragment(text):
        first = next(iter(text.split("\n", 1))).strip()
        raise ModelFileError(places.path, 1, f"found {shown(first)}, expected $ FRAGMENT: name")
    section, data = "", dict[str, int]()  # lines of numbers
    for number, row in enumerate(text.splitlines(), start=1):
        line = row.strip("\ufeff \t")
        if not line:
            continue
        try:
            if head := _HEAD.fullmatch(line):
                section = _UNKNOWN  # its lines are not complained about too
                section = _headed(head[1], head[2].upper(), head[3].strip(), network, number)
            elif section == "STRUCTURE":
                _element(line, number, network, places)
            elif section == "DATA":
                _number(line, number, network, data)
            elif section != _UNKNOWN:
                raise _Wrong(f"found '{line}' before # STRUCTURE; open a section first: {', '.join(_SECTIONS)}")
        except _Wrong as error:
            places.mistakes.append(ModelFileError(places.path, number, str(error)))
        except FloatframeError as error:
            found = ModelFileError(places.path, number, str(error), subject=error.subject, field=error.field)
            places.mistakes.append(found)
    places.lines["network", network.name] = lambda field: data.get(field.rpartition(".")[2])


class _Wrong(FloatframeError):
    """A line that is not as it should be."""


def _headed(mark: str, word: str, rest: str, network: Structure, number: int) -> str:
    """A line that opens a section; returns its name."""
    if mark == "$":
        if word != "FRAGMENT":
            raise _Wrong(f"$ {word} is not known, expected $ FRAGMENT: name")
        if number > 1 and network.elements:
            raise _Wrong("found a second $ FRAGMENT; a file holds one, put the other into a file of its own")
        network.name = rest or network.name
        return ""
    if word not in _SECTIONS:
        raise _Wrong(f"# {word} is not known, expected one of {', '.join(_SECTIONS)}{did_you_mean(word, _SECTIONS)}")
    if word == "BASE":
        nodes = rest.replace(",", " ").split()
        if wrong := [node for node in nodes if not _NODE.fullmatch(node)]:
            raise _Wrong(f"# BASE: found '{wrong[0]}', expected names or numbers of nodes such as: # BASE: 1 2")
        network.base = tuple(dict.fromkeys((*network.base, *nodes)))
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
        if (code, nodes[0]) in places.starts:
            raise _Wrong(f"node '{nodes[0]}' has a line {code} already; keep one of them")
        places.starts.add((code, nodes[0]))
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


def _number(line: str, number: int, network: Structure, data: dict[str, int]) -> None:
    found = _DATA.fullmatch(_joined(line))
    if found is None:
        raise _Wrong(f"found '{line}', expected a number such as: k = 20000")
    name = found["name"]
    if name in data:
        raise _Wrong(f"'{name}' has a number already in line {data[name]}; keep one of them")
    data[name] = number
    network.parameters[name] = _scalar(found["value"])


def _scalar(text: str) -> float | str:
    """A number, or the expression that a text is."""
    try:
        return float(text)
    except ValueError:
        return _joined(text.strip())


def _joined(text: str) -> str:
    """Names of several words as one each."""
    return _GAP.sub(r"\1_", text)


def _split(text: str) -> list[str]:
    """Parts between commas that are not inside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = [part.strip() for part in parts]
    if found == [""]:
        return []
    if "" in found:
        raise _Wrong(f"a number is missing in '{text.strip()}'; each comma stands between two, defaults at the end")
    return found
