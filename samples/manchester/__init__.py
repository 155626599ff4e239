"""Coach of the Manchester benchmarks on two bogies, on irregular track and in a curve.

floatframe simulate ride.toml -o ride.h5
floatframe assess ride.h5
floatframe simulate curve.toml -o curve.h5
floatframe linear vehicle.toml --set speed=50
"""
