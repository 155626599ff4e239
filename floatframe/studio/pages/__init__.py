"""The pages of Studio, one module each: widgets, and what a click on them does.

In: the state of `floatframe.studio.app`. Out: widgets of trame. What they know and do without widgets is in the
modules above. Open `project_page` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.studio.pages.all_pages import PAGE_KINDS as PAGE_KINDS
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
