"""Models and bodies in notebooks: they show themselves as a scene that can be turned and played."""

from __future__ import annotations

import html
from typing import Any

_HEIGHT = 480  # pixels
_MOST = 12  # modes taken along, so that a notebook stays small

# by name, so that nothing is loaded before it is shown
SHOWN = {
    ("floatframe.fem.model", "FEModel"),
    ("floatframe.modal.body.reduced_body", "ReducedBody"),
    ("floatframe.viewer.scene", "Scene"),
    ("floatframe.hybrid.model", "Model"),
    ("floatframe.hybrid.model_file", "ModelFile"),
    ("floatframe.hybrid.system", "System"),
    ("floatframe.hybrid.results.results", "Results"),
}
# modes have no mesh of their own: they show themselves as tables
LISTED = {
    ("floatframe.modal.lanczos.modes", "Modes"),
    ("floatframe.io.native.modes_hdf5", "NodalModes"),
    ("floatframe.hybrid.studies.linear", "Linear"),
}


class Display:
    """Something that a notebook draws: the scene in a frame of its own."""

    def __init__(self, page: str) -> None:
        self.page = page

    def _repr_html_(self) -> str:
        inside = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{inside}" style="width:100%;height:{_HEIGHT}px;border:1px solid #d9dde2"></iframe>'


def display(thing: Any, mode: int = 1, **options: Any) -> Display:
    """Return a model, body or scene for the output of a notebook cell (see `page` for the options)."""
    from floatframe.viewer.drawing import scene_of
    from floatframe.viewer.pages.html import scene_html

    most = options.pop("most", _MOST)
    amplitude = options.pop("amplitude", "auto")
    return Display(scene_html(scene_of(thing, **options), mode, amplitude, most))


def mode_table(modes: Any) -> str:
    """Return the frequencies of modes as a table, with what else is known of each."""
    columns = {"mode": range(1, len(modes.frequency) + 1), "frequency [Hz]": [f"{f:.6g}" for f in modes.frequency]}
    for name in ("damping", "residual"):
        if hasattr(modes, name):
            columns[name] = [f"{value:.2g}" for value in getattr(modes, name)]
    if hasattr(modes, "kind"):
        columns["kind"] = modes.kind
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = zip(*columns.values(), strict=True)
    cells = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def register_in_notebooks() -> None:
    """Let models, bodies and scenes show themselves in the notebook that runs this, if one does."""
    from IPython import get_ipython

    if (shell := get_ipython()) is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell: Any) -> None:
    """Let models, bodies and scenes show themselves; `%load_ext floatframe.viewer` calls this too."""
    formatter = shell.display_formatter.formatters["text/html"]
    for module, name in SHOWN:
        formatter.for_type_by_name(module, name, lambda thing: display(thing)._repr_html_())
    for module, name in LISTED:
        formatter.for_type_by_name(module, name, mode_table)
