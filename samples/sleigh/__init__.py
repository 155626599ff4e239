"""Chaplygin's sleigh: a body on a blade behind its centre of mass turns until it glides straight on.

floatframe simulate sleigh.toml -o sleigh-run.h5
floatframe plot sleigh-run.h5 sledge.position.x sledge.position.y -o path.png
floatframe view sleigh-run.h5
"""
