"""Models and bodies in notebooks: they show themselves as a scene that can be turned and played."""

from __future__ import annotations

import html
from typing import Any

_HEIGHT = 480  # pixels
_MOST = 12  # modes taken along, so that a notebook stays small

# by name, so that nothing is loaded before it is shown
SHOWN = {
    ("floatframe.fem.model", "FEModel"),
    ("floatframe.modal.reduced_body", "ReducedBody"),
    ("floatframe.viewer.scene", "Scene"),
    ("floatframe.hybrid.model", "Model"),
    ("floatframe.hybrid.system", "System"),
    ("floatframe.hybrid.results", "Results"),
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
    from floatframe.viewer.html import scene_html
    from floatframe.viewer.scenes import scene_of

    most = options.pop("most", _MOST)
    amplitude = options.pop("amplitude", "auto")
    return Display(scene_html(scene_of(thing, **options), mode, amplitude, most))


def register() -> None:
    """Let models, bodies and scenes show themselves in the notebook that runs this, if one does."""
    from IPython import get_ipython

    if (shell := get_ipython()) is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell: Any) -> None:
    """Let models, bodies and scenes show themselves; `%load_ext floatframe.viewer` calls this too."""
    formatter = shell.display_formatter.formatters["text/html"]
    for module, name in SHOWN:
        formatter.for_type_by_name(module, name, lambda thing: display(thing)._repr_html_())
