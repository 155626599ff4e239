"""Ballast cleaner SHCHOM-1200: two screens with unbalances on a flexible frame.

floatframe info ballast-cleaner.h5
floatframe mesh frame.toml --set height=1.2 -o lower.h5
floatframe view ballast-cleaner.h5 --mode 7
floatframe reduce frame.toml --method eigenmodes -n 25 -o frame.h5
floatframe linear machine.toml -n 24
floatframe simulate machine.toml --set phi=150 -o run.h5
floatframe contributions run.h5 'frame.node[point 4].position.z' --from 13
"""

from floatframe.samples.ballast_cleaner.model import Design, build

__all__ = ["Design", "build"]
