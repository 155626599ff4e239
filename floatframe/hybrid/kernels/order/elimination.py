"""In which order a system with loops and flexible bodies is eliminated along its tree, found once for all steps.

Links are taken from the leaves to the ground. Of each first the modes go, then the constraint rows whose loops close at
it, then the dofs of its joint; what is left is the inertia that its parent feels, bordered by the rows whose loops are
still open. A row is open from the links it acts on to the last link that all of them hang on. Rows that close at one
link go in the order of least fill, so the work grows with the number of loops and not with its square.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.hybrid.kernels.layout import (
    EXPRESSION,
    RELATION,
    SENSE_ANGULAR_VELOCITY,
    SENSE_RATE,
    SENSE_VELOCITY,
    TREE_COORDINATE,
    Tables,
)

#: a link with what is eliminated at it; lists of whole numbers lie in Work.lists, floating ones in Work.numbers
FRONT = np.dtype(
    [
        ("parent", "i8"),
        ("iv", "i8"),  # first dof of its joint, and how many
        ("nv", "i8"),
        ("flexible", "i8"),  # its flexible body or -1; first of its modes, and how many
        ("modal", "i8"),
        ("modes", "i8"),
        ("factor", "i8"),  # start of the factor (n, n) of its modes among the numbers, -1 if they are apart
        ("first", "i8"),  # its first open row; how many close here, which come first, and how many there are
        ("closing", "i8"),
        ("count", "i8"),
        ("pairs", "i8"),  # start of the slots of pairs of its open rows, upper triangle, row by row
        ("kept", "i8"),  # start of those of the rows that stay open
    ],
    align=True,
)
#: a row that is open at a link
OPEN = np.dtype(
    [
        ("row", "i8"),
        ("above", "i8"),  # the same at the parent, -1 if it closes here
        ("b", "f8", 6),  # force and torque on the link, at its origin, per unit of the multiplier
    ],
    align=True,
)
#: a row in the elimination
ROW_STEP = np.dtype(
    [
        ("place", "i8"),  # where it is open when it is eliminated
        ("near", "i8"),  # start of the list of rows it changes: number, slot, place where that is open; how many
        ("count", "i8"),
        ("pairs", "i8"),  # start of the slots of their pairs
        ("first", "i8"),  # its coefficients: list of dof and place among the numbers; behind the last one
        ("last", "i8"),
        ("split", "i8"),  # between markers: its first coefficient that belongs to b; else -1
        ("stiffness", "f8"),  # sum of squared coefficients over pivots, which it is regularised by
        ("right", "f8"),  # workspace: right-hand side, then multiplier
    ],
    align=True,
)


class Elimination(NamedTuple):
    """The records above, their lists, and room for the numbers of the factors."""

    fronts: AnyArray  # FRONT (nlink,)
    open: AnyArray  # OPEN
    steps: AnyArray  # ROW_STEP (nlambda,)
    lists: IntArray
    numbers: Array  # slots of pairs of rows first: of row k with itself slot k
    shares: IntArray  # (nv,) start of the coefficients of a dof among the numbers, twice: as given, as eliminated
    slots: int  # how many of the numbers are slots
    given: int  # from a coefficient as eliminated to the same as given


def no_elimination() -> Elimination:
    """Nothing, for dense systems."""
    whole = np.zeros(0, np.int64)
    return Elimination(
        np.zeros(0, FRONT), np.zeros(0, OPEN), np.zeros(0, ROW_STEP), whole, np.zeros(0), whole.copy(), 0, 0
    )


def elimination(tables: Tables) -> Elimination:
    """The order of a system."""
    return _Order(tables).found()


class _Order:
    """Everything collected on the way to an Elimination."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.parent: list[int] = tables.links["parent"].tolist()
        self.nlink, self.nl, self.nv = len(tables.links), len(tables.rows), len(tables.dofs)
        self.flexible = {int(body["link"]): k for k, body in enumerate(tables.flexible)}
        self.closes = [0] * self.nl  # link at which a row closes
        self.open_at: list[dict[int, None]] = [{} for _ in range(self.nlink)]
        self.links_of: list[dict[int, None]] = [{} for _ in range(self.nl)]  # the same seen from the rows
        for k in range(self.nl):
            self._open_row(k)
        self.near: list[set[int]] = [set() for _ in range(self.nl)]
        self.eliminated: list[list[int]] = [[] for _ in range(self.nl)]  # rows that a row changes when it goes

    def _path(self, link: int) -> list[int]:
        found = [link]
        while found[-1] > 0:
            found.append(self.parent[found[-1]])
        return found

    def _open_row(self, k: int) -> None:
        touched = self._touched(k)
        paths = [self._path(link) for link in touched]
        common = set(paths[0]).intersection(*paths[1:])
        self.closes[k] = max(common)  # numbers grow away from the ground
        for path in paths:
            for link in path:
                self.open_at[link][k] = None
                self.links_of[k][link] = None
                if link == self.closes[k]:
                    break

    def _touched(self, k: int) -> list[int]:
        """The links that a row acts on or is measured from."""
        t, row = self.tables, self.tables.rows[k]
        terms = t.terms[int(row["first_term"]) : int(row["last_term"])]
        if row["kind"] == RELATION:
            return [link for term in terms for link in self._of_coordinate(int(term["coordinate"]))]
        if row["kind"] != EXPRESSION:
            return [int(t.markers[row["a"]]["link"]), int(t.markers[row["b"]]["link"])]
        found = [0]
        for term in terms:
            sensor = t.sensors[int(term["sensor"])]
            index = int(sensor["index"])
            if sensor["kind"] == SENSE_RATE:
                found += self._of_coordinate(index)
            elif sensor["kind"] in (SENSE_VELOCITY, SENSE_ANGULAR_VELOCITY):
                found.append(int(t.markers[index]["link"]))
            else:
                found += [int(b["link"]) for b in t.flexible if b["iv"] <= index < b["iv"] + b["n"]]
        return found

    def _of_coordinate(self, number: int) -> list[int]:
        """The links that a coordinate is measured between."""
        c, markers = self.tables.coordinates[number], self.tables.markers
        if c["kind"] != TREE_COORDINATE:
            return [int(markers[c["a"]]["link"]), int(markers[c["b"]]["link"])]
        link = int(self.tables.dofs[int(c["iv"])]["link"])
        return [link, self.parent[link]]

    def _connect(self, rows: Iterable[int]) -> None:
        rows = set(rows)
        for k in rows:
            self.near[k] |= rows
            self.near[k].discard(k)

    def found(self) -> Elimination:
        tables = self.tables
        order: list[list[int]] = [[] for _ in range(self.nlink)]
        for i in range(self.nlink - 1, -1, -1):
            closing = [k for k in self.open_at[i] if self.closes[k] == i]
            if i in self.flexible:
                self._connect(self.open_at[i])
            order[i] = self._least_fill(closing)
            if i > 0 and tables.links[i]["nv"] > 0:
                self._connect(k for k in self.open_at[i] if self.closes[k] != i)
        return self._records(order)

    def _least_fill(self, closing: list[int]) -> list[int]:
        """Rows in the order in which each changes the fewest others; keeps what it changes."""
        queue = [(len(self.near[k]), k) for k in closing]
        heapq.heapify(queue)
        left, order = set(closing), []
        while queue:
            size, k = heapq.heappop(queue)
            if k not in left or size != len(self.near[k]):
                continue
            left.discard(k)
            order.append(k)
            self.eliminated[k] = sorted(self.near[k])
            for other in self.near[k]:
                self.near[other].discard(k)
            for other in self.near[k]:
                self.near[other] |= self.near[k]
                self.near[other].discard(other)
                if other in left:
                    heapq.heappush(queue, (len(self.near[other]), other))
        return order

    def _records(self, order: list[list[int]]) -> Elimination:
        tables, nl = self.tables, self.nl
        slots: dict[tuple[int, int], int] = {(k, k): k for k in range(nl)}

        def slot(a: int, b: int) -> int:
            pair = (a, b) if a < b else (b, a)
            return slots.setdefault(pair, len(slots))

        lists: list[int] = []

        def pairs(rows: list[int]) -> int:
            start = len(lists)
            lists.extend(slot(a, b) for p, a in enumerate(rows) for b in rows[p:])
            return start

        fronts = np.zeros(self.nlink, FRONT)
        entries: list[tuple[int, int]] = []
        at: list[dict[int, int]] = []
        for i in range(self.nlink):
            stay = [k for k in self.open_at[i] if self.closes[k] != i]
            rows = order[i] + stay
            front, link = fronts[i], tables.links[i]
            front["parent"], front["iv"], front["nv"] = link["parent"], link["iv"], link["nv"] if i > 0 else 0
            front["first"], front["closing"], front["count"] = len(entries), len(order[i]), len(rows)
            at.append({k: len(entries) + p for p, k in enumerate(rows)})
            above = at[self.parent[i]] if i > 0 else {}
            entries += [(k, -1 if self.closes[k] == i else above[k]) for k in rows]
            flexible = self.flexible.get(i, -1)
            front["flexible"], front["factor"] = flexible, -1
            if flexible >= 0:
                front["modal"], front["modes"] = (int(tables.flexible[flexible][name]) for name in ("iv", "n"))
                front["pairs"] = pairs(rows)
            front["kept"] = pairs(stay)
        shares = self._shares(fronts)
        steps = np.zeros(nl, ROW_STEP)
        for i, rows in enumerate(order):
            for k in rows:
                step = steps[k]
                step["place"], step["near"], step["count"] = at[i][k], len(lists), len(self.eliminated[k])
                for other in self.eliminated[k]:
                    lists += [other, slot(k, other), at[i][other]]
                step["pairs"] = pairs(self.eliminated[k])
        nslot, width = len(slots), int(shares[1])
        begin = shares[0] + nslot
        for k in range(nl):
            self._coefficients(k, steps[k], begin + width, fronts, at, lists)
        size = nslot + 2 * width
        for body, front in ((tables.flexible[f["flexible"]], f) for f in fronts if f["flexible"] >= 0):
            if body["diagonal"] == 0:
                front["factor"] = size
                size += int(body["n"]) ** 2
        opened = np.zeros(len(entries), OPEN)
        opened["row"], opened["above"] = np.array(entries, np.int64).reshape(-1, 2).T
        whole = np.array(lists, np.int64)
        return Elimination(fronts, opened, steps, whole, np.zeros(size), begin, nslot, width)

    def _shares(self, fronts: AnyArray) -> tuple[IntArray, int]:
        """Where the coefficients of every dof begin, and how many there are."""
        start = np.zeros(self.nv, np.int64)
        total = 0
        for front in fronts:
            for j in range(int(front["iv"]), int(front["iv"] + front["nv"])):
                start[j] = total
                total += int(front["count"] - front["closing"])
            for j in range(int(front["modal"]), int(front["modal"] + front["modes"])):
                start[j] = total
                total += int(front["count"])
        return start, total

    def _coefficients(
        self, k: int, step: np.void, given: IntArray, fronts: AnyArray, at: list[dict[int, int]], lists: list[int]
    ) -> None:
        """List the dofs of a row with the places of their coefficients.

        Of rows between markers: modes and then the way towards the ground of a, the same of b, in this order.
        """
        tables, row = self.tables, self.tables.rows[k]
        step["first"] = len(lists)
        if row["kind"] in (RELATION, EXPRESSION):
            step["split"] = -1
            for i in self.links_of[k]:
                self._list(k, i, True, given, fronts, at, lists)
                if self.closes[k] != i:
                    self._list(k, i, False, given, fronts, at, lists)
        else:
            for name in ("a", "b"):
                if name == "b":
                    step["split"] = len(lists)
                link = int(tables.markers[row[name]]["link"])
                if int(tables.markers[row[name]]["flexible"]) >= 0:
                    self._list(k, link, True, given, fronts, at, lists)
                while link != self.closes[k]:
                    self._list(k, link, False, given, fronts, at, lists)
                    link = self.parent[link]
        step["last"] = len(lists)

    def _list(
        self, k: int, i: int, modal: bool, given: IntArray, fronts: AnyArray, at: list[dict[int, int]], lists: list[int]
    ) -> None:
        """List the modes of a link, or the dofs of its joint from the last to the first."""
        front = fronts[i]
        number = at[i][k] - int(front["first"])
        if modal:
            for j in range(int(front["modal"]), int(front["modal"] + front["modes"])):
                lists += [j, int(given[j]) + number]
        else:
            for j in range(int(front["iv"] + front["nv"]) - 1, int(front["iv"]) - 1, -1):
                lists += [j, int(given[j]) + number - int(front["closing"])]
