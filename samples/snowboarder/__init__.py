"""A snowboarder on the slalom: an edge that never slips, constraints as control.

floatframe simulate snowboarder.toml -o slalom.h5
floatframe plot slalom.h5 slalom.force upright.force edge.lateral_force -o forces.png
floatframe view slalom.h5 --trace torso
"""
