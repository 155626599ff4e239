"""Linear equations between dofs, solved one by one for dependent dofs.

Every equation is reduced by those before it, so that each dependent dof is expressed once and by independent ones only.
"""

from __future__ import annotations

from collections.abc import Sequence

Dof = tuple[int, int]  # node number and component 0..5
ZERO = 1e-10  # of the largest coefficient: what elimination leaves of a term that cancels


class Elimination:
    """Equations in reduced form: every dependent dof by independent ones."""

    def __init__(self, held: dict[Dof, None]) -> None:
        self.held = held
        self.solved: dict[Dof, dict[Dof, float]] = {}
        self._users: dict[Dof, set[Dof]] = {}

    def add(self, terms: Sequence[tuple[Dof, float]]) -> None:
        """Reduce one more equation by those known and solve it for a dof."""
        expression: dict[Dof, float] = {}
        size = max((abs(c) for _, c in terms), default=0.0)
        for dof, factor in terms:
            if dof in self.held:
                continue
            for other, c in self.solved.get(dof, {dof: 1.0}).items():
                expression[other] = expression.get(other, 0.0) + factor * c
        expression = {dof: c for dof, c in expression.items() if abs(c) > ZERO * size}
        if not expression:
            return
        if len(expression) == 1:
            self._hold(next(iter(expression)))
            return
        largest = max(expression, key=lambda dof: abs(expression[dof]))
        # the writer of the deck put the dependent dof first
        first = terms[0][0]
        pivot = first if abs(expression.get(first, 0.0)) > 1e-3 * abs(expression[largest]) else largest
        factor = expression.pop(pivot)
        solution = {dof: -c / factor for dof, c in expression.items()}
        for user in self._users.pop(pivot, set()):
            share = self.solved[user].pop(pivot)
            for dof, c in solution.items():
                self.solved[user][dof] = self.solved[user].get(dof, 0.0) + share * c
                self._users.setdefault(dof, set()).add(user)
        self.solved[pivot] = solution
        for dof in solution:
            self._users.setdefault(dof, set()).add(pivot)

    def _hold(self, dof: Dof) -> None:
        self.held[dof] = None
        for user in self._users.pop(dof, set()):
            del self.solved[user][dof]
            if not self.solved[user]:
                del self.solved[user]
                self._hold(user)
