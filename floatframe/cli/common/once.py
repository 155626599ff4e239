"""Options that take one value are given once: of several, all but the last would be passed over without a word."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand, TyperOption


class OnceCommand(TyperCommand):
    """A command that refuses an option given several times, unless it takes several values or none."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return the words that are left, as typer does."""
        if not ctx.resilient_parsing:  # tab completion looks at unfinished lines
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            once = [p for p in given if isinstance(p, TyperOption) and not p.is_flag and not p.multiple]
            for name, count in Counter(p.opts[0] for p in once).items():
                if count > 1:
                    raise typer.BadParameter(
                        f"{name} is given {count} times and takes one value; give it once, lists joined by commas"
                    )
        return super().parse_args(ctx, args)
