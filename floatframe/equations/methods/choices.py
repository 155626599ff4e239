"""Which solver is best for chains of equal length on the ground: by operations, or by times of a machine."""

from __future__ import annotations

from collections.abc import Callable

from floatframe.hybrid import SolverFactors, Structure, tree_flops

BY_OPERATIONS = ("dec", "cbm", "lgr", "itr")


def best_by_operations(iterations: float) -> Callable[[int, int, int], str]:
    """The solver of least operations for (chains, length, dofs of a joint)."""

    def best(chains: int, length: int, dofs: int) -> str:
        flops = tree_flops(Structure.chains(chains, length, dofs), iterations)
        return min(BY_OPERATIONS, key=flops.__getitem__)

    return best


def best_by_time(factors: SolverFactors) -> Callable[[int, int, int], str]:
    """The solver of least predicted time."""

    def best(chains: int, length: int, dofs: int) -> str:
        flops = tree_flops(Structure.chains(chains, length, dofs))
        links = chains * length
        return min(flops, key=lambda name: factors.seconds(name, links, flops[name]))

    return best
