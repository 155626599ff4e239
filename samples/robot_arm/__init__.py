"""A robot arm with a flexible forearm, moved by PID controllers through motors with inductance.

floatframe mesh forearm.toml -o forearm.h5
floatframe reduce forearm.h5 --interface 1,21 -n 4 -o forearm.fum
floatframe linear arm.toml --at start
floatframe simulate arm.toml -o arm-run.h5
floatframe plot arm-run.h5 elbow.angle elbow_target.value -o elbow.png
floatframe view arm-run.h5
"""
