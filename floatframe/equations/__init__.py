"""Forms of the equations of motion for teaching and checking, in plain NumPy, SciPy and SymPy; no run needs them.

Nonholonomic systems from a Lagrangian: `with_multipliers`, `voronets`, `chaplygin`. Equations from given constraints:
`InverseProblem`. A rocket with stabilised first integrals: `Rocket`. Angles past a singular attitude: `pass_singular`.
Trees of rigid bodies: `equations(system, state, form)` in six forms, motions by Hamilton's equations with
`integrate_momenta`, a mass matrix carried along by its eigenvectors with `integrate_eigenfactors`.
What the solvers of runs cost: `compare_solvers`, their operations counted by `count_flops`.
The forces that held programmed constraints, in their place: `forces_instead`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.equations.eigenfactors import (
        EigenfactorMotion as EigenfactorMotion,
        Eigenfactors as Eigenfactors,
        integrate_eigenfactors as integrate_eigenfactors,
    )
    from floatframe.equations.forms import Equations as Equations, equations as equations
    from floatframe.equations.inverse_problem import (
        InverseProblem as InverseProblem,
        helmholtz_conditions as helmholtz_conditions,
        velocity_field as velocity_field,
    )
    from floatframe.equations.lagrangian import (
        LagrangianSystem as LagrangianSystem,
        MultiplierEquations as MultiplierEquations,
        with_multipliers as with_multipliers,
    )
    from floatframe.equations.methods import (
        BY_OPERATIONS as BY_OPERATIONS,
        Count as Count,
        SolverCost as SolverCost,
        best_by_operations as best_by_operations,
        best_by_time as best_by_time,
        calibrated as calibrated,
        compare_solvers as compare_solvers,
        count_flops as count_flops,
    )
    from floatframe.equations.momenta import (
        MomentumMotion as MomentumMotion,
        integrate_momenta as integrate_momenta,
    )
    from floatframe.equations.programmed import forces_instead as forces_instead
    from floatframe.equations.reduced import (
        ReducedEquations as ReducedEquations,
        chaplygin as chaplygin,
        voronets as voronets,
    )
    from floatframe.equations.rocket import Rocket as Rocket, RocketState as RocketState
    from floatframe.equations.singular_attitude import least_jump as least_jump, pass_singular as pass_singular
    from floatframe.equations.tree_matrices import TreeMatrices as TreeMatrices, tree_matrices as tree_matrices
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
