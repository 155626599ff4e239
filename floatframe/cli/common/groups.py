"""Groups of options: dataclasses whose fields are options of the command line, shared by commands that need the same.

A command takes a group as one parameter; `flattened` shows typer the options in it one by one.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, get_origin, get_type_hints

import typer

from floatframe.cli.common.outputs import outputs_of, require_outputs

_FORCE = inspect.Parameter(
    "force",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--force", help="Write over a file of another kind too.")],
)


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command whose groups are replaced by their options, as typer reads it; it gets whole groups."""
    groups: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if is_dataclass(group) and isinstance(group, type):
            options = _options(group)
            groups[parameter.name] = group, [option.name for option in options]
            parameters += options
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    outputs = outputs_of({parameter.name: parameter.annotation for parameter in parameters})
    if outputs:
        parameters.append(_FORCE)

    @functools.wraps(command)
    def run(**values: Any) -> Any:
        writing = require_outputs(values, outputs, values.pop(_FORCE.name)) if outputs else nullcontext()
        with writing:
            for name, (group, options) in groups.items():
                values[name] = group(**{option: values.pop(option) for option in options})
            return command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options(group: type) -> list[inspect.Parameter]:
    """Return the options of a group: its fields with an annotation for typer, others are not on the command line."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
        if get_origin(hints[field.name]) is Annotated
    ]
