"""A pendulum as a model file, for tests of commands."""

PENDULUM = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
length = 1.0

[[body]]
name = "rod"
mass = 2.0
com = [0, 0, "-length/2"]
inertia = [0.1667, 0.1667, 0.001]

[[joint]]
name = "hinge"
type = "revolute"
place = { body = "rod" }
against = { body = "ground" }
axis = [0, 1, 0]
start = 0.1

[record]
every = 0.01

[simulate]
t_end = 0.1
step = 1e-2
"""
