"""The order of APDL commands: parameters, *IF, *DO, *REPEAT, *GO, macros and included files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from floatframe.errors import ReadError
from floatframe.io.ansys.apdl.branches import Branches
from floatframe.io.ansys.apdl.text import Command, Text, beside, fields_of, parts_of, place_in_array

_ASSIGNMENT = re.compile(r"^([A-Za-z_]\w*)\s*(\([^=]*\))?\s*=(?!=)\s*(.*)$")
_NAME = re.compile(r"[A-Za-z_]\w*")
_INSERTED = re.compile(r"%([^%]+)%")
_MOST_PASSES = 300_000  # of loops, jumps and repetitions together: what an input of a model needs at most
_DEEPEST = 20  # files and macros inside each other
_WITH_FORMAT = ("*VWRI", "*MWRI", "*MSG", "*VREA", "*TREA")  # a line of text follows
# commands that fill arrays, of which only *VFILL is carried out, and those that say which part the next one fills
_FILLING = ("*VFIL", "*VGET", "*VOPE", "*VFUN", "*VITR", "*VSCF", "*VREA", "*TREA", "*SREA", "*MOPE", "*MFUN", "*TOPE")
_FILLED_PART = ("*VLEN", "*VMAS", "*VCOL")
_SHORT = {"*ENDI": "*ENDIF", "*ENDD": "*ENDDO", "*ELSEI": "*ELSEIF", "*REP": "*REPEAT", "*DOWH": "*DOWHILE"}


@dataclass
class _Loop:
    """A *DO: parameter, its value, where it ends and by what it grows; place of its first line; open branches."""

    name: str
    value: float
    last: float
    step: float
    position: int
    line: int
    depth: int
    file: int


def commands(text: Text) -> Iterator[Command]:
    """Yield the commands one by one; blocks are read by whoever handles the command that opens them."""
    flow = Flow(text)
    while True:
        line = text.next_line()
        if line is not None:
            for part in parts_of(line):
                yield from flow.follow(part)
        elif not text.leave():
            return


class Flow:
    """Follows what decides which command comes next, and passes all other commands on."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.branches = Branches(self._value, text.log.warn)
        self.loops: list[_Loop] = []
        self.macros: dict[str, bytes] = {}
        self.passes = 0
        self.last: Command | None = None
        self.solved = False
        self.rows: dict[str, int] = {}  # of arrays
        self.in_part = False

    def follow(self, part: str) -> Iterator[Command]:
        """Yield the commands of one part of a line."""
        text = self.text
        fields = fields_of(self._inserted(part))
        name = fields[0].split()[0].upper() if fields[0] else ""
        if name[:1] == "*":
            name = next((full for short, full in _SHORT.items() if name.startswith(short)), name)
        action = self.branches.take(name, fields[1:])
        if action is not None:
            self._act(action)
        elif not self.branches.active:
            return
        elif name == "*REPEAT":
            yield from self._repeated(fields[1:])
        elif not (self._fills(name, fields[1:]) or self._steers(name, fields[1:]) or self._assigns(part, fields)):
            words = tuple(self._word(entry) for entry in fields[1:])
            if name in self.macros or (name == "*USE" and words):
                self._use(name if name in self.macros else words[0], words[name == "*USE" :])
            elif not (name == "/INPUT" and self._include(words)) and not (name[:4] == "CDRE" and self._archive(words)):
                self.last = Command(name, words, text.line)
                self.solved |= name[:4] == "SOLV"
                yield self.last

    # words

    def _inserted(self, part: str) -> str:
        """Replace %parameter% by its value."""
        if "%" not in part:
            return part

        def value(match: re.Match[str]) -> str:
            found = self.text.parameters.get(match[1].strip().upper())
            if isinstance(found, str):
                return found
            try:
                number = self.text.number(match[1])
            except ReadError:
                return match[0]
            return f"{number:.0f}" if number == int(number) else repr(number)

        return _INSERTED.sub(value, part)

    def _word(self, entry: str) -> str:
        """Return a field; one that names a parameter with text is that text."""
        found = self.text.parameters.get(entry.upper()) if entry else None
        return found if isinstance(found, str) else entry

    def _value(self, entry: str) -> float | str:
        """Return what a condition compares: a number, or text in capitals."""
        found = self._word(entry)
        quoted = found.startswith("'") or found != entry
        for name in {
            word.upper() for word in _NAME.findall(entry)
        } & self.text.unanswered - self.text.parameters.keys():
            self.text.log.warn(f"a condition asks for {name}, which a *GET that is not read gives; it counts as zero.")
        return found.strip("'").strip().upper() if quoted else self.text.number(entry, unknown=0.0)

    # parameters

    def _assigns(self, part: str, fields: list[str]) -> bool:
        """Carry out an assignment; return whether the command was one."""
        text = self.text
        word = fields[0].upper()
        if word == "*SET" and len(fields) >= 2:
            match = re.match(r"^(\w+)\s*(\(.*\))?$", fields[1])
            if match is None:
                return True
            name, place, values = match[1].upper(), match[2], fields[2:]
        elif word in ("*DIM", "*DEL", "*AFUN"):
            self._declares(word, fields[1:])
            return True
        elif fields[0][:1] not in "/*~" and (found := _ASSIGNMENT.match(part.strip())):
            name, place, values = found[1].upper(), found[2], fields_of(found[3])
        else:
            return False
        if place:
            self._put(name, place, values)
            return True
        value = self._assigned(values[0] if values else "")
        if value is None:
            text.parameters.pop(name, None)  # refused later, if anything asks for it
        else:
            text.parameters[name] = value
        return True

    def _assigned(self, entry: str) -> float | str | None:
        """Return a number or text, None if there is no such value."""
        known = self._word(entry)
        if entry.startswith("'") or known != entry:
            return known.strip("'").strip()
        try:
            return self.text.number(entry) if entry else None
        except ReadError:
            return None

    def _declares(self, word: str, fields: list[str]) -> None:
        name = fields[0].upper() if fields else ""
        if word == "*AFUN":
            self.text.degrees = name.startswith("DEG")
        elif word == "*DEL":
            self.text.parameters.pop(name, None)
            self.text.arrays.pop(name, None)
        elif len(fields) < 2 or fields[1].upper()[:4] in ("ARRA", ""):
            self.text.arrays[name] = {}
            self.rows[name] = int(self.text.number(fields[2], unknown=1.0)) if len(fields) > 2 else 1

    def _fills(self, name: str, fields: list[str]) -> bool:
        """Carry out *VFILL,ParR,DATA or RAMP,…; forget what other commands fill: it is refused where it is needed."""
        if not name.startswith((*_FILLING, *_FILLED_PART)):
            return False
        part, self.in_part = self.in_part, name.startswith(_FILLED_PART)
        match = re.match(r"^(\w+)\s*(\(.*\))?$", fields[0]) if fields and not self.in_part else None
        if match is None:
            return False
        array, place = match[1].upper(), match[2] or "(1)"
        how, values = (fields[1].upper() if len(fields) > 1 else ""), fields[2:]
        if name.startswith("*VFIL") and how == "RAMP":
            first = self.text.number(fields_of(place[1:-1])[0], unknown=1.0)
            count = self.rows.get(array, 0) - int(first) + 1
            start, step = ([*values, "0", "0"][k] or "0" for k in (0, 1))
            values = [f"({start})+({k})*({step})" for k in range(min(count, _MOST_PASSES))]
        if name.startswith("*VFIL") and how in ("DATA", "RAMP") and len(values) < _MOST_PASSES and not part:
            self._put(array, place, values)
        else:
            self.text.arrays.pop(array, None)
            self.text.parameters.pop(array, None)
        return not name.startswith(_WITH_FORMAT)

    def _put(self, name: str, place: str, values: list[str]) -> None:
        """Fill an array from one of its elements on."""
        if name not in self.text.arrays:
            return  # tables and texts serve loads and listings
        try:
            first, *others = (self.text.number(entry) for entry in fields_of(place.strip()[1:-1]))
            for k, entry in enumerate(values):
                self.text.arrays[name][place_in_array((first + k, *others))] = self.text.number(entry)
        except ReadError:
            self.text.arrays.pop(name, None)

    # what comes next

    def _steers(self, name: str, fields: list[str]) -> bool:
        """Carry out a command of loops, jumps and macros; return whether it was one."""
        if name == "*DO":
            self._begin(fields)
        elif name == "*DOWHILE":
            self._loop(_Loop(fields[0] if fields else "0", 0.0, 0.0, 0.0, *self._here()))
        elif name == "*ENDDO":
            self._advance()
        elif name in ("*CYCLE", "*EXIT"):
            self._act(name[1:])
        elif name == "*GO":
            self._act(fields[0].upper() if fields else "")
        elif name == "*CREATE":
            self._create(fields)
        elif name == "/EOF" and self.text.callers:
            self.text.leave()
        elif name.startswith(_WITH_FORMAT):
            while (self.text.next_line() or "").endswith("&"):
                pass
        elif name[:1] != ":" and name != "*END":
            return False
        return True

    def _pass(self) -> None:
        self.passes += 1
        if self.passes > _MOST_PASSES:
            raise self.text.error(f"its loops run more than {_MOST_PASSES} times; write the model with CDWRITE.")

    def _here(self) -> tuple[int, int, int, int]:
        return self.text.position, self.text.line, self.branches.depth, len(self.text.callers)

    def _begin(self, fields: list[str]) -> None:
        """*DO,Par,IVAL,FVAL,INC."""
        if self.solved:
            self._skip_loop()
            self.text.log.skip("*DO", "loops behind SOLVE make loads and results", False, self.text.line)
            return
        start, last, step = (self.text.number(entry) for entry in [*fields[1:4], "", "", ""][:3])
        step = step or 1.0
        self._loop(_Loop(fields[0].upper() if fields else "", start, last, step, *self._here()))

    def _loop(self, loop: _Loop) -> None:
        if self._runs(loop):
            self.loops.append(loop)
        else:
            self._skip_loop()

    def _runs(self, loop: _Loop) -> bool:
        if not loop.step:
            return self.text.number(loop.name, unknown=0.0) > 0.0
        self.text.parameters[loop.name] = loop.value
        margin = 1e-9 * abs(loop.step)
        return loop.value <= loop.last + margin if loop.step > 0 else loop.value >= loop.last - margin

    def _advance(self) -> None:
        """*ENDDO."""
        if not self.loops:
            return
        self._pass()
        loop = self.loops[-1]
        loop.value = self.text.number(loop.name, unknown=loop.value) + loop.step if loop.step else 0.0
        if self._runs(loop) and loop.file == len(self.text.callers):
            self.text.position, self.text.line = loop.position, loop.line
        else:
            self.loops.pop()

    def _skip_loop(self) -> None:
        """Move behind the *ENDDO of a loop."""
        depth = 1
        while depth and (line := self.text.next_line()) is not None:
            word = line.strip().upper()
            depth += word.startswith("*DO") - word.startswith("*ENDD")

    def _act(self, action: str) -> None:
        """CYCLE, EXIT, STOP or a jump to a :LABEL; nothing for an empty action."""
        if action in ("CYCLE", "EXIT") and self.loops:
            self.branches.cut(self.loops[-1].depth)
            self._skip_loop()
            if action == "CYCLE":
                self._advance()
            else:
                self.loops.pop()
        elif action == "STOP":
            while self.text.leave():
                pass
            self.text.position = len(self.text.data)
        elif action.startswith(":"):
            self._jump(action)

    def _jump(self, label: str) -> None:
        """Go to the line of a label: below, or from the top of the file on."""
        self._pass()
        text = self.text
        start = (text.position, text.line)
        for position, line in (start, (0, 0)):
            text.position, text.line = position, line
            while (found := text.next_line()) is not None:
                if found.strip().upper().startswith(label) and found.strip().upper().split("!")[0].strip() == label:
                    self.branches.cut(self.loops[-1].depth if self.loops else 0)
                    return
        text.position, text.line = start
        text.log.warn(f"line {text.line}: {label} may jump to another line, which is not there; it is passed over.")

    def _repeated(self, fields: list[str]) -> Iterator[Command]:
        """*REPEAT,NTOT,VINC1,…: the last command again, its numbers increased each time."""
        if self.last is None:
            raise self.text.error("*REPEAT follows no command.")
        count = self.text.integer(fields[0] if fields else "", "number of repetitions")
        steps = [self.text.number(entry) for entry in fields[1:]]
        words = list(self.last.fields) + [""] * (len(steps) - len(self.last.fields))
        for _ in range(1, count):
            self._pass()
            for k, step in enumerate(steps):
                if step:
                    value = self.text.number(words[k]) + step
                    words[k] = f"{value:.0f}" if value == int(value) else repr(value)
            yield Command(self.last.name, tuple(words), self.text.line)

    # macros and files

    def _create(self, fields: list[str]) -> None:
        """*CREATE,Fname,Ext: lines up to *END are a macro."""
        name = ".".join(entry.strip("'").upper() for entry in fields[:2] if entry)
        lines = []
        while (line := self.text.next_line()) is not None and line.strip().upper()[:4] != "*END":
            lines.append(line)
        self.macros[name] = self.macros[name.split(".")[0]] = "\n".join(lines).encode("latin-1", "replace")

    def _enter(self, path: Path, data: bytes | None) -> None:
        self._pass()
        if len(self.text.callers) >= _DEEPEST:
            raise self.text.error(f"files and macros call each other more than {_DEEPEST} deep.")
        self.text.enter(path, data)

    def _use(self, name: str, words: tuple[str, ...]) -> None:
        """*USE,Name,ARG1,…: run a macro made here or lying beside the file."""
        word = name.strip("'").upper()
        path = beside(self.text.path, name.strip("'"), "mac")
        if word not in self.macros and path is None:
            raise self.text.error(
                f"*USE runs the macro '{name}', which is neither made here nor beside the file; put it there, or write "
                "the model with CDWRITE,DB."
            )
        for k, entry in enumerate(words, start=1):
            try:
                self.text.parameters[f"ARG{k}"] = self.text.number(entry)
            except ReadError:
                self.text.parameters[f"ARG{k}"] = entry
        self._enter(path or self.text.path, self.macros.get(word))

    def _archive(self, words: tuple[str, ...]) -> bool:
        """CDREAD,Option,Fname,Ext: read an archive that lies beside this file; return whether it does."""
        name, extension = (*words, "", "", "")[1:3]
        return self._include((name, extension or "cdb"))

    def _include(self, words: tuple[str, ...]) -> bool:
        """/INPUT,Fname,Ext: read a file that lies beside this one; return whether it does."""
        name = words[0].strip("' ") if words else ""
        extension = words[1].strip("' ") if len(words) > 1 else ""
        made = ".".join(part.upper() for part in (name, extension) if part)
        path = beside(self.text.path, name, extension)
        if made in self.macros or path is not None:
            self._enter(path or self.text.path, self.macros.get(made))
            return True
        return False
