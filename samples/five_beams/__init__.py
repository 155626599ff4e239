"""One beam in five supports, all in one model: frequencies beside theory and the published ones.

floatframe samples beam -o .
floatframe mesh beam.toml --set density=7800 -o light.h5
floatframe reduce light.h5 --interface 1,201 -n 20 -o input.fum
floatframe linear five_beams.toml
"""
