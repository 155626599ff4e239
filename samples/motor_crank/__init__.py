"""A direct current motor with a speed controller turns a slider-crank with a flexible rod.

floatframe samples beam -o .
floatframe reduce beam.h5 --interface 1,201 -n 20 -o input.fum
floatframe info drive.toml
floatframe linear drive.toml
floatframe simulate drive.toml -o drive-run.h5
floatframe plot drive-run.h5 shaft.angular_velocity motor.current supply.power -o drive.png
"""
