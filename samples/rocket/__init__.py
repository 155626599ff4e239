"""A rocket of variable mass on an optimal path, its first integrals stabilised.

floatframe simulate rocket.toml -o rocket.h5
floatframe plot rocket.h5 first.value second.value -o integrals.png
floatframe plot rocket.h5 m.value -o mass.png
"""
