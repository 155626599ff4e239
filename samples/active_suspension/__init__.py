"""A quarter car with skyhook damping through a hydraulic actuator, and the passive one beside it.

floatframe linear quarter_car.toml
floatframe simulate quarter_car.toml -o active.h5
floatframe simulate quarter_car.toml --set skyhook=0 -o passive.h5
floatframe plot active.h5 body.acceleration.z strut.displacement -o bump.png
floatframe sweep quarter_car.toml --vary skyhook=0:4000:500 --measure body.acceleration.z:rms -o sweep.h5
"""
