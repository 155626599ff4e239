"""A network file: a sine on a resistor and a capacitor."""

FILTER = """format = "floatframe-network/1"
name = "filter"

[parameters]
R = 100.0

[[element]]
name = "source"
kind = "voltage_source"
nodes = ["in"]
voltage = "10*sin(100*pi*t)"  # V

[[element]]
name = "R"
kind = "resistor"
nodes = ["in", "out"]
resistance = "R"

[[element]]
name = "C"
kind = "capacitor"
nodes = ["out", "ground"]
capacitance = 1e-5

[simulate]
t_end = 0.02
"""
