"""Euler's disc, thin, rolls on a plane: it stays upright only above the speed sqrt(g r / 3).

floatframe simulate disc.toml -o disc-run.h5
floatframe simulate disc.toml --set speed=1 -o slow-run.h5
floatframe linear disc.toml --vary speed=0:3:0.1 -o roots.png
floatframe view disc-run.h5
"""
