"""A network file without its settings: a sine on a resistor and a capacitor."""

FILTER = """\
format = "floatframe-network/1"
name = "filter"

[parameters]
R = 100.0

[[element]]
name = "source"
kind = "voltage_source"
nodes = ["in"]
voltage = "10*sin(2*pi*50*t)"

[[element]]
name = "R1"
kind = "resistor"
nodes = ["in", "out"]
resistance = "R"

[[element]]
name = "C1"
kind = "capacitor"
nodes = ["out", "ground"]
capacitance = 1e-5
"""
