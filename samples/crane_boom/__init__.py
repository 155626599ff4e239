"""A hydraulic cylinder lifts the boom of a crane: motor, pump, valves and their controller.

floatframe info lift.toml
floatframe linear lift.toml
floatframe simulate lift.toml -o lift-run.h5
floatframe plot lift-run.h5 rod.displacement supply.pressure bottom.pressure relief.flow -o lift.png
"""
