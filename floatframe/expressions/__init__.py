"""Expressions and tables of models: our own grammar, never executed as Python.

In: text. Out: trees that can be evaluated, differentiated and filled in; numbers that may be expressions.
Open `parser` first, then `expression`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.expressions import calculus as calculus
    from floatframe.expressions.expression import Expression as Expression, parse as parse
    from floatframe.expressions.fields import field_values as field_values, forgiving as forgiving
    from floatframe.expressions.functions import CATALOGUE as CATALOGUE
    from floatframe.expressions.mistakes import ANY as ANY, Mistakes as Mistakes
    from floatframe.expressions.nodes import (
        Call as Call,
        Name as Name,
        Node as Node,
        Number as Number,
        fold as fold,
        shared as shared,
    )
    from floatframe.expressions.parser import RESERVED as RESERVED
    from floatframe.expressions.switches import switching_times as switching_times
    from floatframe.expressions.tables import (
        NO_TABLES as NO_TABLES,
        Table as Table,
        TableBook as TableBook,
        link_tables as link_tables,
        read_table as read_table,
    )
    from floatframe.expressions.values import (
        NotingScope as NotingScope,
        Scalar as Scalar,
        Scope as Scope,
        Values as Values,
        Vector as Vector,
        kept as kept,
        kept_list as kept_list,
        optional as optional,
        parameter as parameter,
        resolved_parameters as resolved_parameters,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
