"""A cart with a motor on each of its two wheels, steered by the difference of their torques.

floatframe simulate cart.toml -o cart-run.h5
floatframe plot cart-run.h5 left_tyre.longitudinal_force right_tyre.longitudinal_force -o forces.png
floatframe view cart-run.h5
"""
