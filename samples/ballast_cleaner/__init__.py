"""Welded frame of a ballast cleaner (SHCHOM-1200), which carries two vibrating screens.

    floatframe info ballast-cleaner.h5
    floatframe mesh frame.toml --set height=0.6 -o higher.h5
    floatframe modes ballast-cleaner.h5 -n 20
    floatframe view ballast-cleaner.h5 --mode 7
"""

from floatframe.samples.ballast_cleaner.model import Design, build

__all__ = ["Design", "build"]
