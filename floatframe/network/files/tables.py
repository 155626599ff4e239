"""The tables of a network file as data, for forms: the keys that read the file, by kind of element."""

from __future__ import annotations

from floatframe.hybrid import TableRule
from floatframe.network.files import toml_form as form
from floatframe.network.laws import LIBRARY


def network_tables() -> dict[str, TableRule]:
    """Return the tables of a network file in the order of its reference; [parameters] has free names."""
    kinds = {name: form.keys_of(kind) for name, kind in LIBRARY.items()}
    return {
        "parameters": TableRule(form.TOP["parameters"].meaning, many=False),
        "element": TableRule(form.TOP["element"].meaning, types=kinds, typed_by="kind"),
        "machine": TableRule(form.TOP["machine"].meaning, form.MACHINE),
        "node": TableRule(form.TOP["node"].meaning, form.NODE),
        "record": TableRule(form.TOP["record"].meaning, form.RECORD, many=False),
        "simulate": TableRule(form.TOP["simulate"].meaning, form.SIMULATE, many=False),
    }
