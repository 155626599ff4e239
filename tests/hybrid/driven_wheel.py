"""Tables of a model file: a wheel that a road moves up and down by VALUE."""

WHEEL = """
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]

[[joint]]
name = "hub"
type = "prismatic"
place = { body = "wheel" }
against = { body = "ground" }
axis = [0, 0, 1]

[[joint]]
name = "road"
type = "motion"
joint = "hub"
value = "VALUE"
"""
