"""A bogie frame on two wheelsets, which are one part file used twice.

floatframe equilibrium bogie.toml
floatframe linear bogie.toml -n 10
floatframe view bogie.toml --mode 3
"""
