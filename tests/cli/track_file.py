"""A short railway track, as its file says it."""

LINE = """\
format = "floatframe-track/1"

[track]

[[track.section]]
type = "straight"
length = 50.0

[[track.section]]
type = "transition"
length = 50.0

[[track.section]]
type = "curve"
length = 100.0
radius = 300.0
cant = 0.1

[[track.irregularity]]
type = "class"
quality = "ERRI low"
"""
