"""A screen box on springs, shaken by two shafts with main and additional unbalances.

floatframe simulate screen.toml -o screen-run.h5
floatframe sweep screen.toml --vary phi=0:330:30 --measure box.com_acceleration.z:rms --from 3.5 -o sweep.h5
floatframe plot sweep.h5 box.com_acceleration.z:rms -o sweep.png
"""
