"""A rod that swings about its end, and two balls on rods made of one part used twice.

floatframe simulate pendulum.toml -o pendulum-run.h5
floatframe plot pendulum-run.h5 hinge.angle -o angle.png
floatframe linear double_pendulum.toml
"""
